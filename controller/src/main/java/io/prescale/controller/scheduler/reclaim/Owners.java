package io.prescale.controller.scheduler.reclaim;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.scheduler.evictions.Attempts;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * Finds what is suspended when a pod is taken. Follows the controllers of a pod up to the topmost;
 * each object is read once, but for Jobs that count evictions and have notice. Not thread-safe.
 */
final class Owners {
  /** Requests that are sent for one round, besides those for pods with notice. */
  static final int MOST_REQUESTS = 20;

  /** Since pods of a Job also fail by themselves, and leave it fewer evictions. */
  private static final Duration UNTIL_COUNTED_AGAIN = Duration.ofMinutes(1);

  private static final ResourceDefinitionContext RAY_CLUSTER =
      ServedKind.of("ray.io", "v1", "RayCluster", "rayclusters", true);

  private static final ResourceDefinitionContext REPLICA_SET =
      ServedKind.of("apps", "v1", "ReplicaSet", "replicasets", true);

  /**
   * What makes pods for a Deployment, or for a LeaderWorkerSet, whose leaders own their workers.
   */
  private static final List<ResourceDefinitionContext> MAKERS =
      List.of(
          REPLICA_SET,
          ServedKind.of("apps", "v1", "StatefulSet", "statefulsets", true),
          ServedKind.of("", "v1", "Pod", "pods", true));

  private final KubernetesClient client;
  private final InstalledKinds kinds;
  private final Attempts attempts = attempts();

  /** Those of the reader's thread. */
  private final Attempts attemptsAhead = attempts();

  private final ReadAhead<OwnerReading.Found> ahead;
  private final Map<String, Ownership> byUid = new HashMap<>();
  private final Map<String, Instant> readAt = new HashMap<>();

  /** Namespaces with owners that could not be read yet; their workloads may have more pods. */
  private final Set<String> unclear = new HashSet<>();

  /** Workloads with pods that have notice. */
  private final Set<Suspendable> asked = new HashSet<>();

  /** Jobs of which something was evicted since the reading began that is under way. */
  private final Set<String> forgotten = new HashSet<>();

  /**
   * Nothing is known yet.
   *
   * @param reader reads the owners of pods without notice
   */
  Owners(KubernetesClient client, InstalledKinds kinds, Executor reader) {
    this.client = client;
    this.kinds = kinds;
    ahead = new ReadAhead<>(reader);
  }

  private static Attempts attempts() {
    return new Attempts("reading the owners of pods");
  }

  /** What is suspended with a pod as far as the pod itself says. Its owners may say otherwise. */
  static Ownership assumed(PodTerms pod) {
    return pod.owner()
        .map(owner -> behind(pod, owner).orElse(owner))
        .flatMap(
            owner ->
                kind(owner)
                    .map(it -> new Suspendable(it, pod.namespace(), owner.name(), owner.uid())))
        .<Ownership>map(Ownership.By::new)
        .filter(it -> isAllowed(pod, it))
        .orElse(new Ownership.None());
  }

  private static Optional<Owner> behind(PodTerms pod, Owner owner) {
    return pod.behind().filter(it -> isElastic(it) ? maker(owner).isPresent() : isJob(owner));
  }

  private static boolean isElastic(Owner owner) {
    return SuspendableKind.of(owner).filter(SuspendableKind::isElastic).isPresent();
  }

  private static Optional<SuspendableKind> kind(Owner owner) {
    if (isOf(owner, REPLICA_SET)) {
      return Optional.of(SuspendableKind.DEPLOYMENT);
    }
    return isOf(owner, RAY_CLUSTER)
        ? Optional.of(SuspendableKind.RAY_JOB)
        : SuspendableKind.of(owner);
  }

  /** What would be scaled down is a pod's only if it declares how far. */
  private static boolean isAllowed(PodTerms pod, Ownership found) {
    return pod.elasticity().isPresent()
        || found.workload().filter(it -> it.kind().isElastic()).isEmpty();
  }

  private static boolean isJob(Owner owner) {
    return SuspendableKind.of(owner).filter(SuspendableKind.JOB::equals).isPresent();
  }

  /**
   * What is known of a pod; of a Job's pod without reading, unless its labels say that more is
   * behind it, or the Job may lose some of its pods. Unknown, too, is a workload as long as others
   * of its pods may not be known, unless it is asked already.
   */
  Ownership of(PodTerms pod) {
    var known = read(pod);
    boolean isWhole =
        !unclear.contains(pod.namespace())
            || known
                .workload()
                .filter(it -> it.kind() != SuspendableKind.JOB && !asked.contains(it))
                .isEmpty();
    return isWhole ? known : new Ownership.Unknown();
  }

