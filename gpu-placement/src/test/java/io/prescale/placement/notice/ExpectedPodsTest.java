package io.prescale.placement.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.ReclaimStep.Notify;
import io.prescale.placement.notice.ReclaimStep.Resume;
import io.prescale.placement.notice.ReclaimStep.Withdraw;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cards are there before the pods, and go back if these do not come. */
class ExpectedPodsTest {
  private static final int GRACE_SECONDS = (int) SimulatedReclaim.GRACE.toSeconds();

  /** Two nodes with four cards each, of which the owner is guaranteed four. */
  private static SimulatedReclaim cluster() {
    return new SimulatedReclaim(2, 4)
        .queue("owner", 4, Mode.ACT, 100)
        .queue("train", 0, Mode.ACT, 100);
  }

  private static SimulatedReclaim fullOfPods() {
    var cluster = cluster();
    IntStream.range(0, 8).forEach(_ -> cluster.pod("train", 1));
    cluster.schedule();
    return cluster;
  }

  static Instant in(SimulatedReclaim cluster, int seconds) {
    return cluster.now.plusSeconds(seconds);
  }

  static ReclaimRound.Result decide(SimulatedReclaim cluster) {
    return ReclaimRound.decide(cluster.view(), cluster.now);
  }

  static long notified(SimulatedReclaim cluster) {
    return cluster.all().filter(pod -> !pod.leaving && pod.notice.isPresent()).count();
  }

  @Test
  void freeCardsAreKeptFromTheTimeOnAndNotBefore() {
    var cluster = cluster();
    cluster.expect("owner", 3, in(cluster, 60), in(cluster, 600), 0.9);

    var before = decide(cluster);
    assertThat(before.kept()).isEmpty();
    assertThat(before.expected().values()).containsOnly(Outcome.FREE).hasSize(3);
    assertThat(before.places().keySet())
        .as("where they will be is known though nothing is kept")
        .isEqualTo(before.expected().keySet());
    assertThat(before.places().values()).allMatch(nodes -> nodes.size() == 1);

    cluster.now = in(cluster, 60);
    var then = decide(cluster);
    assertThat(then.kept()).hasSize(3);
    assertThat(then.kept().values()).doesNotHaveDuplicates().allMatch(cards -> cards.size() == 1);
    assertThat(then.expected().values()).containsOnly(Outcome.BOOKED);
    assertThat(then.steps()).isEmpty();
  }

  @Test
  void noticesRunOutWhenThePodsMayComeAndTheCardsAreKeptForThem() {
    var cluster = fullOfPods();
    cluster.expect("owner", 3, in(cluster, 100), in(cluster, 3600), 0.9);

    cluster.seconds(100 - GRACE_SECONDS);
    assertThat(notified(cluster)).isZero();
    cluster.seconds(1);
    assertThat(notified(cluster)).isEqualTo(3);
    cluster.seconds(GRACE_SECONDS - 2);
    assertThat(cluster.used("train")).isEqualTo(8);

    cluster.seconds(10);
    assertThat(cluster.used("train")).isEqualTo(5);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED).hasSize(3);
    cluster.seconds(600);
    assertThat(cluster.used("train")).as("their successors get none of these").isEqualTo(5);

