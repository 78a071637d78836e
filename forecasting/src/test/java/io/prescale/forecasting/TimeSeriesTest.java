package io.prescale.forecasting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimeSeriesTest {
  private static final double MISSING = Double.NaN;
  private static final Instant NOON = Instant.parse("2021-06-01T12:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final TimeSeries series = TimeSeries.of(NOON, MINUTE, 1, 2, MISSING, 4, 5, 6, 7);

  @Test
  void knowsItsGrid() {
    assertThat(series.size()).isEqualTo(7);
    assertThat(series.start()).isEqualTo(NOON);
    assertThat(series.step()).isEqualTo(MINUTE);
    assertThat(series.time(3)).isEqualTo("2021-06-01T12:03:00Z");
    assertThat(series.time(-1)).isEqualTo("2021-06-01T11:59:00Z");
    assertThat(series.end()).isEqualTo("2021-06-01T12:07:00Z");
    assertThat(series).hasToString("7 steps of PT1M from 2021-06-01T12:00:00Z, 1 missing");
  }

  @Test
  void aStepContainsItsStartAndNotItsEnd() {
    assertThat(series.indexOf(NOON.plusSeconds(120))).isEqualTo(2);
    assertThat(series.indexOf(NOON.plusSeconds(180).minusNanos(1))).isEqualTo(2);
    assertThat(series.indexOf(NOON.minusMillis(1))).isEqualTo(-1);
    assertThat(series.indexOf(series.end())).isEqualTo(7);
  }

  @Test
  void timesFarAwayHaveTheNearestIndexThatAnIntCanHold() {
    var fine = TimeSeries.of(NOON, Duration.ofMillis(1), 1);
    assertThat(fine.indexOf(Instant.parse("1900-01-01T00:00:00Z"))).isEqualTo(Integer.MIN_VALUE);
    assertThat(fine.indexOf(Instant.parse("2100-01-01T00:00:00Z"))).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aMissingStepIsNaNAndIsNotPresent() {
    assertThat(series.isMissing(2)).isTrue();
    assertThat(series.value(2)).isNaN();
    assertThat(series.isMissing(3)).isFalse();
    assertThat(series.presentCount()).isEqualTo(6);
  }

  @Test
  void aSliceIsTheSameSeriesSeenForAShorterTime() {
    var slice = series.slice(1, 4).slice(1, 3);
    assertThat(slice).isEqualTo(TimeSeries.of(NOON.plusSeconds(120), MINUTE, MISSING, 4));
    assertThat(slice.presentCount()).isEqualTo(1);
    assertThatThrownBy(() -> slice.value(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.value(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> series.slice(3, 8)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> series.slice(3, 2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void coarseningTakesTheMeanOfPresentValues() {
    assertThat(series.coarsen(3))
        .isEqualTo(TimeSeries.of(NOON, Duration.ofMinutes(3), 1.5, 5)); // 7 is half a block
    assertThat(series.coarsen(1)).isSameAs(series);
    assertThat(series.coarsen(8).size()).isZero();
  }

  @Test
  void aCoarseStepNeedsHalfOfItsValues() {
    var holes = TimeSeries.of(NOON, MINUTE, 1, MISSING, 3, MISSING, 5, MISSING, MISSING, MISSING);
    assertThat(holes.coarsen(4)).isEqualTo(TimeSeries.of(NOON, Duration.ofMinutes(4), 2, MISSING));
  }

  @Test
  void coarseningASliceStartsAtTheSlice() {
    assertThat(series.slice(3, 7).coarsen(2))
        .isEqualTo(TimeSeries.of(NOON.plusSeconds(180), Duration.ofMinutes(2), 4.5, 6.5));
  }

  @Test
  void neitherTheGivenNorTheReturnedArrayReachesInside() {
    double[] given = {1, 2};
    var guarded = TimeSeries.of(NOON, MINUTE, given);
    given[0] = 9;
    guarded.toArray()[1] = 9;
    assertThat(guarded.toArray()).containsExactly(1, 2);
  }

  @Test
  void emptyConstantAndAllMissingSeriesAreLegal() {
    assertThat(TimeSeries.of(NOON, MINUTE).end()).isEqualTo(NOON);
    assertThat(TimeSeries.of(NOON, MINUTE, 3, 3, 3).coarsen(3).value(0)).isEqualTo(3);
    assertThat(TimeSeries.of(NOON, MINUTE, MISSING, MISSING).presentCount()).isZero();
  }

  @Test
  void refusesInvalidGridsAndNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeSeries.of(NOON, Duration.ZERO, 1))
        .withMessageContaining("step");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeSeries.of(NOON, Duration.ofSeconds(-1), 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeSeries.of(NOON, Duration.ofNanos(1_500_000), 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeSeries.of(NOON.plusNanos(1), MINUTE, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeSeries.of(NOON, MINUTE, 1, Double.POSITIVE_INFINITY))
        .withMessage("value 1 is infinite");
    assertThatIllegalArgumentException().isThrownBy(() -> series.coarsen(0));
  }

  @Test
  void seriesAreEqualWhenStartStepAndValuesAre() {
    var same = TimeSeries.of(NOON, MINUTE, 0, 1, 2, MISSING, 4, 5, 6, 7).slice(1, 8);
    assertThat(same).isNotEqualTo(series); // a minute later
    var shifted = TimeSeries.of(NOON.minusSeconds(60), MINUTE, 0, 1, 2, MISSING, 4, 5, 6, 7);
    assertThat(shifted.slice(1, 8)).isEqualTo(series).hasSameHashCodeAs(series);
    assertThat(TimeSeries.of(NOON, Duration.ofMinutes(2), 1))
        .isNotEqualTo(TimeSeries.of(NOON, MINUTE, 1));
  }
}