  private Ownership read(PodTerms pod) {
    boolean isOfJob = pod.owner().filter(Owners::isJob).isPresent();
    if (isOfJob && pod.behind().isEmpty() && !pod.isOfGang()) {
      return assumed(pod);
    }
    return pod.owner()
        .filter(it -> pod.elasticity().isPresent() || maker(it).isEmpty())
        .filter(it -> context(it).isPresent())
        .map(it -> byUid.getOrDefault(it.uid(), new Ownership.Unknown()))
        .filter(it -> isAllowed(pod, it))
        .orElse(new Ownership.None());
  }

  /**
   * Reads owners of pods that have notice, and begins to read those of others, for later rounds.
   * What is known of a Job whose failures are to be counted again holds until it was read.
   */
  void read(Collection<PodTerms> pods, Instant now) {
    takeWhatWasRead();
    byUid.keySet().retainAll(pods.stream().flatMap(pod -> uid(pod).stream()).collect(toSet()));
    readAt.keySet().retainAll(byUid.keySet());
    // Without knowing what it is of, a pod would lose its notice.
    know(reading(Set.of()).read(unread(pods, this::isUrgent), 0, attempts, now));
    var unread = unread(pods, pod -> read(pod).isUnknown() || isOld(pod, now));
    readAhead(unread.stream().filter(pod -> !isUrgent(pod)).toList(), now);
    unclear.clear();
    unread.stream()
        .filter(pod -> read(pod).isUnknown())
        .forEach(pod -> unclear.add(pod.namespace()));
    asked.clear();
    pods.stream()
        .filter(PodTerms::isNoticed)
        .flatMap(pod -> read(pod).workload().stream())
        .forEach(asked::add);
  }

  private void readAhead(List<PodTerms> unread, Instant now) {
    if (!unread.isEmpty() && !ahead.isUnderWay()) {
      forgotten.clear();
      var reading = reading(unread.stream().flatMap(pod -> uid(pod).stream()).collect(toSet()));
      ahead.begin(() -> reading.read(unread, MOST_REQUESTS, attemptsAhead, now));
      takeWhatWasRead();
    }
  }

  private void takeWhatWasRead() {
    ahead
        .take()
        .ifPresent(
            found -> {
              found.byUid().keySet().removeAll(forgotten);
              know(found);
            });
  }

  /** One that reads even these anew, whatever is known of them. */
  private OwnerReading reading(Set<String> anew) {
    var known = new HashMap<>(byUid);
    known.keySet().removeAll(anew);
    return new OwnerReading(client, this::context, known);
  }

  private void know(OwnerReading.Found found) {
    byUid.putAll(found.byUid());
    found.byUid().keySet().forEach(uid -> readAt.put(uid, found.at()));
  }

  /** One pod of each owner, first those that have notice. */
  private List<PodTerms> unread(Collection<PodTerms> pods, Predicate<PodTerms> condition) {
    var unread = new LinkedHashMap<String, PodTerms>();
    pods.stream()
        .filter(condition)
        .sorted(
            Comparator.comparing((PodTerms pod) -> !pod.isNoticed())
                .thenComparing(pod -> !read(pod).isUnknown()))
        .forEach(pod -> unread.putIfAbsent(uid(pod).orElseThrow(), pod));
    return List.copyOf(unread.values());
  }

  private boolean isUrgent(PodTerms pod) {
    return pod.isNoticed() && read(pod).isUnknown();
  }

  private boolean isOld(PodTerms pod, Instant now) {
    return pod.isNoticed()
        && pod.isOfGang()
        && read(pod) instanceof Ownership.By(_, var evictions)
        && evictions < Integer.MAX_VALUE
        && uid(pod)
            .map(readAt::get)
            .filter(at -> at.plus(UNTIL_COUNTED_AGAIN).isAfter(now))
            .isEmpty();
  }

  private static Optional<String> uid(PodTerms pod) {
    return pod.owner().map(Owner::uid);
  }

  /** Has the Job of a pod read again, since it counts evictions. */
  void forget(PodTerms pod) {
    pod.owner()
        .filter(Owners::isJob)
        .ifPresent(
            it -> {
              byUid.remove(it.uid());
              forgotten.add(it.uid());
            });
  }

  private static Optional<ResourceDefinitionContext> maker(Owner owner) {
    return MAKERS.stream().filter(it -> isOf(owner, it)).findFirst();
  }

  private static boolean isOf(Owner owner, ResourceDefinitionContext kind) {
    return owner.kind().equals(kind.getKind()) && owner.group().equals(kind.getGroup());
  }

  /** How an owner is read; empty if it is none that leads to a workload. */
  private Optional<ResourceDefinitionContext> context(Owner owner) {
    return isOf(owner, RAY_CLUSTER)
        ? kinds.find(SuspendableKind.RAY_JOB).map(_ -> RAY_CLUSTER)
        : SuspendableKind.of(owner).flatMap(kinds::find).or(() -> maker(owner));
  }
}
