package io.prescale.controller.scheduler.reclaim;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.prescale.controller.cluster.WrittenTime;
import io.prescale.controller.scheduler.evictions.JobFailures;
import io.prescale.controller.scheduler.evictions.NamedPod;
import io.prescale.controller.scheduler.evictions.PodWishes;
import io.prescale.controller.scheduler.facts.GroupFacts;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Notice;
import io.prescale.placement.notice.ReclaimPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a pod says about being taken back; never fails, whatever users have written.
 *
 * @param started when its kubelet took it; empty before
 * @param leaving when it was to have ended, if it is being deleted
 * @param isNoticed whether a notice is written on it, be it nonsense
 * @param notice that it has; empty if what is written makes no sense
 * @param mayBeFirstToGo whether a Deployment's controller may remove it before all others, since
 *     its workload was scaled down, or was about to be: what was written may not be seen yet
 * @param wish for the length of its notice
 * @param pauseCost what a pause costs beyond its length, as it says
 * @param isExempt whether it is never taken
 * @param owner the object that made it, unless Kueue decides when the pod runs
 * @param elasticity of its workload, if it declares one
 * @param behind what its labels say is behind its Job or StatefulSet, without a UID; they may be
 *     wrong
 * @param isOfGang whether some of its Job may be taken, and the others go on
 * @param job the name of the Job that has made it, also if Kueue decides when it runs
 */
