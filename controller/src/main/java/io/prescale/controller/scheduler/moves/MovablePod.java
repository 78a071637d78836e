package io.prescale.controller.scheduler.moves;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.prescale.controller.scheduler.evictions.JobFailures;
import io.prescale.controller.scheduler.evictions.NamedPod;
import io.prescale.controller.scheduler.evictions.PodWishes;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.ledger.MoveFacts;
import io.prescale.placement.moves.MoveNotice;
import io.prescale.placement.moves.Resident;
import io.prescale.placement.notice.ReclaimPolicy;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a pod says about being moved; never fails, whatever users have written.
 *
 * @param isLeaving whether it is being deleted
 * @param isMarked whether a notice is written on it, be it nonsense
 * @param notice that it has; empty if what is written makes no sense
 * @param movedAt when it replaced one that was moved
 * @param objection why it is never moved, unless its card is sick
 * @param objectionIfSick why it is not moved off a sick card, on which the work of a Job's pod is
 *     lost in any case
 * @param isAwaited whether it is not ready yet, or no longer, and has not ended
 * @param kin the pods that replace each other with it; empty if it has no labels of its own
 * @param rules its node selector and tolerations
 */
record MovablePod(
    String uid,
    String namespace,
    String name,
    boolean isLeaving,
    boolean isAwaited,
    boolean isMarked,
    Optional<MoveNotice> notice,
    Optional<Instant> movedAt,
    PodWishes wishes,
    Optional<String> objection,
    Optional<String> objectionIfSick,
    Optional<PodSelector> kin,
    Pod rules,
    Optional<String> job)
    implements NamedPod {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  static MovablePod of(Pod pod) {
    var meta = pod.getMetadata();
    var annotations = orEmpty(meta.getAnnotations());
    var wishes = PodWishes.of(pod);
    var job = JobFailures.jobOf(meta);
    return new MovablePod(
        meta.getUid(),
        meta.getNamespace(),
        meta.getName(),
        meta.getDeletionTimestamp() != null,
        isAwaited(pod),
        WrittenMove.isIn(annotations),
        WrittenMove.read(annotations),
        WrittenMove.time(annotations, WrittenMove.MOVED),
        wishes,
        objection(pod, wishes, false),
        objection(pod, wishes, job.isPresent()),
        Kin.of(meta),
        MoveRights.rules(pod),
        job);
  }

  private static Optional<String> objection(Pod pod, PodWishes wishes, boolean isWorkLost) {
    return wishes.isCritical()
        ? Optional.of("it is critical")
        : MoveRights.objection(pod, isWorkLost);
  }

  private static boolean isAwaited(Pod pod) {
    var phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return !ENDED.contains(Objects.requireNonNullElse(phase, "")) && !Readiness.isPodReady(pod);
  }

  /** Equal for pods that replace each other. */
  String kinKey() {
    return kin.map(it -> it.namespace() + new TreeMap<>(it.labels())).orElse(uid);
  }

  /**
   * What it is for moves while it has cards.
   *
   * @param mayMove whether it may move now, if it has kin
   */
  Resident resident(MoveFacts.Held held, boolean mayMove, ReclaimPolicy policy) {
    return new Resident(
        uid,
        kinKey(),
        held.shape(),
        held.gang().map(group -> group.in(namespace)),
        mayMove && kin.isPresent(),
        isLeaving,
        policy.graceFor(wishes.grace()),
        notice,
        held.pod().created());
  }
}
