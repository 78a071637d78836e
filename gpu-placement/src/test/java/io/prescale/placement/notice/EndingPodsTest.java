package io.prescale.placement.notice;

import static io.prescale.placement.notice.ExpectedPodsTest.decide;
import static io.prescale.placement.notice.ExpectedPodsTest.in;
import static io.prescale.placement.notice.ExpectedPodsTest.notified;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where pods end by their own word before replicas come, no other work gets notice in vain. */
class EndingPodsTest {
  /** Eight cards, each with a pod; the last ones say in how many seconds they end. */
  private static SimulatedReclaim cluster(int... ends) {
    var cluster =
        new SimulatedReclaim(2, 4)
            .queue("owner", 4, Mode.ACT, 100)
            .queue("train", 0, Mode.ACT, 100);
    var pods = IntStream.range(0, 8).mapToObj(_ -> cluster.pod("train", 1)).toList();
    cluster.schedule();
    for (int pod = 0; pod < ends.length; pod++) {
      cluster.get(pods.get(7 - pod)).end = Optional.of(in(cluster, ends[pod]));
    }
    return cluster;
  }

  /** Lets time pass in which pods keep their word. */
  private static void pass(SimulatedReclaim cluster, int seconds) {
    for (int second = 0; second < seconds; second++) {
      cluster
          .all()
          .filter(pod -> pod.end.filter(end -> !end.isAfter(cluster.now)).isPresent())
          .map(pod -> pod.uid)
          .toList()
          .forEach(cluster::end);
      cluster.second(Integer.MAX_VALUE);
    }
  }

  @Test
  void theirCardsAreFreeByThenAndNoPodIsAsked() {
    var cluster = cluster(50, 99);
    cluster.expect("owner", 2, in(cluster, 100), in(cluster, 3600), 0.9);

    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.FREE).hasSize(2);
    assertThat(decide(cluster).kept()).isEmpty();
    pass(cluster, 71);
    assertThat(cluster.used("train")).isEqualTo(7);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED);
    assertThat(decide(cluster).kept()).hasSize(2);
    pass(cluster, 40);

    assertThat(cluster.used("train")).isEqualTo(6);
    assertThat(cluster.log).isEmpty();
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED).hasSize(2);
  }

  /** In whatever order they are reported: a round decides the same in every process. */
  @Test
  void theyCountInTheOrderOfTheirNames() {
    var view = cluster(50, 50, 50, 50, 50, 50, 50, 50).view();

    assertThat(view.holders().keySet()).hasSize(8);
    assertThat(List.copyOf(view.holders().keySet())).isSorted();
    assertThat(view.holders().values().stream().map(CardHolder::uid)).isSorted();
  }

  @Test
  void onlyForTheOthersPodsAreAsked() {
    var cluster = cluster(50, 99, 101);
    cluster.expect("owner", 4, in(cluster, 100), in(cluster, 3600), 0.9);

    pass(cluster, 98);

    assertThat(notified(cluster)).isEqualTo(2);
    assertThat(decide(cluster).expected().values())
        .containsExactlyInAnyOrder(Outcome.BOOKED, Outcome.BOOKED, Outcome.ASKED, Outcome.ASKED);
  }

  /** The first replica comes before it ends, the second one after. */
  @Test
  void anEndThatIsTooLateForOneReplicaIsEarlyEnoughForTheNext() {
    var cluster = cluster(80);
    cluster.expect("owner", 1, in(cluster, 60), in(cluster, 3600), 0.9);
    cluster.expect("owner", 2, in(cluster, 90), in(cluster, 3600), 0.9);
    cluster.expected.remove(1);

    pass(cluster, 61);

    assertThat(cluster.takings).hasSize(1);
    assertThat(notified(cluster)).isZero();
    assertThat(cluster.has("train-007")).isTrue();
    pass(cluster, 60);
    assertThat(cluster.takings).hasSize(1);
    assertThat(decide(cluster).expected().values()).containsOnly(Outcome.BOOKED).hasSize(2);
  }

  @Test
  void aPodThatOutlivesItsWordIsAskedAsAnyOther() {
    var cluster = cluster(50);
    cluster.expect("owner", 1, in(cluster, 100), in(cluster, 3600), 0.9);

    cluster.seconds(71);

    assertThat(notified(cluster)).as("in time, since its word was earlier than that").isEqualTo(1);
    cluster.seconds(31);
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

    pass(cluster, 40);

    assertThat(cluster.log).isEmpty();
  }

  @Test
  void theOtherCardsOfOneThatIsNeededInPartAreNotFree() {
    var cluster =
        new SimulatedReclaim(1, 4)
            .queue("owner", 4, Mode.ACT, 100)
            .queue("train", 0, Mode.ACT, 100);
    var wide = cluster.pod("train", 4);
    cluster.schedule();
    cluster.get(wide).end = Optional.of(in(cluster, 50));
    var job = cluster.job("train", 1, 1);
    cluster.jobOf(job).suspended = cluster.now;
    cluster.expect("owner", 1, in(cluster, 100), in(cluster, 3600), 0.9);

    pass(cluster, 40);

    assertThat(cluster.log).isEmpty();
  }
}