record PodTerms(
    String uid,
    String namespace,
    String name,
    Optional<Instant> started,
    Optional<Instant> leaving,
    boolean isNoticed,
    Optional<Notice> notice,
    boolean mayBeFirstToGo,
    Optional<Duration> wish,
    Optional<Duration> pauseCost,
    boolean isExempt,
    Optional<Owner> owner,
    Optional<Elasticity> elasticity,
    Optional<Owner> behind,
    boolean isOfGang,
    Optional<String> job)
    implements NamedPod {
  /** When the notice runs out. */
  static final String AT = "gpu.prescale.io/reclaim-at";

  /** The claim for which the cards are needed. */
  static final String FOR = "gpu.prescale.io/reclaim-for";

  /** By which the controller of a Deployment chooses the pods that go. */
  static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

  /** The least cost that there is; what its owner has written is replaced by it. */
  static final Map<String, String> FIRST_TO_GO =
      Map.of(DELETION_COST, Integer.toString(Integer.MIN_VALUE));

  /** Beyond it, a pod that should have ended is taken to hang. */
  private static final Duration LONGEST_END = Duration.ofMinutes(10);

  private static final String JOB_SET = "jobset.sigs.k8s.io/jobset-name";
  private static final String KUBEFLOW_JOB = "training.kubeflow.org/job-name";
  private static final String LEADER_WORKER_SET = "leaderworkerset.sigs.k8s.io/name";
  private static final String KUEUE = "kueue.x-k8s.io/queue-name";
  private static final String NAME = "[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?";
  private static final Pattern CLAIM = Pattern.compile("%s(/%s)?".formatted(NAME, NAME));

  static PodTerms of(Pod pod) {
    var meta = pod.getMetadata();
    var annotations = orEmpty(meta.getAnnotations());
    var wishes = PodWishes.of(pod);
    var elasticity = Elasticity.of(meta);
    return new PodTerms(
        meta.getUid(),
        meta.getNamespace(),
        meta.getName(),
        Optional.ofNullable(pod.getStatus())
            .map(PodStatus::getStartTime)
            .flatMap(WrittenTime::read),
        Optional.ofNullable(meta.getDeletionTimestamp())
            .map(at -> WrittenTime.read(at).orElse(Instant.MAX)),
        annotations.containsKey(AT) || annotations.containsKey(FOR),
        notice(annotations),
        elasticity.isPresent() && mayBeFirstToGo(annotations),
        wishes.grace(),
        wishes.pauseCost(),
        "never".equals(annotations.get(PodFacts.RECLAIM)) || wishes.isCritical(),
        isOfKueue(meta) ? Optional.empty() : Owner.controlling(meta),
        elasticity,
        behind(meta),
        GroupFacts.of(pod).isPresent(),
        JobFailures.jobOf(meta));
  }

  /** A cost of its owner's is never removed. */
  private static boolean mayBeFirstToGo(Map<String, String> annotations) {
    return !annotations.containsKey(DELETION_COST)
        || annotations.entrySet().containsAll(FIRST_TO_GO.entrySet());
  }

  /** Whether an object is of a JobSet, or admitted by Kueue. */
  static boolean isOfOthers(ObjectMeta meta) {
    return orEmpty(meta.getLabels()).containsKey(JOB_SET) || isOfKueue(meta);
  }

  /** The MPI operator's launcher is a Job; other kinds of Kubeflow have no Jobs. */
  private static Optional<Owner> behind(ObjectMeta meta) {
    var labels = orEmpty(meta.getLabels());
    return Optional.ofNullable(labels.get(JOB_SET))
        .map(SuspendableKind.JOB_SET::owner)
        .or(() -> Optional.ofNullable(labels.get(KUBEFLOW_JOB)).map(SuspendableKind.MPI_JOB::owner))
        .or(
            () ->
                Optional.ofNullable(labels.get(LEADER_WORKER_SET))
                    .map(SuspendableKind.LEADER_WORKER_SET::owner));
  }

  private static boolean isOfKueue(ObjectMeta meta) {
    return orEmpty(meta.getLabels()).containsKey(KUEUE);
  }

  /**
   * Whether a claim may be named in an annotation of other users' pods: a UID, or a namespace and a
   * group with a name as Kubernetes gives names. The annotation of a group may hold any text.
   */
  static boolean isClaim(String key) {
    return CLAIM.matcher(key).matches();
  }

  private static Optional<Notice> notice(Map<String, String> annotations) {
    var claim = annotations.getOrDefault(FOR, "");
    return claim.isBlank()
        ? Optional.empty()
        : WrittenTime.read(annotations.get(AT)).map(at -> new Notice(claim, at));
  }

  /** Whether it is being deleted. */
  boolean isLeaving() {
    return leaving.isPresent();
  }

  /** Whether it has been ending for so long that its cards cannot be counted on. */
  private boolean isStuck(Instant now) {
    return leaving.filter(end -> end.isBefore(now.minus(LONGEST_END))).isPresent();
  }

  /**
   * What it is for taking back while it has cards, on the terms of its queue. One that is stuck
   * stays, as far as can be seen, and cannot be taken.
   */
  CardHolder holding(
      ReclaimFacts.Held held, ReclaimPolicy policy, Ownership ownership, Instant now) {
    boolean isStuck = isStuck(now);
    var workload =
        ownership.workload().filter(_ -> !isStuck); // which is paused, or goes on without it
    boolean isKept =
        workload.filter(it -> it.kind() == SuspendableKind.LEADER_WORKER_SET).isPresent()
            && elasticity.filter(Elasticity::isKept).isPresent();
    boolean isTaken =
        !isStuck && !isExempt && held.isTakeable() && !ownership.isUnknown() && !isKept;
    return new CardHolder(
        uid,
        held.queue(),
        held.milli(),
        isTaken ? policy.mode() : ReclaimPolicy.Mode.OFF,
        isLeaving() && !isStuck,
        policy.graceFor(wish),
        pauseCost.orElse(CardHolder.USUAL_PAUSE_COST),
        notice.filter(_ -> !isStuck),
        gang(held, workload),
        workload.map(Suspendable::key),
        workload.filter(it -> it.kind().isElastic()).isPresent(),
        held.end());
  }

  /**
   * A Job may need fewer pods than it has, as its gang says, and what is scaled down loses some of
   * its gangs or pods; the others end as a whole.
   */
  private Optional<String> gang(ReclaimFacts.Held held, Optional<Suspendable> workload) {
    var whole = workload.map(Suspendable::key);
    var group = held.group().map(it -> it.in(namespace));
    return workload.filter(it -> it.kind().endsAsAWhole()).isPresent()
        ? whole
        : group.or(() -> whole);
  }
}
