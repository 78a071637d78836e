package io.prescale.placement.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.consolidation.Move.Reason;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Moves that are carried out one after another. */
class MoveRoundTest {
  private static final int GRACE = (int) SimulatedCards.GRACE.toSeconds();

  /** Two half-full nodes; the pod of four cards fits neither. */
  static SimulatedMoves halfFull() {
    var cluster = new SimulatedMoves(2, 4);
    cluster.on(0, 0);
    cluster.on(0, 2);
    cluster.on(1, 1);
    cluster.put(false, 1, 3);
    cluster.course = Course.NONE.withNextLook(cluster.now.plus(Duration.ofDays(1)));
    return cluster;
  }

  static <S extends MoveStep> List<S> steps(SimulatedMoves cluster, Class<S> kind) {
    return cluster.log.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  @Test
  void aNodeIsFreedForAPodByOneMoveAfterAnother() {
    var cluster = halfFull();
    var wanted = cluster.waiting(4);

    cluster.seconds(2);
    assertThat(steps(cluster, MoveStep.Notify.class)).hasSize(1);
    cluster.seconds(GRACE - 2);
    assertThat(cluster.evicted).isEmpty();
    cluster.seconds(1);
    assertThat(cluster.evicted).hasSize(1);
    cluster.seconds(GRACE + 5);

    assertThat(wanted.node).isZero();
    assertThat(cluster.evicted).hasSize(2);
    assertThat(steps(cluster, MoveStep.Notify.class)).hasSize(2);
    assertThat(steps(cluster, MoveStep.Arrive.class))
        .hasSize(2)
        .allSatisfy(step -> assertThat(step.isAsBooked()).isTrue());
    assertThat(cluster.kept).isEmpty();
  }

  /** Whichever write was the last one, the next executor brings it to the same end. */
  @Test
  void anExecutorThatIsKilledBetweenAnyTwoWritesDoesNoHarm() {
    for (int killed = 0; killed < 2 * GRACE + 8; killed++) {
      for (int most = 0; most < 2; most++) {
        var cluster = halfFull();
        var wanted = cluster.waiting(4);
        cluster.seconds(killed);
        cluster.second(most);
        cluster.course = Course.NONE.withNextLook(cluster.now.plus(Duration.ofDays(1)));

        cluster.seconds(3 * GRACE + 180);

        assertThat(wanted.holds()).as("killed in second %d after %d", killed, most).isTrue();
        assertThat(cluster.evicted.size()).isLessThanOrEqualTo(3);
        assertThat(cluster.pods.values()).hasSize(5).allMatch(SimulatedCards.SimPod::holds);
      }
    }
  }

  @Test
  void aPodThatWaitsNoMoreCostsNothing() {
    var cluster = halfFull();
    var wanted = cluster.waiting(4);
    cluster.seconds(5);

    cluster.pods.remove(wanted.uid);
    cluster.seconds(GRACE);

    assertThat(cluster.evicted).isEmpty();
    assertThat(steps(cluster, MoveStep.Withdraw.class))
        .singleElement()
        .satisfies(step -> assertThat(step.why()).contains("waits no more"));
    assertThat(cluster.pods.values()).noneMatch(pod -> pod.notice.isPresent());
  }

  @Test
  void aPlanThatNoLongerFitsIsDropped() {
    var cluster = halfFull();
    cluster.waiting(4);
    cluster.seconds(2);
    var notice = steps(cluster, MoveStep.Notify.class).getFirst().notice();

    cluster.closed.addAll(notice.uuids());
    cluster.seconds(2);

    assertThat(steps(cluster, MoveStep.Withdraw.class))
        .singleElement()
        .satisfies(step -> assertThat(step.why()).isEqualTo("its new place is no longer free"));
    assertThat(cluster.evicted).isEmpty();
  }

  @Test
  void aPodLeavesASickCardWhereThereIsAPlaceAndStaysOtherwise() {
    var cluster = new SimulatedMoves(2, 2);
    var single = cluster.on(0, 0);
    var pair = cluster.on(1, 0, 1);
    cluster.sick.add(SimulatedCards.uuid(0, 0));
    cluster.sick.add(SimulatedCards.uuid(1, 0));
    cluster.isOpen = false;

    cluster.seconds(GRACE + 4);

    assertThat(cluster.evicted).containsExactly(single.uid);
    assertThat(steps(cluster, MoveStep.Notify.class))
        .singleElement()
        .satisfies(step -> assertThat(step.notice().reason()).isEqualTo(Reason.SICK_CARD));
    assertThat(pair.holds()).isTrue();
    assertThat(cluster.pods.values())
        .filteredOn(pod -> pod.kin.equals(single.kin))
        .singleElement()
        .satisfies(pod -> assertThat(pod.cards).containsExactly(1));
  }

  @Test
  void aCardThatIsWellAgainKeepsItsPod() {
    var cluster = new SimulatedMoves(1, 2);
    cluster.on(0, 0);
    cluster.sick.add(SimulatedCards.uuid(0, 0));
    cluster.seconds(3);

    cluster.sick.clear();
    cluster.seconds(GRACE);

    assertThat(cluster.evicted).isEmpty();
    assertThat(steps(cluster, MoveStep.Withdraw.class))
        .extracting(MoveStep.Withdraw::why)
        .containsExactly("its cards are well again");
  }

  @Test
  void adviceWritesNothing() {
    var cluster = halfFull();
    cluster.mode = Mode.ADVISE;
    var wanted = cluster.waiting(4);

    cluster.seconds(GRACE + 10);

    assertThat(cluster.log)
        .isNotEmpty()
        .allSatisfy(step -> assertThat(step).isInstanceOf(MoveStep.Advise.class));
    assertThat(steps(cluster, MoveStep.Advise.class).getFirst())
        .satisfies(step -> assertThat(step.moves()).hasSize(2))
        .satisfies(step -> assertThat(step.wanted()).contains(wanted.uid));
    assertThat(cluster.kept).isEmpty();
  }

  @Test
  void nothingMovesWithoutABudgetOutsideTheWindowOrWhenSwitchedOff() {
    for (int way = 0; way < 3; way++) {
      var cluster = halfFull();
      cluster.waiting(4);
      cluster.budget = way == 0 ? 0 : 100;
      cluster.isOpen = way != 1;
      cluster.mode = way == 2 ? Mode.OFF : Mode.ACT;

      cluster.seconds(2 * GRACE);

      assertThat(cluster.log).as("way %d", way).isEmpty();
    }
  }

  @Test
  void aPlanThatTheBudgetDoesNotCoverIsNotBegun() {
    var cluster = halfFull();
    cluster.waiting(4);
    cluster.budget = 1;

    cluster.seconds(2 * GRACE);

    assertThat(cluster.evicted).isEmpty();
  }

  @Test
  void fragmentsAreGatheredAtEachInterval() {
    var cluster = new SimulatedMoves(2, 4);
    cluster.on(0, 0);
    cluster.on(0, 1);
    cluster.on(1, 0);
    cluster.on(1, 1);

    cluster.seconds(3 * GRACE);

    assertThat(cluster.evicted).hasSize(2);
    assertThat(cluster.pods.values().stream().map(pod -> pod.node).distinct()).hasSize(1);
    assertThat(steps(cluster, MoveStep.Arrive.class)).allMatch(MoveStep.Arrive::isAsBooked);
  }

  @Test
  void aReplacementThatIsNotBoundLosesItsPlaceAfterTwoMinutes() {
    var cluster = halfFull();
    cluster.waiting(4);
    cluster.comesBack = false;
    cluster.seconds(GRACE + 3);
    assertThat(cluster.evicted).hasSize(1);
    assertThat(cluster.kept).anyMatch(place -> place.kin().isPresent());

    cluster.seconds((int) MoveRound.UNTIL_BOUND.toSeconds());

    assertThat(steps(cluster, MoveStep.GiveUp.class)).hasSize(1);
  }

  @Test
  void aPodThatABudgetProtectsForLongKeepsItsPlace() {
    var cluster = halfFull();
    cluster.waiting(4);
    cluster.seconds(2);
    var notified = steps(cluster, MoveStep.Notify.class).getFirst().uid();
    cluster.guarded.add(notified);
    cluster.seconds(GRACE + 5);
    assertThat(cluster.evicted).isEmpty();

    cluster.refused.add(notified);
    cluster.seconds(1);

    assertThat(cluster.get(notified).notice).isEmpty();
    assertThat(steps(cluster, MoveStep.Withdraw.class).getFirst().why())
        .contains("PodDisruptionBudget");
  }

  @Test
  void aNoticeThatMakesNoSenseIsWithdrawn() {
    var cluster = halfFull();
    cluster.strays.add("p000");

    cluster.seconds(1);

    assertThat(cluster.log).first().isInstanceOf(MoveStep.Withdraw.class);
  }

  /** Others can write annotations, too. */
  @Test
  void aForgedNoticeKeepsNoPlaceForLongerThanARealOne() {
    var cluster = halfFull();
    cluster.waiting(4);
    cluster.seconds(2);
    var pod = cluster.get(steps(cluster, MoveStep.Notify.class).getFirst().uid());
    var real = pod.notice.orElseThrow();
    var later = real.at().plus(Duration.ofHours(1));
    pod.notice =
        Optional.of(new MoveNotice(later, real.node(), real.uuids(), real.reason(), real.wanted()));

    cluster.seconds(1);

    assertThat(steps(cluster, MoveStep.Withdraw.class))
        .singleElement()
        .satisfies(step -> assertThat(step.why()).contains("longer than any"));
  }

  @Test
  void switchingOffWithdrawsWhatHasBegun() {
    var cluster = halfFull();
    cluster.waiting(4);
    cluster.seconds(3);

    cluster.mode = Mode.OFF;
    cluster.seconds(GRACE);

    assertThat(cluster.evicted).isEmpty();
    assertThat(cluster.pods.values()).noneMatch(pod -> pod.notice.isPresent());
  }

  @Test
  void recordsRefuseNonsense() {
    assertThatThrownBy(
            () -> new MoveNotice(Instant.EPOCH, "n", Set.of(), Reason.SICK_CARD, Optional.empty()))
        .hasMessageContaining("name a node and a card");
    assertThatThrownBy(
            () ->
                new MoveNotice(Instant.EPOCH, "n", Set.of("u"), Reason.MAKES_WAY, Optional.empty()))
        .hasMessageContaining("does not go with");
    assertThatThrownBy(() -> new MoveView.Terms(Mode.ACT, true, 1, Duration.ZERO))
        .hasMessageContaining("give more than 0");
  }
}
