package io.prescale.placement.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Workloads that declare a minimum are scaled down to what leaves a claim its room, and up again.
 */
class ElasticWorkloadsTest {
  private static final int GRACE_SECONDS = (int) SimulatedReclaim.GRACE.toSeconds();

  private static SimulatedReclaim lent(int nodes) {
    return new SimulatedReclaim(nodes, 4)
        .queue("owner", 4, Mode.ACT, 100)
        .queue("train", 0, Mode.ACT, 100);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void oneGivesAsManyPodsAsTheClaimNeedsAndHasThemBackWhenItEnds(int cards) {
    var cluster = lent(1);
    var name = cluster.elastic("train", 4, 1);
    cluster.schedule();
    var claim = cluster.pod("owner", cards);

    cluster.seconds(GRACE_SECONDS);
    assertThat(cluster.used("train")).isEqualTo(4);
    cluster.seconds(5);
    assertThat(cluster.get(claim).holds()).isTrue();
    assertThat(cluster.used("train")).isEqualTo(4 - cards);
    assertThat(cluster.jobOf(name).replicas).isEqualTo(4 - cards);
    cluster.seconds(60);
    assertThat(cluster.suspendedJobs()).as("there is no room").containsExactly(name);

    cluster.end(claim);
    cluster.seconds(3);

    assertThat(cluster.suspendedJobs()).isEmpty();
    assertThat(cluster.used("train")).isEqualTo(4);
    assertThat(cluster.log).filteredOn(step -> step.startsWith("Shrink")).hasSize(1);
  }

  /** All four cards are owed to the owner, and three of them could be had. */
  @Test
  void itsMinimumIsNeverTaken() {
    var cluster = lent(1);
    cluster.elastic("train", 4, 1);
    cluster.schedule();
    cluster.pod("owner", 4);

    cluster.seconds(3 * GRACE_SECONDS);

    assertThat(cluster.log).isEmpty();
    assertThat(cluster.used("train")).isEqualTo(4);
  }

  /** Two nodes of four cards; the claim needs a whole one. */
  @ParameterizedTest
  @CsvSource({"0, 4", "2, 4", "4, 4", "5, 0"})
  void itGivesAWholeNodeIfItsMinimumIsOnTheOther(int minimum, int given) {
    var cluster = lent(2);
    cluster.elastic("train", 8, minimum);
    cluster.schedule();
    var claim = cluster.pod("owner", 4);

    cluster.seconds(2 * GRACE_SECONDS);

    assertThat(cluster.get(claim).holds()).isEqualTo(given > 0);
    assertThat(cluster.used("train")).isEqualTo(8 - given);
  }

  @Test
  void oneThatWasTakenFromTwiceHasAllBackAtOnce() {
    var cluster = lent(1);
    var name = cluster.elastic("train", 4, 1);
    cluster.schedule();
    var first = cluster.pod("owner", 1);
    cluster.seconds(GRACE_SECONDS + 5);
    var second = cluster.pod("owner", 2);
    cluster.seconds(GRACE_SECONDS + 5);
    assertThat(cluster.used("train")).isEqualTo(1);
    assertThat(cluster.jobOf(name).replicas).isEqualTo(1);

    cluster.end(first);
    cluster.seconds(5);
    assertThat(cluster.used("train")).as("room for one of three").isEqualTo(1);
    cluster.end(second);
    cluster.seconds(5);

    assertThat(cluster.used("train")).isEqualTo(4);
  }

  /** Each time after as many writes as that, and then goes on with what is written. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void anExtenderThatIsKilledBetweenTwoWritesTakesNothingTwice(int writes) {
    var cluster = lent(2);
    cluster.elastic("train", 4, 1);
    cluster.elastic("train", 4, 2);
    cluster.schedule();
    var claim = cluster.pod("owner", 4);
    IntStream.range(0, GRACE_SECONDS + 10)
        .forEach(second -> cluster.second(second % 2 == 0 ? writes : Integer.MAX_VALUE));

    assertThat(cluster.get(claim).holds()).isFalse();
    assertThat(cluster.used("train")).isEqualTo(8);

    cluster.end(claim);
    var smaller = cluster.pod("owner", 3);
    IntStream.range(0, GRACE_SECONDS + 10)
        .forEach(second -> cluster.second(second % 2 == 0 ? writes : Integer.MAX_VALUE));
    assertThat(cluster.get(smaller).holds()).isTrue();
    assertThat(cluster.used("train")).isEqualTo(5);
    cluster.end(smaller);
    cluster.seconds(5);
    assertThat(cluster.used("train")).isEqualTo(8);
    cluster.verifyNotices();
  }
}
