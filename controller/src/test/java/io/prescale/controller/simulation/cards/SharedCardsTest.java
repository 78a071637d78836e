package io.prescale.controller.simulation.cards;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.simulation.cards.SharedCards.Happened;
import io.prescale.controller.simulation.cards.SharedCards.Happened.What;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.Booking.Need;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedCardsTest {
  private static final Duration SECONDS = Duration.ofSeconds(15);
  private static final PodTemplate SERVICE =
      new PodTemplate("models", "chat", "serving", Map.of("nvidia.com/gpu", 1L), Map.of());

  private final CardScheduler scheduler =
      new CardScheduler(
          List.of(Nodes.a100("n0", 8)),
          List.of(
              new QueueEntry("serving", Optional.empty(), Quota.train(8000, 1)),
              new QueueEntry("training", Optional.empty(), Quota.train(0, 1))));
  private final SharedCards shared =
      new SharedCards(
          scheduler, Map.of("training", new ReclaimPolicy(Mode.ACT, Duration.ofMinutes(10), 1000)));
  private final PausableJob one = job("one");
  private final PausableJob two = job("two");
  private Instant now = Instant.parse("2026-01-05T08:00:00Z");

  private static PausableJob job(String name) {
    return new PausableJob(
        new PodTemplate("research", name, "training", Map.of("nvidia.com/gpu", 4L), Map.of()),
        1,
        4,
        Duration.ofHours(100));
  }

  private void pass(Duration time) {
    for (var end = now.plus(time); now.isBefore(end); now = now.plus(SECONDS)) {
      shared.round(now);
      shared.pass(SECONDS);
    }
  }

  private List<String> happened() {
    return shared.happened().stream().map(SharedCardsTest::text).toList();
  }

  private static String text(Happened it) {
    return "%s %s %s".formatted(it.at().toString().substring(11, 19), it.what(), it.job().name());
  }

  private void submitBoth() {
    shared.submit(one, now);
    shared.submit(two, now);
    pass(Duration.ofMinutes(30));
    assertThat(shared.isRunning(one)).isTrue();
    assertThat(shared.isRunning(two)).isTrue();
  }

  private void replica(int number) {
    scheduler.create(List.of(SERVICE.pod("chat-" + number, Optional.empty(), now)), now);
  }

  private Booking booking(int replicas) {
    var need =
        new Need(
            Instant.parse("2026-01-05T09:00:00Z"),
            Instant.parse("2026-01-05T11:00:00Z"),
            replicas,
            0.9);
    return new Booking(
        "models/chat",
        SERVICE.selector(),
        SERVICE.pod("chat", Optional.empty(), Instant.EPOCH),
        Set.of("n0"),
        List.of(need),
        100);
  }

  @Test
  void aReplicaThatWaitsHasItsCardWhenTheNoticeHasRunOut() {
    submitBoth();

    replica(0);
    assertThat(scheduler.nodeOf("chat-0")).isEmpty();
    pass(Duration.ofMinutes(9));
    assertThat(scheduler.nodeOf("chat-0")).isEmpty();
    pass(Duration.ofMinutes(2));

    assertThat(scheduler.nodeOf("chat-0")).contains("n0");
    assertThat(happened()).hasSize(2).first().asString().matches("08:30:00 NOTIFIED (one|two)");
  }

  @Test
  void bookedReplicasBindWhenTheyAreCreatedAndTheJobGoesOnAfterThem() {
    submitBoth();
    shared.book(List.of(booking(3)));
    pass(Duration.ofMinutes(30));

    assertThat(happened()).satisfiesExactly(it -> assertThat(it).startsWith("08:50:00 NOTIFIED"));
    pass(Duration.ofMinutes(1));
    assertThat(happened()).satisfiesExactly(it -> assertThat(it).startsWith("09:00:00 SUSPENDED"));
    IntStream.range(0, 3).forEach(this::replica);
    assertThat(IntStream.range(0, 3).mapToObj(i -> scheduler.nodeOf("chat-" + i)))
        .allMatch(Optional::isPresent);

    IntStream.range(0, 3).forEach(i -> scheduler.delete("chat-" + i));
    shared.book(List.of());
    pass(Duration.ofMinutes(1));

    assertThat(happened()).hasSize(1).first().asString().contains(What.RESUMED.name());
    assertThat(shared.lost()).isZero();
  }

  @Test
  void aBookingThatIsWithdrawnInTimeCostsNothing() {
    submitBoth();
    shared.book(List.of(booking(3)));
    pass(Duration.ofMinutes(25));
    shared.book(List.of());
    pass(Duration.ofMinutes(60));

    assertThat(happened()).hasSize(2).last().asString().contains("08:55:00 WITHDRAWN");
    assertThat(shared.work()).isEqualTo(Duration.ofMinutes(8 * (30 + 25 + 60 - 5)));
  }

  @Test
  void noJobGoesOnForTheFewMinutesUntilItsCardsAreNeeded() {
    submitBoth();
    shared.book(List.of(booking(3)));
    replica(0);
    pass(Duration.ofMinutes(21));
    scheduler.delete("chat-0");
    pass(Duration.ofMinutes(4));

    // 08:55: the Job that was paused for the replica has its cards free, and stays paused.
    assertThat(List.of(one, two)).filteredOn(it -> it.suspended().isPresent()).hasSize(1);
    pass(Duration.ofMinutes(40));
    assertThat(happened()).noneMatch(it -> it.contains("RESUMED"));
  }

  @Test
  void aFailedCardCostsTheWorkSinceTheLastCheckpoint() {
    submitBoth();
    shared.failed(one, now);

    assertThat(shared.lost()).isEqualTo(Duration.ofMinutes(4 * 25));
    assertThat(shared.isRunning(one)).isTrue();
  }
}
