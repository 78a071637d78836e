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
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HistoryReplaysTest {
  private static final Instant MONDAY = Instant.parse("2026-11-02T00:00:00Z");
  private static final Duration FOUR_DAYS = Duration.ofDays(4);

  private volatile Instant now = MONDAY.plus(FOUR_DAYS);
  private volatile List<String> fleet = List.of("chat");
  private final Histories histories = new Histories(MONDAY, () -> now);
  private final HistoryReplays replays =
      new HistoryReplays(
          workload ->
              workload.equals("gone")
                  ? new ReplaySubjects.Found.Nothing("There is no gone.")
                  : new ReplaySubjects.Found.Subject(Histories.subject()),
          histories,
          () -> now,
          () -> fleet,
          new HistoryReplays.Pace(Duration.ofMillis(20), Duration.ofDays(1)));

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
    assertThat(saved.reactive().replicaHours()).as("48 h with 12 or 25").isBetween(700.0, 900.0);
    assertThat(saved.reactive().overloadedMinutes()).as("at 8 o'clock, twice").isPositive();
    assertThat(saved.prescale().cardHours()).isEqualTo(2 * saved.prescale().replicaHours());
    assertThat(replays.newest("chat")).as("what a person asked for").isEmpty();
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
  void aWeekThatIsKnownStandsWhileItCannotBeReplayedAgain() {
    replays.keepUp();
    var known = savings(it -> it.counted() == 1);

    histories.fail();
    now = now.plus(Duration.ofDays(1));

    await().until(() -> histories.asked() == 3);
    assertThat(replays.savings()).isEqualTo(known);
    fleet = List.of();
    assertThat(replays.savings().counted()).as("of workloads that are there").isZero();
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
