package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.ExcludedWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemandHistoryTest {
  private static final Instant START = Instant.parse("2021-06-07T00:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void keepsTheNewestAndTheirNumbers() {
    var history = history(16, EventCalendar.empty());
    for (int i = 0; i < 100; i++) {
      history.add(i);
    }
    assertThat(history.size()).isEqualTo(100);
    assertThat(history.size() - history.oldest()).isBetween(14, 16);
    assertThat(history.time(99)).isEqualTo(START.plus(Duration.ofMinutes(99)));
    for (int i = history.oldest(); i < 100; i++) {
      assertThat(history.actual(i)).isEqualTo(i);
      assertThat(history.ordinary(i)).isEqualTo(i);
    }
    assertThat(history.actual(history.oldest() - 1)).isNaN();
    assertThat(history.actual(100)).isNaN();
    assertThat(history.actual(-1)).isNaN();
  }

  @Test
  void remembersAllUpToItsCapacity() {
    var history = history(3000, EventCalendar.empty());
    for (int i = 0; i < 3000; i++) {
      history.add(i);
    }
    assertThat(history.oldest()).isZero();
    history.add(3000);
    assertThat(history.oldest()).isEqualTo(375);
    assertThat(history.actual(375)).isEqualTo(375);
  }

  @Test
  void summarisesWhatIsKnown() {
    var history = of(1, Double.NaN, 3, 8);
    assertThat(history.mean(0, 4)).isEqualTo(4);
    assertThat(history.max(0, 4)).isEqualTo(8);
    assertThat(history.min(0, 4)).isEqualTo(1);
    assertThat(history.max(0, 3)).as("NaN in the middle").isEqualTo(3);
    assertThat(history.min(1, 4)).as("NaN first").isEqualTo(3);
    assertThat(history.deviation(0, 4)).isCloseTo(Math.sqrt(26.0 / 3), within(1e-12));
    assertThat(history.mean(-5, 99)).as("clipped").isEqualTo(4);
  }

  @Test
  void aStretchWithNothingKnownIsNotANumber() {
    var history = of(1, Double.NaN, Double.NaN, 8);
    for (int[] range : new int[][] {{1, 3}, {2, 2}, {4, 9}, {-3, 0}, {3, 1}}) {
      assertThat(history.mean(range[0], range[1])).isNaN();
      assertThat(history.max(range[0], range[1])).isNaN();
      assertThat(history.min(range[0], range[1])).isNaN();
      assertThat(history.deviation(range[0], range[1])).isNaN();
    }
  }

  @Test
  void eventsAndIncidentsAreSeenButNotOrdinary() {
    var calendar =
        new EventCalendar(
            List.of(new Event("sale", minute(2), minute(4), OptionalDouble.empty())),
            List.of(new ExcludedWindow("incident", minute(6), minute(7))));
    var history = history(100, calendar);
    for (int i = 0; i < 8; i++) {
      history.add(10 + i);
    }
    assertThat(history.actual(3)).isEqualTo(13);
    for (int i = 0; i < 8; i++) {
      boolean masked = i == 2 || i == 3 || i == 6;
      assertThat(Double.isNaN(history.ordinary(i))).as("step %d", i).isEqualTo(masked);
    }
    assertThat(history.ordinaryMax(0, 8)).isEqualTo(17);
    assertThat(history.ordinaryMin(2, 5)).isEqualTo(14);
    assertThat(history.ordinaryMean(1, 5)).isEqualTo(12.5);
    assertThat(history.ordinaryMax(2, 4)).isNaN();
  }

  @Test
  void demandOfARunningEventIsReducedToAnOrdinaryLevel() {
    var calendar =
        new EventCalendar(
            List.of(
                new Event("sale", minute(1), minute(2), OptionalDouble.of(4)),
                new Event("closed", minute(2), minute(3), OptionalDouble.of(0))),
            List.of());
    var history = history(100, calendar);
    history.add(10);
    history.add(44);
    history.add(0);
    assertThat(history.actual(1)).isEqualTo(11);
    assertThat(history.actual(2)).as("nothing follows from a factor of 0").isEqualTo(11);
    assertThat(history.observed(2)).isNaN();
  }

  @Test
  void demandOfALongEventIsOrdinaryOnceDividedByItsFactor() {
    int day = 1440;
    var term = new Event("term", minute(10), minute(10 + 4 * day), OptionalDouble.of(0.4));
    var sale = new Event("sale", minute(20), minute(21), OptionalDouble.of(2));
    var history = history(5 * day, new EventCalendar(List.of(term, sale), List.of()));
    for (int i = 0; i < 4 * day + 20; i++) {
      history.add(i == 20 ? 80 : i < 10 || i >= 10 + 4 * day ? 100 : 40);
    }

    for (int i : new int[] {9, 10, 19, 21, 10 + 4 * day - 1, 10 + 4 * day}) {
      assertThat(history.ordinary(i)).as("step %d", i).isEqualTo(100);
      assertThat(history.observed(i))
          .as("step %d", i)
          .isCloseTo(i < 10 || i > 9 + 4 * day ? 100 : 40, within(1e-5));
    }
    assertThat(history.actual(20)).isEqualTo(100);
    assertThat(history.ordinary(20)).as("a sale in it").isNaN();
  }

  /** The second day has a fifth more than the first. */
  @Test
  void withoutDemandByDeclarationItIsTakenToGoOnAsTheDayBefore() {
    int day = 1440;
    var closed = new Event("closed", minute(day + 600), minute(day + 700), OptionalDouble.of(0));
    var history = history(2 * day, new EventCalendar(List.of(closed), List.of()));
    for (int i = 0; i < day + 700; i++) {
      history.add(i < day ? 100 + i : i < day + 600 ? 1.2 * (100 + i - day) : 0);
    }

    assertThat(history.actual(day + 600)).isCloseTo(1.2 * 700, within(0.01));
    assertThat(history.actual(day + 699)).isCloseTo(1.2 * 799, within(0.01));
    assertThat(history.ordinary(day + 600)).isNaN();
  }

  @Test
  void aSnapshotStaysAsItIs() {
    var history = of(1, 2);
    var snapshot = history.snapshot();
    for (int i = 0; i < 5000; i++) {
      history.add(7);
    }
    assertThat(snapshot.size()).isEqualTo(2);
    assertThat(snapshot.max(0, 99)).isEqualTo(2);
    snapshot.add(3);
    assertThat(snapshot.actual(2)).isEqualTo(3);
    assertThat(history.actual(2)).isEqualTo(7);
  }

  @Test
  void durationsAreWholeSteps() {
    var history = of();
    assertThat(history.steps(Duration.ofHours(1))).isEqualTo(60);
    assertThat(history.steps(Duration.ofSeconds(90))).isEqualTo(2);
    assertThat(history.steps(Duration.ofSeconds(1))).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE, -1.1e30})
  void refusesImpossibleDemand(double value) {
    var history = of(1);
    assertThatThrownBy(() -> history.add(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Double.toString(value));
    assertThat(history.size()).as("unchanged").isEqualTo(1);
  }

  @Test
  void refusesZeroCapacity() {
    assertThatThrownBy(() -> history(1, EventCalendar.empty()))
        .hasMessage("capacity must be at least 2 steps: 1");
  }

  private static Instant minute(int i) {
    return START.plus(Duration.ofMinutes(i));
  }

  private static DemandHistory history(int capacity, EventCalendar calendar) {
    return new DemandHistory(START, MINUTE, ZoneOffset.UTC, calendar, capacity);
  }

  private static DemandHistory of(double... values) {
    var history = history(10_000, EventCalendar.empty());
    for (double value : values) {
      history.add(value);
    }
    return history;
  }
}
