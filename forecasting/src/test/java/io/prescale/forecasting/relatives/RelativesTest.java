package io.prescale.forecasting.relatives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.SyntheticSeries;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class RelativesTest {
  private static final int HOUR = 60;

  @Test
  void aRelativeIsTheNewestWeekWithAMeanOfOne() {
    var series = series(SyntheticSeries.WEEK + HOUR, i -> i < HOUR ? 1e6 : 50 + i % 2 * 100);

    var demand = relative(series).demand();

    assertThat(demand.start()).isEqualTo(SyntheticSeries.START.plus(Duration.ofHours(1)));
    assertThat(demand.size()).isEqualTo(SyntheticSeries.WEEK);
    assertThat(Arrays.copyOf(demand.toArray(), 3)).containsExactly(0.5, 1.5, 0.5);
  }

  @Test
  void sizeDoesNotCrossBetweenServices() {
    var small = relative(series(SyntheticSeries.WEEK, RelativesTest::morning)).demand();
    var large = relative(series(SyntheticSeries.WEEK, i -> 4096 * morning(i))).demand();

    assertThat(large).isEqualTo(small);
  }

  @Test
  void whatIsNoWeekOfDemandIsNoRelative() {
    int week = SyntheticSeries.WEEK;
    assertThat(Relative.of(series(week - 1, _ -> 1))).isEmpty();
    assertThat(Relative.of(series(week, _ -> Double.NaN))).isEmpty();
    assertThat(Relative.of(series(week, _ -> 0))).isEmpty();
    assertThat(Relative.of(series(week, i -> i == 5 ? -1 : 1))).isEmpty();
    assertThat(Relative.of(series(week, i -> i % 2 == 0 ? Double.NaN : 1))).isPresent();
    assertThat(Relative.of(series(week, i -> i % 2 == 0 || i == 1 ? Double.NaN : 1))).isEmpty();
    assertThat(Relative.of(series(week, i -> i == 5 ? 1e308 : 1e307))).as("overflow").isEmpty();
  }

  @Test
  void theNearestMoveAtTheSameTimes() {
    var morning = relative(series(SyntheticSeries.WEEK, RelativesTest::morning));
    var evening = relative(series(SyntheticSeries.WEEK, i -> morning(i + 5 * HOUR)));
    var flat = relative(series(SyntheticSeries.WEEK, _ -> 7));
    var all = new Relatives(List.of(flat, evening, morning));
    var firstTwelveHours = series(12 * HOUR, i -> 30 * morning(i));

    assertThat(all.nearest(firstTwelveHours, 2)).containsExactly(morning, flat);
    assertThat(all.nearest(firstTwelveHours, 9)).hasSize(3);
  }

  @Test
  void amongEqualShapesTheEquallyRoughIsNearer() {
    var smooth = relative(SyntheticSeries.minutes(SyntheticSeries.WEEK).plus(100).build());
    var rough =
        relative(SyntheticSeries.minutes(SyntheticSeries.WEEK).plus(100).noise(20, 0, 1).build());
    var own = SyntheticSeries.minutes(HOUR).plus(3).noise(0.6, 0, 2).build();

    assertThat(new Relatives(List.of(smooth, rough)).nearest(own, 1)).containsExactly(rough);
  }

  @Test
  void distanceIsTheShareOfDemandAtOtherTimes() {
    var first = DemandShape.of(series(HOUR, i -> i < 15 ? 1 : 0));
    var second = DemandShape.of(series(HOUR, i -> i >= 45 ? 8 : 0));

    assertThat(first.distance(first)).isZero();
    assertThat(first.distance(second)).as("wholly apart").isCloseTo(2, within(0.1));
    assertThat(first.distance(DemandShape.of(series(HOUR, _ -> 0)))).isInfinite();
    assertThat(first.distance(DemandShape.of(series(HOUR, _ -> Double.NaN)))).isInfinite();
  }

  @Test
  void withNothingKnownTheFirstAreNearest() {
    var one = relative(series(SyntheticSeries.WEEK, RelativesTest::morning));
    var two = relative(series(SyntheticSeries.WEEK, _ -> 1));
    var nothing = series(HOUR, _ -> Double.NaN);

    assertThat(new Relatives(List.of(one, two)).nearest(nothing, 1)).containsExactly(one);
    assertThat(Relatives.none().nearest(nothing, 4)).isEmpty();
  }

  @Test
  void onlyThoseOfTheSameStepCanLend() {
    var minutes = relative(series(SyntheticSeries.WEEK, _ -> 1));
    var hours = SyntheticSeries.steps(Duration.ofHours(1), 168).plus(1).build();
    var all = new Relatives(List.of(minutes, relative(hours)));

    assertThat(all.ofStep(hours).all()).hasSize(1).doesNotContain(minutes);
  }

  @Test
  void ofAPredecessorsMetricsOnlyTheNearestIsTaken() {
    var morning = relative(series(SyntheticSeries.WEEK, RelativesTest::morning));
    var evening = relative(series(SyntheticSeries.WEEK, i -> morning(i + 5 * HOUR)));
    var flat = relative(series(SyntheticSeries.WEEK, _ -> 7));
    var all = new Relatives(List.of(morning, evening, flat), List.of(evening, flat));
    var own = series(12 * HOUR, i -> 30 * morning(i));

    assertThat(all.nearest(own, 4)).containsExactly(flat);
    assertThat(all.ofStep(own)).isEqualTo(all);
    var hours = SyntheticSeries.steps(Duration.ofHours(1), 168).plus(1).build();
    assertThat(all.ofStep(hours)).isEqualTo(Relatives.none());
    assertThatThrownBy(() -> new Relatives(List.of(flat), List.of(morning)))
        .hasMessage("a predecessor is one of all relatives");
  }

  private static double morning(int minute) {
    return minute % SyntheticSeries.DAY / HOUR == 8 ? 5 : 1;
  }

  private static Relative relative(TimeSeries history) {
    return Optional.of(history).flatMap(Relative::of).orElseThrow();
  }

  private static TimeSeries series(int size, IntToDoubleFunction value) {
    double[] values = new double[size];
    Arrays.setAll(values, value);
    return TimeSeries.of(SyntheticSeries.START, SyntheticSeries.MINUTE, values);
  }
}
