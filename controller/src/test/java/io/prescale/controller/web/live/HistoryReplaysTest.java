package io.prescale.controller.web.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.prescale.controller.web.ReplaysView.Job;
import io.prescale.controller.web.ReplaysView.Started;
import io.prescale.controller.web.ReplaysView.State;
import io.prescale.controller.web.Savings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HistoryReplaysTest {
  private static final Instant MONDAY = Instant.parse("2026-11-02T00:00:00Z");
  private static final Duration FOUR_DAYS = Duration.ofDays(4);

  private volatile Instant now = MONDAY.plus(FOUR_DAYS);
  private volatile List<String> fleet = List.of("chat");
  private volatile boolean fleetIsKnown = true;
  private final AtomicInteger looks = new AtomicInteger();
  private final Histories histories = new Histories(MONDAY, () -> now);
  private final HistoryReplays replays =
      new HistoryReplays(
          HistoryReplaysTest::found,
          histories,
          this::look,
          this::fleet,
          new HistoryReplays.Pace(Duration.ofMillis(20), Duration.ofDays(1)));

  private static ReplaySubjects.Found found(String workload) {
    return switch (workload) {
      case "gone" -> new ReplaySubjects.Found.Nothing("There is no gone.");
      case "odd" -> new ReplaySubjects.Found.Subject(withoutSource(Histories.subject()));
      default -> new ReplaySubjects.Found.Subject(Histories.subject());
    };
  }

  /** One whose report cannot be written. */
  @SuppressWarnings("NullAway")
  private static ReplaySubject withoutSource(ReplaySubject it) {
    return new ReplaySubject(
        it.metrics(),
        it.settings(),
        it.caution(),
        it.forecast(),
        it.schedules(),
        it.cardsPerReplica(),
        null);
  }

  private Instant look() {
    looks.incrementAndGet();
    return now;
  }

  private List<String> fleet() {
    if (!fleetIsKnown) {
      throw new IllegalStateException("not known yet");
    }
    return fleet;
  }

  /** Each round looks at the clock first. */
  private void awaitRounds() {
    int before = looks.get();
    await().until(() -> looks.get() >= before + 3);
  }

  @AfterEach
  void close() {
    replays.close();
  }

  private Savings savings(Predicate<Savings> wanted) {
    return await().atMost(Duration.ofMinutes(2)).until(replays::savings, wanted);
  }

  @Test
  void replaysTheFleetByItselfAndAddsItUp() {
    fleet = List.of("chat", "gone");
    assertThat(replays.savings().counted()).isZero();

    replays.keepUp();
    var saved = savings(it -> it.counted() == 1 && it.failed() == 1);

    assertThat(saved.workloads()).isEqualTo(2);
    assertThat(saved.partOfAWeek()).as("of four days, two are scored").isEqualTo(1);
    assertThat(saved.reactive().replicaHours()).as("48 h with 12 or 25").isBetween(700.0, 900.0);
    assertThat(saved.reactive().overloadedMinutes()).as("at 8 o'clock, twice").isPositive();
    assertThat(saved.prescale().cardHours()).isEqualTo(2 * saved.prescale().replicaHours());
    assertThat(replays.newest("chat")).as("what a person asked for").isEmpty();
    assertThat(replays.newest("gone"))
        .as("what failed")
        .contains(Job.unfinished("gone", State.FAILED, 0, "There is no gone.", ""));
  }

  @Test
  void lessThanThreeDaysGiveNoVerdict() {
    now = MONDAY.plus(Duration.ofDays(2));

    replays.keepUp();

    assertThat(savings(it -> it.tooShort() == 1).counted()).isZero();
  }

  @Test
  void replaysAgainAfterADayAndNotBefore() {
    replays.keepUp();
    savings(it -> it.counted() == 1);
    now = now.plus(Duration.ofHours(23));
    fleet = List.of("chat", "speech");
    savings(it -> it.counted() == 2);
    assertThat(histories.asked()).as("two metrics each, once").isEqualTo(4);

    now = now.plus(Duration.ofHours(1));
    await().atMost(Duration.ofMinutes(2)).until(() -> histories.asked() == 6);
  }

  @Test
  void aWeekThatIsKnownStandsForTwoDaysWhileItCannotBeReplayedAgain() {
    replays.keepUp();
    var known = savings(it -> it.counted() == 1);
    histories.fail();
    now = now.plus(Duration.ofDays(1));
    replays.savings();
    await().until(() -> histories.asked() == 3);

    now = now.plus(Duration.ofHours(1));
    await().until(() -> histories.asked() == 4); // after the third failed
    assertThat(replays.savings()).isEqualTo(known);
    assertThat(replays.newest("chat")).isEmpty();

    now = now.plus(Duration.ofHours(23));
    assertThat(replays.savings().counted()).isZero();
    assertThat(replays.savings().failed()).isEqualTo(1);
    assertThat(replays.newest("chat").orElseThrow().problem()).isEqualTo("Prometheus is away.");
  }

  @Test
  void nothingIsReplayedThatHasNotBeenLookedAtForADay() {
    replays.keepUp();
    awaitRounds();
    assertThat(histories.asked()).isZero();

    savings(it -> it.counted() == 1);
    now = now.plus(Duration.ofDays(1));
    awaitRounds();
    assertThat(histories.asked()).as("two metrics, once").isEqualTo(2);

    replays.savings();
    await().until(() -> histories.asked() > 2);
    fleet = List.of();
    assertThat(replays.savings().counted()).as("of workloads that are there").isZero();
  }

  @Test
  void roundsGoOnAfterOneThatBroke() {
    replays.savings();
    fleetIsKnown = false;
    replays.keepUp();
    awaitRounds();

    fleetIsKnown = true;
    savings(it -> it.counted() == 1);
  }

  @Test
  void aReportThatCannotBeWrittenEndsItsReplay() {
    replays.start("odd");

    var job =
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> replays.newest("odd").orElseThrow(), it -> it.state() != State.RUNNING);

    assertThat(job.problem())
        .isEqualTo("The report cannot be written; the log of this replica says why.");
    assertThat(replays.start("chat")).isInstanceOf(Started.Running.class);
  }

  @Test
  void aPersonsReplayIsShownWithItsReportAndCounts() {
    assertThat(replays.start("gone")).isEqualTo(new Started.Refused("There is no gone."));
    assertThat(replays.start("chat")).isInstanceOf(Started.Running.class);
    assertThat(replays.start("speech"))
        .isEqualTo(new Started.Refused("A replay of chat is running; only one runs at a time."));

    var job =
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> replays.newest("chat").orElseThrow(), it -> it.state() != State.RUNNING);

    assertThat(job.history()).startsWith("A history of 4 days shows the daily pattern");
    assertThat(job.rows()).extracting("policy").contains("Prescale", "clairvoyant");
    assertThat(job.rows().getFirst().scaleEventsPerDay()).isGreaterThanOrEqualTo(2);
    assertThat(replays.report("chat").orElseThrow()).contains("It scaled ");
    assertThat(replays.savings().counted()).isEqualTo(1);
  }

  @Test
  void saysWhyAReplayFailed() {
    histories.fail();
    replays.start("chat");

    await()
        .untilAsserted(
            () ->
                assertThat(replays.newest("chat"))
                    .contains(Job.unfinished("chat", State.FAILED, 0, "Prometheus is away.", "")));
  }
}
