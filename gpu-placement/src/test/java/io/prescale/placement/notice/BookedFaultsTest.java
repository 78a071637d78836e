package io.prescale.placement.notice;

import static io.prescale.placement.notice.ExpectedPodsTest.decide;
import static io.prescale.placement.notice.ExpectedPodsTest.in;
import static io.prescale.placement.notice.ExpectedPodsTest.notified;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What fails around a peak that is booked: nothing stays paused for ever, nothing is taken twice,
 * which {@link SimulatedReclaim} checks at every taking, and no notice outlives its reason.
 */
class BookedFaultsTest {
  private static final int GRACE_SECONDS = (int) SimulatedReclaim.GRACE.toSeconds();

  /** Four Jobs of two cards each on two nodes, of which the owner is guaranteed four. */
  private final SimulatedReclaim cluster =
      new SimulatedReclaim(2, 4).queue("owner", 4, Mode.ACT, 100).queue("train", 0, Mode.ACT, 100);

  private void fourJobs() {
    IntStream.range(0, 4).forEach(_ -> cluster.job("train", 2, 1));
    cluster.schedule();
  }

  /** Four replicas from the given second on, for an hour at most. */
  private void peakIn(int seconds) {
    cluster.expect("owner", 4, in(cluster, seconds), in(cluster, seconds + 3600), 0.9);
  }

  private void peakIsOver(int writes) {
    cluster.expected.clear();
    IntStream.range(0, 20).forEach(_ -> cluster.second(writes));
    assertThat(cluster.suspendedJobs()).isEmpty();
    assertThat(cluster.used("train")).isEqualTo(8);
    assertThat(notified(cluster)).isZero();
    cluster.verifyNotices();
  }

  /** Also between notice and pause, and between pause and resumption. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void anExecutorThatIsKilledAfterSoManyWritesPausesAndResumesTheSame(int writes) {
    fourJobs();
    peakIn(40);
    IntStream.range(0, 100).forEach(_ -> cluster.second(writes));

    assertThat(cluster.suspendedJobs()).hasSize(2);
    assertThat(cluster.takings).hasSize(4);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED).hasSize(4);
    peakIsOver(writes);
    assertThat(cluster.takings).hasSize(4);
  }

  /** Each second is one in which nothing can be written; the notice has run out meanwhile. */
  @Test
  void anApiServerThatIsAwayAtThePeakDelaysThePauseAndChangesNothingElse() {
    fourJobs();
    peakIn(40);
    cluster.seconds(20);
    assertThat(notified(cluster)).isEqualTo(4);

    IntStream.range(0, 60).forEach(_ -> cluster.second(0));
    assertThat(cluster.suspendedJobs()).isEmpty();
    assertThat(decide(cluster).kept()).as("nothing else gets the cards").hasSize(4);

    cluster.seconds(2);
    assertThat(cluster.suspendedJobs()).hasSize(2);
    assertThat(cluster.takings).hasSize(4);
    IntStream.range(0, 60).forEach(_ -> cluster.second(0));
    peakIsOver(Integer.MAX_VALUE);
  }

  /** The API server was away for all of the peak. */
  @Test
  void aPeakThatPassedWhileNothingCouldBeWrittenTakesNothing() {
    fourJobs();
    peakIn(40);
    cluster.seconds(20);
    IntStream.range(0, 100).forEach(_ -> cluster.second(0));

    peakIsOver(Integer.MAX_VALUE);
    assertThat(cluster.takings).isEmpty();
  }

  /** It is paused when its notice has run out, and nothing more is taken while its pods end. */
  @Test
  void forAJobThatIgnoresItsNoticeAndDoesNotEndNoOtherIsTaken() {
    fourJobs();
    peakIn(40);
    cluster.seconds(20);
    cluster.all().filter(pod -> pod.notice.isPresent()).forEach(pod -> cluster.stays.add(pod.uid));

    cluster.seconds(80);
    assertThat(cluster.takings).hasSize(4);
    assertThat(cluster.suspendedJobs()).hasSize(2);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.ASKED).hasSize(4);

    cluster.stays.clear();
    cluster.seconds(2);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED).hasSize(4);
    assertThat(cluster.takings).hasSize(4);
    peakIsOver(Integer.MAX_VALUE);
  }

  /** Of the four places that are left, those for the booking are freed with notice of their own. */
  @ParameterizedTest
  @ValueSource(ints = {20, 60})
  void aBookedNodeThatDiesIsReplacedByTheOtherWithNoticeAndNothingIsBookedTwice(int seconds) {
    cluster.expect("owner", 2, in(cluster, 40), in(cluster, 3600), 0.9);
    fourJobs();
    cluster.seconds(seconds);
    var booked = decide(cluster).places().values().iterator().next().iterator().next();
    cluster.die(booked);

    cluster.seconds(GRACE_SECONDS + 50);

    var result = decide(cluster);
    assertThat(result.expected().values()).containsOnly(Outcome.BOOKED).hasSize(2);
    assertThat(result.places().values())
        .allSatisfy(nodes -> assertThat(nodes).doesNotContain(booked));
    assertThat(result.kept().values()).doesNotHaveDuplicates();
    assertThat(cluster.used("train")).isEqualTo(2);
    assertThat(notified(cluster)).isZero();

    cluster.expected.clear();
    cluster.seconds(20);
    assertThat(cluster.used("train")).isEqualTo(4);
    assertThat(cluster.suspendedJobs().size() * 2 + 4 + waiting()).isEqualTo(8);
  }

  private int waiting() {
    return (int) cluster.all().filter(pod -> !pod.holds()).count();
  }

  /** When the breaker opens, the leader empties the booking: in the notice, or in the pause. */
  @ParameterizedTest
  @ValueSource(ints = {30, 70})
  void aForecastThatIsNotTrustedAnyMoreGivesAllBack(int seconds) {
    fourJobs();
    peakIn(40);
    cluster.seconds(seconds);

    peakIsOver(Integer.MAX_VALUE);
    assertThat(cluster.takings).hasSize(seconds < 40 ? 0 : 4);
  }
}
