package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.ReclaimStep;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Suspends workloads, or scales them down, for the pods that are to leave. Not thread-safe. */
final class Pauses {
  private final ReclaimWriter writer;
  private final InstalledKinds kinds;
  private final Function<String, Optional<PodTerms>> pods;

  Pauses(ReclaimWriter writer, InstalledKinds kinds, Function<String, Optional<PodTerms>> pods) {
    this.writer = writer;
    this.kinds = kinds;
    this.pods = pods;
  }

  ReclaimWriter.Outcome suspend(Suspendable workload, Set<String> uids, ReclaimScene scene) {
    return pause(
        workload,
        uids,
        scene,
        (context, had) -> writer.suspend(workload, context, had, scene.now()));
  }

  ReclaimWriter.Outcome shrink(Suspendable workload, Set<String> uids, ReclaimScene scene) {
    var victims =
        workload.kind() == SuspendableKind.DEPLOYMENT
            ? uids.stream().flatMap(uid -> pods.apply(uid).stream()).toList()
            : List.<PodTerms>of();
    return pause(
        workload,
        uids,
        scene,
        (context, had) ->
            writer.shrink(
                workload,
                context,
                wanted -> left(workload, uids, scene, wanted),
                victims,
                had,
                scene.now()));
  }

  /** Writes, if it is known what the pods had and that can be written down. */
  private ReclaimWriter.Outcome pause(
      Suspendable workload,
      Set<String> uids,
      ReclaimScene scene,
      BiFunction<ResourceDefinitionContext, SuspendedPods, ReclaimWriter.Outcome> write) {
    var held = scene.held().apply(uids);
    var context = kinds.find(workload.kind());
    if (held.isEmpty() || context.isEmpty()) {
      return ReclaimWriter.Outcome.IMPOSSIBLE;
    }
    var had = SuspendedPods.of(held);
    return had.isTooLong() ? ReclaimWriter.Outcome.IMPOSSIBLE : write.apply(context.get(), had);
  }

  /**
   * How many replicas a workload keeps: those of its pods that have cards and stay, since pods that
   * wait go first. Of a LeaderWorkerSet the highest ordinals go, so that others cannot go this way.
   *
   * @param wanted replicas that it is to have now; groups beyond them leave already
   */
  private OptionalInt left(Suspendable workload, Set<String> uids, ReclaimScene scene, int wanted) {
    var staying =
        scene.holders().values().stream()
            .filter(it -> it.workload().filter(workload.key()::equals).isPresent())
            .filter(it -> !it.isLeaving() && !uids.contains(it.uid()))
            .map(CardHolder::uid)
            .toList();
    if (workload.kind() == SuspendableKind.DEPLOYMENT) {
      return OptionalInt.of(staying.size());
    }
    var first = ordinals(uids).min();
    boolean areOthersBehind =
        first.isEmpty() || ordinals(staying).anyMatch(it -> it >= first.getAsInt() && it < wanted);
    return areOthersBehind ? OptionalInt.empty() : first;
  }

  /**
   * The steps of a round, with those that scale down for the last groups before those for which
   * these would be in the way: groups with notice may leave for different claims.
   */
  List<ReclaimStep> lastGroupsFirst(List<ReclaimStep> steps) {
    var shrinks =
        steps.stream()
            .filter(ReclaimStep.Shrink.class::isInstance)
            .map(ReclaimStep.Shrink.class::cast)
            .sorted(Comparator.comparingInt(step -> -ordinals(step.uids()).min().orElse(0)))
            .iterator();
    return steps.stream()
        .map(step -> step instanceof ReclaimStep.Shrink ? shrinks.next() : step)
        .toList();
  }

  private IntStream ordinals(Collection<String> uids) {
    return uids.stream()
        .flatMap(uid -> pods.apply(uid).stream())
        .flatMap(pod -> pod.elasticity().stream())
        .flatMapToInt(it -> it.ordinal().stream());
  }
}
