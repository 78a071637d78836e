package io.prescale.forecasting;

import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class EventCalendarTest {
  private static final Instant NOON = Instant.parse("2021-06-01T12:00:00Z");
  private static final Event LAUNCH =
      new Event("launch", minutes(2), minutes(4), OptionalDouble.of(3));
  private static final Event SALE =
      new Event("sale", minutes(3), minutes(6), OptionalDouble.of(0.5));
  private static final Event HOLIDAY =
      new Event("holiday", minutes(5), minutes(9), OptionalDouble.empty());

  @Test
  void anEventCoversItsStartAndNotItsEnd() {
    assertThat(LAUNCH.covers(minutes(2))).isTrue();
    assertThat(LAUNCH.covers(minutes(4).minusMillis(1))).isTrue();
    assertThat(LAUNCH.covers(minutes(4))).isFalse();
    assertThat(LAUNCH.covers(minutes(2).minusMillis(1))).isFalse();
  }

  @Test
  void factorsOfOverlappingEventsMultiplyAndUnknownOnesChangeNothing() {
    var calendar = new EventCalendar(List.of(LAUNCH, SALE, HOLIDAY), List.of());

    assertThat(calendar.factorAt(minutes(1))).isEqualTo(1);
    assertThat(calendar.factorAt(minutes(2))).isEqualTo(3);
    assertThat(calendar.factorAt(minutes(3))).isEqualTo(1.5);
    assertThat(calendar.factorAt(minutes(5))).isEqualTo(0.5);
    assertThat(calendar.factorAt(minutes(7))).isEqualTo(1);
  }

  @Test
  void refusesInvalidEventsAndWindows() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Event("e", minutes(2), minutes(2), OptionalDouble.empty()))
        .withMessageContaining("event \"e\" must start before it ends");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Event("e", minutes(1), minutes(2), OptionalDouble.of(-1)))
        .withMessageContaining("from 0 to 1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Event("e", minutes(1), minutes(2), OptionalDouble.of(NaN)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Event("e", minutes(1), minutes(2), OptionalDouble.of(1001)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExcludedWindow("w", minutes(2), minutes(1)));
  }

  @Test
  void longEventsWithAFactorAreLearnedFrom() {
    int threeDays = 3 * 24 * 60;
    var term = event(0, threeDays + 1, OptionalDouble.of(0.4));
    var learned = new EventCalendar(List.of(term), List.of());
    assertThat(learned.isLearned(minutes(5))).isTrue();
    assertThat(learned.isLearned(minutes(-2), minutes(threeDays + 3))).isTrue();
    assertThat(learned.isOrdinary(minutes(-2), minutes(1))).isFalse();

    for (var leftOut :
        List.of(
            event(0, threeDays, OptionalDouble.of(0.4)),
            event(0, 9 * threeDays, OptionalDouble.empty()),
            event(0, 9 * threeDays, OptionalDouble.of(0)),
            event(0, 9 * threeDays, OptionalDouble.of(0.02)))) {
      var calendar = new EventCalendar(List.of(term, leftOut), List.of());
      assertThat(calendar.isLearned(minutes(-1))).isTrue();
      assertThat(calendar.isLearned(minutes(5))).as("%s", leftOut).isFalse();
    }
    var incident = new ExcludedWindow("incident", minutes(4), minutes(6));
    assertThat(new EventCalendar(List.of(term), List.of(incident)).isLearned(minutes(5))).isFalse();
  }

  private static Event event(int begin, int end, OptionalDouble factor) {
    return new Event("event", minutes(begin), minutes(end), factor);
  }

  private static Instant minutes(int count) {
    return NOON.plusSeconds(60L * count);
  }
}
