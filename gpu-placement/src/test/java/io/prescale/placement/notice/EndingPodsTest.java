package io.prescale.placement.notice;

import static io.prescale.placement.notice.ExpectedPodsTest.decide;
import static io.prescale.placement.notice.ExpectedPodsTest.in;
import static io.prescale.placement.notice.ExpectedPodsTest.notified;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where pods end by their own word before replicas come, no other work gets notice in vain. */
class EndingPodsTest {
  /** Eight cards, each with a pod; the first ones say in how many seconds they end. */
  private static SimulatedReclaim cluster(int... ends) {
    var cluster =
        new SimulatedReclaim(2, 4)
            .queue("owner", 4, Mode.ACT, 100)
            .queue("train", 0, Mode.ACT, 100);
    var pods = IntStream.range(0, 8).mapToObj(_ -> cluster.pod("train", 1)).toList();
    cluster.schedule();
    for (int pod = 0; pod < ends.length; pod++) {
      cluster.get(pods.get(pod)).end = Optional.of(in(cluster, ends[pod]));
    }
    return cluster;
  }

  @Test
  void theirCardsAreFreeByThenAndNoPodIsAsked() {
    var cluster = cluster(50, 99);
    cluster.expect("owner", 2, in(cluster, 100), in(cluster, 3600), 0.9);

    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.FREE).hasSize(2);
    assertThat(decide(cluster).kept()).isEmpty();
    cluster.seconds(90);
    assertThat(cluster.log).isEmpty();
    cluster.end("train-000");
    cluster.seconds(1);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED);
    assertThat(decide(cluster).kept()).hasSize(2);
    cluster.end("train-001");
    cluster.seconds(20);

    assertThat(cluster.log).isEmpty();
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED).hasSize(2);
  }

  @Test
  void onlyForTheOthersPodsAreAsked() {
    var cluster = cluster(50, 99, 101);
    cluster.expect("owner", 4, in(cluster, 100), in(cluster, 3600), 0.9);

    cluster.seconds(98);

    assertThat(notified(cluster)).isEqualTo(2);
    assertThat(decide(cluster).expected().values())
        .containsExactlyInAnyOrder(Outcome.BOOKED, Outcome.BOOKED, Outcome.ASKED, Outcome.ASKED);
  }

  /** The first replica comes before it ends, the second one after. */
  @Test
  void whoseEndIsTooLateForOneIsEarlyEnoughForTheNext() {
    var cluster = cluster(80);
    cluster.expect("owner", 1, in(cluster, 60), in(cluster, 3600), 0.9);
    cluster.expect("owner", 2, in(cluster, 90), in(cluster, 3600), 0.9);
    cluster.expected.remove(1);

    cluster.seconds(61);

    assertThat(cluster.takings).hasSize(1);
    assertThat(notified(cluster)).isZero();
    assertThat(cluster.has("train-000")).isTrue();
  }

  @Test
  void whoOutlivesItsWordIsAskedAsAnyOther() {
    var cluster = cluster(50);
    cluster.expect("owner", 1, in(cluster, 100), in(cluster, 3600), 0.9);

    cluster.seconds(51);
    assertThat(notified(cluster)).isZero();
    cluster.seconds(21);

    assertThat(notified(cluster)).as("in time, since its word was earlier than that").isEqualTo(1);
    cluster.seconds(30);
    assertThat(cluster.takings).hasSize(1);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED);
  }

  /** They are there until they end: nothing else may go on where they are. */
  @Test
  void theCardsOfThoseThatAreNotNeededAreNotFree() {
    var cluster = cluster(50, 60, 70);
    var job = cluster.job("train", 1, 1);
    cluster.jobOf(job).suspended = cluster.now;
    cluster.expect("owner", 1, in(cluster, 100), in(cluster, 3600), 0.9);

    cluster.seconds(40);

    assertThat(cluster.log).isEmpty();
  }
}
