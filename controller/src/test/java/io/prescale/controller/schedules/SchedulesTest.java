package io.prescale.controller.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.schedules.ReplicaBounds.Bound;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SchedulesTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Duration LEAD = Duration.ofMinutes(5);
  private static final Duration AT_ONCE = Duration.ZERO;

  @Test
  void aFloorBeginsOneLeadTimeBeforeItsWindowAndEndsWithIt() {
    var office = new Schedules(List.of(floor("office", "0 8 * * 1-5", "0 20 * * 1-5", 10)));

    assertThat(floorAt(office, "2026-03-02T06:54:59Z", LEAD)).isEmpty();
    assertThat(floorAt(office, "2026-03-02T06:55:00Z", LEAD)).hasValue(10); // Monday, 07:55
    assertThat(floorAt(office, "2026-03-02T18:59:59Z", LEAD)).hasValue(10);
    assertThat(floorAt(office, "2026-03-02T19:00:00Z", LEAD)).isEmpty();
    assertThat(floorAt(office, "2026-03-07T12:00:00Z", LEAD)).isEmpty(); // Saturday
  }

  @Test
  void aWindowLastsFromItsStartUntilTheNextEndHoweverOftenThatComes() {
    var mondays = new Schedules(List.of(floor("mondays", "0 8 * * 1", "0 20 * * *", 10)));

    assertThat(floorAt(mondays, "2026-03-02T12:00:00Z", AT_ONCE)).hasValue(10);
    assertThat(floorAt(mondays, "2026-03-03T12:00:00Z", AT_ONCE)).isEmpty(); // Tuesday
  }

  @Test
  void aWindowMayPassMidnightAndTheEndOfTheYear() {
    var nights = new Schedules(List.of(floor("nights", "0 22 * * *", "0 6 * * *", 3)));
    var holidays = new Schedules(List.of(floor("holidays", "0 0 24 12 *", "0 0 2 1 *", 1)));

    assertThat(floorAt(nights, "2026-03-02T23:30:00Z", AT_ONCE)).hasValue(3);
    assertThat(floorAt(nights, "2026-03-02T12:00:00Z", AT_ONCE)).isEmpty();
    assertThat(floorAt(holidays, "2027-01-01T12:00:00Z", AT_ONCE)).hasValue(1);
    assertThat(floorAt(holidays, "2027-01-02T12:00:00Z", AT_ONCE)).isEmpty();
  }

  @Test
  void theHighestFloorAndTheLowestCeilingCountAndAFloorPrevails() {
    var schedules =
        new Schedules(
            List.of(
                floor("day", "0 8 * * *", "0 20 * * *", 10),
                floor("noon", "0 11 * * *", "0 13 * * *", 20),
                ceiling("budget", "0 0 * * *", "0 12 * * *", 15)));

    var morning = schedules.boundsAt(Instant.parse("2026-03-02T08:00:00Z"), LEAD);
    var noon = schedules.boundsAt(Instant.parse("2026-03-02T10:30:00Z"), LEAD);

    assertThat(morning.floor()).contains(new Bound("day", 10));
    assertThat(morning.ceiling()).contains(new Bound("budget", 15));
    assertThat(noon.floor()).contains(new Bound("noon", 20));
    assertThat(noon.ceiling()).contains(new Bound("noon", 20));
  }

  /** At 02:00 on 2026-03-29 clocks in Berlin are put to 03:00. */
  @Test
  void whenClocksArePutForwardASkippedTimeCountsAsIfTheyWereNot() {
    var skipped = new Schedules(List.of(floor("a", "30 2 * * *", "0 6 * * *", 5)));
    var morning = new Schedules(List.of(floor("b", "0 8 * * *", "0 20 * * *", 5)));
    var untilSkipped = new Schedules(List.of(floor("c", "0 22 * * *", "30 2 * * *", 5)));

    assertThat(windows(skipped, "2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z"))
        .containsExactly("2026-03-29T01:30:00Z/2026-03-29T04:00:00Z"); // 03:30 to 06:00
    assertThat(windows(morning, "2026-03-29T00:00:00Z", "2026-03-29T23:00:00Z"))
        .containsExactly("2026-03-29T06:00:00Z/2026-03-29T18:00:00Z");
    assertThat(windows(untilSkipped, "2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z"))
        .containsExactly("2026-03-28T21:00:00Z/2026-03-29T01:30:00Z");
  }

  /** At 03:00 on 2026-10-25 clocks in Berlin are put back to 02:00. */
  @Test
  void whenClocksArePutBackAWindowLastsFromTheFirstStartToTheSecondEnd() {
    var twice = new Schedules(List.of(floor("a", "15 2 * * *", "45 2 * * *", 5)));
    var untilTwice = new Schedules(List.of(floor("b", "0 1 * * *", "30 2 * * *", 5)));
    var fromTwice = new Schedules(List.of(floor("c", "30 2 * * *", "0 6 * * *", 5)));

    assertThat(windows(twice, "2026-10-24T22:00:00Z", "2026-10-25T12:00:00Z"))
        .containsExactly("2026-10-25T00:15:00Z/2026-10-25T01:45:00Z");
    assertThat(windows(untilTwice, "2026-10-24T22:00:00Z", "2026-10-25T12:00:00Z"))
        .containsExactly("2026-10-24T23:00:00Z/2026-10-25T01:30:00Z");
    assertThat(windows(fromTwice, "2026-10-24T22:00:00Z", "2026-10-25T12:00:00Z"))
        .containsExactly("2026-10-25T00:30:00Z/2026-10-25T05:00:00Z");
    for (var time : List.of("2026-10-25T00:45:00Z", "2026-10-25T01:10:00Z")) { // 02:45, 02:10
      assertThat(floorAt(fromTwice, time, AT_ONCE)).as(time).hasValue(5);
    }
  }

  @Test
  void aChangeOfClocksJoinsNoStartToTheEndOfAnotherDay() {
    var skippedHour = new Schedules(List.of(ceiling("a", "0 2 * * *", "0 3 * * *", 4)));
    var halfSkipped = new Schedules(List.of(ceiling("b", "30 2 * * *", "0 3 * * *", 4)));
    var aroundTheClock = new Schedules(List.of(floor("c", "45 2 * * *", "15 2 * * *", 4)));

    for (var hour : List.of(skippedHour, halfSkipped)) {
      assertThat(windows(hour, "2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z"))
          .hasSize(1)
          .allMatch(it -> it.endsWith("/2026-03-30T01:00:00Z")); // none on the 29th
    }
    assertThat(windows(aroundTheClock, "2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z"))
        .containsExactly(
            "2026-10-24T00:45:00Z/2026-10-26T01:15:00Z", // the two overlap for half an hour
            "2026-10-26T01:45:00Z/2026-10-27T01:15:00Z");
  }

  @Test
  void windowsAreBoundedHoweverManyThereAre() {
    var flicker = floor("a", "*/2 * * * *", "1-59/2 * * * *", 1);
    var many = new Schedules(Collections.nCopies(16, flicker));

    assertThat(windows(many, "2026-03-02T00:00:00Z", "2026-03-04T00:00:00Z"))
        .hasSize(16 * Schedule.MOST_WINDOWS);
  }

  @Test
  void windowsThatTouchAreOne() {
    var always = new Schedules(List.of(floor("always", "0 * * * *", "0 */2 * * *", 2)));

    assertThat(windows(always, "2026-03-02T00:30:00Z", "2026-03-02T06:00:00Z")).hasSize(1);
  }

  @Test
  void refusesScheduleThatSaysNothingOrContradictsItself() {
    var cron = Cron.parse("0 8 * * *");
    var end = Cron.parse("0 9 * * *");
    var none = OptionalInt.empty();

    assertThatThrownBy(() -> new Schedule("a", BERLIN, cron, end, none, none))
        .hasMessage("schedule a has neither a minimum nor a maximum of replicas");
    assertThatThrownBy(() -> new Schedule("a", BERLIN, cron, cron, OptionalInt.of(1), none))
        .hasMessage("schedule a starts and ends at 0 8 * * *; write another end");
    assertThatThrownBy(
            () -> new Schedule("a", BERLIN, cron, end, OptionalInt.of(5), OptionalInt.of(4)))
        .hasMessageContaining("must be at least 1, and its maximum");
    assertThatThrownBy(() -> new Schedule("a", BERLIN, cron, end, OptionalInt.of(0), none))
        .hasMessageContaining("must be at least 1, and its maximum");
    var one = floor("a", "0 8 * * *", "0 9 * * *", 1);
    assertThatThrownBy(() -> new Schedules(Collections.nCopies(17, one)))
        .hasMessage("a target has at most 16 schedules: 17");
  }

  private static Schedule floor(String name, String start, String end, int replicas) {
    return new Schedule(
        name,
        BERLIN,
        Cron.parse(start),
        Cron.parse(end),
        OptionalInt.of(replicas),
        OptionalInt.empty());
  }

  private static Schedule ceiling(String name, String start, String end, int replicas) {
    return new Schedule(
        name,
        BERLIN,
        Cron.parse(start),
        Cron.parse(end),
        OptionalInt.empty(),
        OptionalInt.of(replicas));
  }

  private static OptionalInt floorAt(Schedules schedules, String time, Duration lead) {
    return schedules.boundsAt(Instant.parse(time), lead).floor().stream()
        .mapToInt(Bound::replicas)
        .findAny();
  }

  private static List<String> windows(Schedules schedules, String from, String to) {
    return schedules.windows(Instant.parse(from), Instant.parse(to)).stream()
        .map(it -> it.start() + "/" + it.end())
        .toList();
  }
}
