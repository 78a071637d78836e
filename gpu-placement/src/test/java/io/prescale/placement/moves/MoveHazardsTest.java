package io.prescale.placement.moves;

import static io.prescale.placement.moves.MoveRoundTest.halfFull;
import static io.prescale.placement.moves.MoveRoundTest.steps;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What must not hold up, or interrupt, others. */
class MoveHazardsTest {
  private static final int GRACE = (int) SimulatedCards.GRACE.toSeconds();

  /** As on a node that is gone. */
  @Test
  void aPodThatLeavesForEverHoldsUpNoOtherMove() {
    var cluster = halfFull();
    cluster.waiting(4);
    cluster.seconds(2);
    var stuck = steps(cluster, MoveStep.Notify.class).getFirst().uid();
    cluster.stuck.add(stuck);

    cluster.seconds(GRACE + (int) MoveRound.UNTIL_BOUND.toSeconds() + 3);

    assertThat(steps(cluster, MoveStep.GiveUp.class)).hasSize(1);
    var kin = Optional.of(cluster.get(stuck).kin);
    assertThat(cluster.kept).noneMatch(place -> place.kin().equals(kin));
  }

  @Test
  void noPodMakesWayForOneOfALowerPriority() {
    var cluster = halfFull();
    cluster.pods.values().forEach(pod -> pod.priority = 1);
    var wanted = cluster.waiting(4);

    cluster.seconds(GRACE + 5);
    assertThat(cluster.log).isEmpty();

    wanted.priority = 1;
    cluster.seconds(2 * GRACE + 10);
    assertThat(wanted.node).isZero();
  }
}