    cluster.expected.clear();
    cluster.seconds(2);
    assertThat(cluster.used("train")).isEqualTo(8);
  }

  /** Of Jobs of two pods, the second card of one that leaves is for the next one. */
  @Test
  void noticesStayWhereTheyAreUntilTheyRunOut() {
    var cluster = cluster();
    IntStream.range(0, 4).forEach(_ -> cluster.job("train", 2, 1));
    cluster.schedule();
    for (int pod = 0; pod < 4; pod++) {
      cluster.expect("owner", pod + 1, in(cluster, 40), in(cluster, 3600), 0.9 - 0.1 * pod);
      cluster.expected.subList(pod, cluster.expected.size() - 1).clear();
    }

    cluster.seconds(30);

    assertThat(cluster.log).hasSize(4).allMatch(step -> step.startsWith("Notify"));
    cluster.seconds(40);
    assertThat(cluster.suspendedJobs()).hasSize(2);
    assertThat(cluster.used("train")).isEqualTo(4);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED).hasSize(4);
  }

  /** The order of writes is the same in every process. */
  @Test
  void needlessNoticesAreWithdrawnInTheOrderOfThePods() {
    var cluster =
        new SimulatedReclaim(2, 4)
            .queue("owner", 8, Mode.ACT, 100)
            .queue("train", 0, Mode.ACT, 100);
    IntStream.range(0, 8).forEach(_ -> cluster.pod("train", 1));
    cluster.schedule();
    cluster.expect("owner", 8, in(cluster, 20), in(cluster, 3600), 0.9);
    cluster.seconds(2);
    assertThat(notified(cluster)).isEqualTo(8);

    cluster.expected.subList(1, 8).clear();

    assertThat(decide(cluster).steps().stream().map(step -> ((Withdraw) step).uid()))
        .hasSize(7)
        .isSorted();
  }

  @Test
  void ofTwoJobsThatHaveNoticeOneKeepsItsCardsIfHalfIsNeeded() {
    var cluster = cluster();
    IntStream.range(0, 4).forEach(_ -> cluster.job("train", 2, 1));
    cluster.schedule();
    cluster.expect("owner", 4, in(cluster, 20), in(cluster, 3600), 0.9);
    cluster.seconds(2);
    assertThat(notified(cluster)).isEqualTo(4);

    cluster.expected.subList(2, 4).clear();
    cluster.seconds(2);

    assertThat(notified(cluster)).isEqualTo(2);
    assertThat(cluster.all().filter(pod -> pod.notice.isPresent()).map(pod -> pod.job).distinct())
        .hasSize(1);
  }

  /**
   * A Job of two cards costs 0.9 x 2.3 card-hours; a replica with 10 % is worth 2, and 0.9 idle.
   */
  @Test
  void ofAJobThatLeavesForTwoOnlyTheFirstIsCharged() {
    var cluster = cluster();
    IntStream.range(0, 4).forEach(_ -> cluster.job("train", 2, 1));
    cluster.schedule();
    cluster.expect("owner", 1, in(cluster, 40), in(cluster, 3640), 0.9);
    cluster.expect("owner", 2, in(cluster, 40), in(cluster, 3640), 0.1);
    cluster.expected.remove(1);

    cluster.seconds(20);

    assertThat(notified(cluster)).isEqualTo(2);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.ASKED).hasSize(2);
    cluster.expected.removeFirst();
    cluster.seconds(1);
    assertThat(notified(cluster)).as("alone it is not worth a Job").isZero();
  }

  @Test
  void whatIsNoLongerExpectedCostsNothing() {
    var cluster = fullOfPods();
    cluster.expect("owner", 3, in(cluster, 100), in(cluster, 3600), 0.9);
    cluster.seconds(100 - GRACE_SECONDS / 2);
    assertThat(notified(cluster)).isEqualTo(3);

    cluster.expected.removeLast();
    cluster.seconds(1);
    assertThat(notified(cluster)).isEqualTo(2);
    cluster.expected.clear();
    cluster.seconds(GRACE_SECONDS);

    assertThat(notified(cluster)).isZero();
    assertThat(cluster.used("train")).isEqualTo(8);
    assertThat(cluster.takings).isEmpty();
  }

  @Test
  void nothingIsKeptThatWouldCostMoreThanTheShortage() {
    var cluster = fullOfPods();
    cluster.end("train-000");
    cluster.expect("owner", 1, cluster.now, in(cluster, 3600), 0.04);

    var result = decide(cluster);

    assertThat(result.expected().values()).containsExactly(Outcome.NOT_WORTH);
    assertThat(result.kept()).isEmpty();
  }

  /** The guarantee, and half of what is beyond it. */
  @Test
  void noMoreIsAskedForThanTheQueueIsOwed() {
    var cluster = fullOfPods();
    cluster.expect("owner", 8, cluster.now, in(cluster, 3600), 0.9);

    var outcomes = decide(cluster).expected().values();

    assertThat(outcomes).containsOnly(Outcome.ASKED, Outcome.NOT_OWED);
    assertThat(outcomes).filteredOn(Outcome.NOT_OWED::equals).hasSize(2);
  }

  @Test
  void whereNothingMayBeTakenNodesAreMissing() {
    var cluster = cluster();
    cluster.policy("train", ReclaimPolicy.OFF);
    IntStream.range(0, 7).forEach(_ -> cluster.pod("train", 1));
    cluster.schedule();
    cluster.expect("owner", 3, cluster.now, in(cluster, 3600), 0.9);

    var result = decide(cluster);

    assertThat(result.kept()).hasSize(1);
    assertThat(result.expected().values())
        .containsExactlyInAnyOrder(Outcome.BOOKED, Outcome.NO_ROOM, Outcome.NO_ROOM);
  }

  /** A queue without limit that wants more than there is would be owed what is added. */
  @Test
  void beyondAllCardsNodesAreMissingAsLongAsTheQueueWouldBeOwedThem() {
    var alone = new SimulatedReclaim(1, 4).queue("owner", 0, Mode.ACT, 100);
    alone.expect("owner", 6, alone.now, in(alone, 3600), 0.9);

    assertThat(decide(alone).expected().values())
        .containsExactlyInAnyOrder(
            Outcome.BOOKED,
            Outcome.BOOKED,
            Outcome.BOOKED,
            Outcome.BOOKED,
            Outcome.NO_ROOM,
            Outcome.NO_ROOM);
    var beside = new SimulatedReclaim(1, 4).queue("owner", 0, Mode.ACT, 100);
    beside.queue("other", 4, Mode.OFF, 100);
    IntStream.range(0, 9).forEach(_ -> beside.pod("other", 1));
    beside.expect("owner", 6, beside.now, in(beside, 3600), 0.9);
    assertThat(decide(beside).expected().values())
        .as("half of what is added is owed to the pods that wait")
        .containsOnly(Outcome.NOT_OWED);
  }

  /**
   * All may use the cards until then, and nothing goes on where it would soon have to stop again.
   */
  @Test
  void suspendedWorkGoesOnUntilAPauseWouldCostAsMuchAsItGains() {
    var cluster = cluster();
    var job = cluster.job("train", 8, 1);
    cluster.jobOf(job).suspended = cluster.now;
    cluster.all().map(pod -> pod.uid).toList().forEach(cluster::end);
    cluster.expect("owner", 2, in(cluster, 1200), in(cluster, 3600), 0.9);

    cluster.now = in(cluster, 599);
    assertThat(decide(cluster).steps()).containsExactly(new Resume(job));

    cluster.now = in(cluster, 1);
    assertThat(decide(cluster).steps()).isEmpty();
  }

  @Test
  void aRestartedRoundDecidesTheSameFromWhatIsWritten() {
    var cluster = fullOfPods();
    cluster.expect("owner", 4, in(cluster, 40), in(cluster, 3600), 0.9);
    for (int second = 0; second < 120; second++) {
      cluster.second(1); // killed after each write
    }

    assertThat(cluster.takings).hasSize(4);
    assertThat(cluster.used("train")).isEqualTo(4);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED).hasSize(4);
  }

  @Test
  void claimsOfPodsThatWaitComeFirst() {
    var cluster = cluster();
    IntStream.range(0, 7).forEach(_ -> cluster.pod("train", 1));
    cluster.schedule();
    cluster.expect("owner", 1, cluster.now, in(cluster, 3600), 1);
    var claim = cluster.pod("owner", 1);

    var result = decide(cluster);

    assertThat(result.expected()).isEqualTo(Map.of("team/booking/0", Outcome.ASKED));
    assertThat(result.steps())
        .singleElement()
        .isInstanceOfSatisfying(
            Notify.class,
            step -> assertThat(step.notice().claim()).isEqualTo("team/booking/booking"));
    assertThat(result.kept()).doesNotContainKey(claim);
  }
}
