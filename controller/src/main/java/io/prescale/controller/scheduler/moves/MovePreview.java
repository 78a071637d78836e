package io.prescale.controller.scheduler.moves;

import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.placement.consolidation.Move;
import io.prescale.placement.ledger.MoveFacts;
import io.prescale.placement.moves.Course;
import io.prescale.placement.moves.MovesAhead;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Which pods would make room for those that wait if they moved, by the plans of real moves. */
public final class MovePreview {
  /** At any time, and as many as are needed. */
  private static final MoveSettings ACTING =
      new MoveSettings(
          new ReclaimPolicy(Mode.ACT, Duration.ZERO, Integer.MAX_VALUE),
          MoveSettings.OFF.interval(),
          MoveSettings.OFF.sickAfter(),
          List.of());

  private MovePreview() {}

  /**
   * A pod that would move.
   *
   * @param pod its namespace and name
   * @param from the node on which it is
   * @param to the node to which it would go
   */
  public record Moving(String pod, String from, String to) {}

  /**
   * The moves in their order.
   *
   * @param pods of the cluster
   * @param admitting the nodes whose labels and taints let a pod in; empty if all do
   * @return by namespace and name of the pod that waits; those for which none make room are left
   *     out
   */
  public static Map<String, List<Moving>> of(
      MoveFacts facts,
      Stream<Pod> pods,
      Function<Pod, Optional<Set<String>>> admitting,
      Instant now) {
    var byUid = pods.map(MovablePod::of).collect(toMap(MovablePod::uid, it -> it, (a, _) -> a));
    var sight =
        new MoveSight(facts, byUid, ACTING, admitting, Set.of(), _ -> Optional.empty(), now);
    var plans = MovesAhead.of(sight.view(Set.of(), 0, Course.NONE));
    var moves = new HashMap<String, List<Moving>>();
    for (var wanting : facts.wanting()) {
      var plan = plans.get(wanting.pod().uid());
      if (plan != null) {
        moves.put(
            wanting.pod().display(),
            plan.moves().stream().map(move -> moving(move, byUid)).toList());
      }
    }
    return moves;
  }

  private static Moving moving(Move move, Map<String, MovablePod> pods) {
    var pod = Objects.requireNonNull(pods.get(move.from().request().name()));
    return new Moving(pod.display(), move.from().node(), move.to().node());
  }
}
