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
  void aPodWhoseBookedNodeDiesInTheNoticeStays() {
    var cluster = halfFull();
    cluster.waiting(4);
    cluster.seconds(2);
    var notify = steps(cluster, MoveStep.Notify.class).getFirst();

    cluster.die(nodeOf(notify.notice()));
    cluster.seconds(GRACE + 5);

    assertThat(steps(cluster, MoveStep.Withdraw.class))
        .singleElement()
        .satisfies(step -> assertThat(step.why()).isEqualTo("its new place is no longer free"));
    assertThat(cluster.evicted).isEmpty();
    assertThat(cluster.get(notify.uid()).holds()).isTrue();
    assertThat(cluster.kept).isEmpty();
  }

  @Test
  void aPodWhoseBookedNodeDiesAfterItsEvictionComesElsewhere() {
    var cluster = halfFull();
    cluster.waiting(4);
    cluster.seconds(2);
    var notify = steps(cluster, MoveStep.Notify.class).getFirst();
    var kin = cluster.get(notify.uid()).kin;
    cluster.seconds(GRACE - 1);
    assertThat(cluster.evicted).containsExactly(notify.uid());

    cluster.die(nodeOf(notify.notice()));
    cluster.seconds((int) MoveRound.UNTIL_BOUND.toSeconds() + 5);

    assertThat(cluster.pods.values())
        .filteredOn(pod -> pod.kin.equals(kin))
        .singleElement()
        .satisfies(pod -> assertThat(pod.holds()).isTrue());
    assertThat(
            steps(cluster, MoveStep.GiveUp.class).size()
                + steps(cluster, MoveStep.Arrive.class).size())
        .isEqualTo(1);
    assertThat(cluster.evicted).hasSize(1);
    assertThat(cluster.kept).noneMatch(place -> place.kin().equals(Optional.of(kin)));
  }

  private static int nodeOf(MoveNotice notice) {
    return Integer.parseInt(notice.node().substring(1));
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
