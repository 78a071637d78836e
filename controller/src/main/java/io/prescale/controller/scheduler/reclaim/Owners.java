package io.prescale.controller.scheduler.reclaim;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.scheduler.evictions.Attempts;
import io.prescale.controller.scheduler.evictions.JobFailures;
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

/**
 * Finds what is suspended when a pod is taken. Follows the controllers of a pod up to the topmost;
 * each object is read once, but for Jobs that count evictions and have notice. Not thread-safe.
 */
final class Owners {
  /** Requests that are sent in one round, besides those for pods with notice. */
  static final int MOST_REQUESTS = 20;

  /** A pod of a TrainJob has three: Job, JobSet, TrainJob. */
  private static final int DEEPEST = 4;

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
  private final Attempts attempts = new Attempts("reading the owners of pods");
  private final Map<String, Ownership> byUid = new HashMap<>();
  private final Map<String, Instant> readAt = new HashMap<>();

  /** Namespaces with owners that could not be read yet; their workloads may have more pods. */
  private final Set<String> unclear = new HashSet<>();

  /** Workloads with pods that have notice. */
  private final Set<Suspendable> asked = new HashSet<>();

  private int requests;

  Owners(KubernetesClient client, InstalledKinds kinds) {
    this.client = client;
    this.kinds = kinds;
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
   * Reads owners of pods that may be taken, those of pods with notice first. What is known of a Job
   * whose failures are to be counted again holds until it was read.
   */
  void read(Collection<PodTerms> pods, Instant now) {
    attempts.retries().forget(now);
    byUid.keySet().retainAll(pods.stream().flatMap(pod -> uid(pod).stream()).collect(toSet()));
    readAt.keySet().retainAll(byUid.keySet());
    var unread = new LinkedHashMap<String, PodTerms>();
    pods.stream()
        .filter(pod -> read(pod).isUnknown() || isOld(pod, now))
        .sorted(
            Comparator.comparing((PodTerms pod) -> !pod.isNoticed())
                .thenComparing(pod -> !read(pod).isUnknown()))
        .forEach(pod -> unread.putIfAbsent(uid(pod).orElseThrow(), pod));
    int most = MOST_REQUESTS;
    requests = 0;
    for (var pod : unread.values()) {
      int before = requests;
      if (pod.isNoticed() || requests < most) {
        attempts.attempt(uid(pod).orElseThrow(), now, () -> read(pod, now));
      }
      most += pod.isNoticed() ? requests - before : 0;
    }
    unclear.clear();
    unread.values().stream()
        .filter(pod -> read(pod).isUnknown())
        .forEach(pod -> unclear.add(pod.namespace()));
    asked.clear();
    pods.stream()
        .filter(PodTerms::isNoticed)
        .flatMap(pod -> read(pod).workload().stream())
        .forEach(asked::add);
  }

  private void read(PodTerms pod, Instant now) {
    var owner = pod.owner().orElseThrow();
    if (isOld(pod, now)) {
      byUid.put(owner.uid(), find(pod.namespace(), owner, DEEPEST));
    } else {
      read(pod.namespace(), owner, DEEPEST);
    }
    readAt.put(owner.uid(), now);
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

  private Ownership read(String namespace, Owner owner, int depth) {
    var known = byUid.get(owner.uid());
    if (known == null) {
      known = find(namespace, owner, depth);
      byUid.put(owner.uid(), known);
    }
    return known;
  }

  private Ownership find(String namespace, Owner owner, int depth) {
    var object = context(owner).map(kind -> get(kind, namespace, owner.name())).orElse(null);
    if (object == null || !owner.uid().equals(object.getMetadata().getUid()) || depth == 0) {
      return new Ownership.None();
    }
    var above = Owner.controlling(object.getMetadata()).filter(it -> context(it).isPresent());
    return above.isPresent()
        ? read(namespace, above.get(), depth - 1)
        : SuspendableKind.of(owner)
            .filter(kind -> kind.mayBeSuspended(object))
            .<Ownership>map(kind -> owning(kind, object))
            .orElse(new Ownership.None());
  }

  private static Ownership.By owning(SuspendableKind kind, GenericKubernetesResource object) {
    var whole = Suspendable.of(kind, object.getMetadata());
    return kind == SuspendableKind.JOB
        ? new Ownership.By(whole, JobFailures.left(object))
        : new Ownership.By(whole);
  }

  /** Has the Job of a pod read again, since it counts evictions. */
  void forget(PodTerms pod) {
    pod.owner().filter(Owners::isJob).ifPresent(it -> byUid.remove(it.uid()));
  }

  private static Optional<ResourceDefinitionContext> maker(Owner owner) {
    return MAKERS.stream().filter(it -> isOf(owner, it)).findFirst();
  }

  private static boolean isOf(Owner owner, ResourceDefinitionContext kind) {
    return owner.kind().equals(kind.getKind()) && owner.group().equals(kind.getGroup());
  }

  private GenericKubernetesResource get(
      ResourceDefinitionContext kind, String namespace, String name) {
    requests++;
    return client.genericKubernetesResources(kind).inNamespace(namespace).withName(name).get();
  }

  /** How an owner is read; empty if it is none that leads to a workload. */
  private Optional<ResourceDefinitionContext> context(Owner owner) {
    return isOf(owner, RAY_CLUSTER)
        ? kinds.find(SuspendableKind.RAY_JOB).map(_ -> RAY_CLUSTER)
        : SuspendableKind.of(owner).flatMap(kinds::find).or(() -> maker(owner));
  }
}
