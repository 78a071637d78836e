package io.prescale.placement.notice;

import static io.prescale.placement.notice.ExpectedPodsTest.decide;
import static io.prescale.placement.notice.ExpectedPodsTest.in;
import static io.prescale.placement.notice.ExpectedPodsTest.notified;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.ReclaimStep.Notify;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Places for what is expected are searched for in turn, a few in each round. */
class ExpectedSearchesTest {
  private static final int GRACE_SECONDS = (int) SimulatedReclaim.GRACE.toSeconds();

  /** Two nodes with four cards each, which nothing may be taken of. */
  private static SimulatedReclaim fullOfPods() {
    var cluster =
        new SimulatedReclaim(2, 4)
            .queue("owner", 4, Mode.ACT, 100)
            .queue("train", 0, Mode.OFF, 100);
    IntStream.range(0, 8).forEach(_ -> cluster.pod("train", 1));
    cluster.schedule();
    return cluster;
  }

  /** Of thirty bookings without room, each of another shape, half of the searches go round. */
  @Test
  void noneOfManyThatHaveNoRoomWaitsForEverToBeSearchedFor() {
    var cluster = fullOfPods();
    var searched = new HashSet<String>();
    for (int booking = 10; booking < 40; booking++) {
      cluster.expectAlone("owner", "team/b" + booking, 1 + booking % 4, in(cluster, 3600));
    }

    for (int second = 0; second < 30; second++) {
      var outcomes = decide(cluster).expected();
      assertThat(outcomes).hasSize(30);
      outcomes.forEach(
          (claim, outcome) -> {
            if (outcome != Outcome.NOT_SEARCHED) {
              searched.add(claim);
            }
          });
      cluster.now = in(cluster, 1);
    }

    assertThat(searched).hasSize(30);
  }

  @Test
  void aRoundSearchesForVictimsOfTenAtMost() {
    var cluster = new SimulatedReclaim(40, 4).queue("train", 0, Mode.ACT, 1000);
    cluster.queue("owner", 100, Mode.ACT, 1000);
    IntStream.range(0, 160).forEach(_ -> cluster.pod("train", 1));
    cluster.schedule();
    cluster.expect("owner", 100, cluster.now, in(cluster, 36_000), 0.9);

    assertThat(decide(cluster).steps()).hasSize(10).allMatch(Notify.class::isInstance);
    cluster.seconds(30);
    assertThat(notified(cluster)).isEqualTo(100);
    cluster.seconds(GRACE_SECONDS + 10);
    assertThat(cluster.used("train")).isEqualTo(60);
    assertThat(List.copyOf(cluster.kept.values())).hasSize(100);
  }

  /** Otherwise each round would withdraw the notice that the last one gave. */
  @Test
  void whichBookingGetsTheFreeCardDoesNotDependOnWhoseNoticeIsGiven() {
    var cluster =
        new SimulatedReclaim(2, 4)
            .queue("owner", 4, Mode.ACT, 100)
            .queue("train", 0, Mode.ACT, 100);
    IntStream.range(0, 7).forEach(_ -> cluster.pod("train", 1));
    cluster.schedule();
    cluster.expect("owner", 1, in(cluster, 25), in(cluster, 3600), 0.9);
    var first = cluster.expected.getFirst();
    var claim = first.claim();
    var other =
        new Claimant(
            "team/other/0",
            claim.queue(),
            Set.of(),
            claim.shapes(),
            claim.milli(),
            claim.nodes(),
            0,
            claim.since());
    cluster.expected.add(
        new Expectation("team/other", other, first.from(), first.until(), 0.8, first.price()));

    var given = decide(cluster);
    assertThat(given.steps()).hasSize(1).first().isInstanceOf(Notify.class);
    assertThat(given.expected())
        .containsEntry(claim.key(), Outcome.BOOKED)
        .containsEntry(other.key(), Outcome.ASKED);

    cluster.round(Integer.MAX_VALUE);
    cluster.now = in(cluster, 1);
    var then = decide(cluster);
    assertThat(then.steps()).isEmpty();
    assertThat(then.expected()).isEqualTo(given.expected());
  }
}
