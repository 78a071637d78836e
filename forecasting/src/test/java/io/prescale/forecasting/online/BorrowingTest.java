package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.SyntheticSeries;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.relatives.Relative;
import io.prescale.forecasting.relatives.Relatives;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A new service whose demand rises steeply at eight, among services that have done so all week. */
class BorrowingTest {
  private static final PeakSettings SETTINGS = PeakSettings.forLead(Duration.ofMinutes(5));
  private static final int HOUR = 60;
  private static final int WEEK = SyntheticSeries.WEEK;

  @Test
  void theFirstMorningIsForeseen() {
    var own = office(WEEK, 12, 3).slice(4 * HOUR, 12 * HOUR).toArray();
    var alone = run(Relatives.none(), own);
    var borrowing = run(relatives(5, WEEK), own);

    int from = 4 * HOUR - 10;
    int to = 5 * HOUR - 10;
    double error = borrowing.medianError(from, to);
    assertThat(error).isLessThan(0.7 * alone.medianError(from, to));
    assertThat(borrowing.coverage(0.9, from, to)).isGreaterThan(0.6);
  }

  @Test
  void aNewVersionMovesAsItsPredecessorDid() {
    // Five mornings at eight, and a predecessor of eight times the size whose day begins at six.
    var five = relatives(5, WEEK).all();
    var before = Relative.of(office(WEEK, 96, 6, 9)).orElseThrow();
    var all = Stream.concat(five.stream(), Stream.of(before)).toList();
    var own = office(WEEK, 12, 6, 3).slice(2 * HOUR, 8 * HOUR);
    int from = 4 * HOUR - 10;
    int to = 4 * HOUR + 20;

    double unnamed = run(new Relatives(all), own).medianError(from, to);
    double named = run(new Relatives(all, List.of(before)), own).medianError(from, to);

    assertThat(named).isLessThan(0.85 * unnamed);
  }

  @Test
  void aForecastSaysFromHowManyItIsBorrowedUntilAWeekIsKnown() {
    var run = run(relatives(5, WEEK), office(WEEK, 12, 3).slice(0, 3 * HOUR).toArray());
    assertThat(parts(run).relatives()).isEqualTo(5);
    assertThat(parts(run).weights())
        .extracting(ForecastParts.Weight::forecaster)
        .contains("borrowed above last value");

    var grown = new PeakForecaster(SyntheticSeries.START, SETTINGS);
    grown.borrowFrom(relatives(5, WEEK));
    for (double value : office(WEEK, 12, 3).toArray()) {
      grown.observe(value);
    }
    grown.adopt(grown.refit().compute());
    assertThat(grown.forecast().orElseThrow().parts().relatives()).isZero();
  }

  @Test
  void borrowedForecastsCountOnlyOnceTheyHaveARecordHere() {
    var run = run(relatives(5, WEEK), office(WEEK, 12, 3).slice(0, 19).toArray());
    assertThat(run.refits).as("at the first observation").isEqualTo(1);
    assertThat(parts(run).relatives()).isZero();
    run.feed(office(WEEK, 12, 3).slice(19, 30).toArray());
    assertThat(parts(run).relatives()).isEqualTo(5);
  }

  @Test
  void theModelsOfItsOwnComeWhenTheyWouldAlone() {
    var own = office(WEEK, 12, 3).slice(0, 5 * HOUR).toArray();
    assertThat(run(relatives(3, WEEK), own).refits)
        .isEqualTo(run(Relatives.none(), own).refits + 1);
  }

  @Test
  void sizeIsItsOwn() {
    var own = office(WEEK, 1, 3).slice(0, 10 * HOUR);
    double[] large = own.toArray();
    for (int i = 0; i < large.length; i++) {
      large[i] *= 4096;
    }
    var relatives = relatives(3, WEEK);
    double small = run(relatives, own.toArray()).newest().quantile(0.9);
    assertThat(run(relatives, large).newest().quantile(0.9))
        .isCloseTo(4096 * small, within(0.01 * 4096 * small));
  }

  @Test
  void noiseOfOthersDoesLittleHarm() {
    var noise =
        new Relatives(
            IntStream.range(0, 6)
                .mapToObj(s -> SyntheticSeries.minutes(WEEK).plus(100).noise(30, 0, s).build())
                .flatMap(it -> Relative.of(it).stream())
                .toList());
    var own = office(WEEK, 12, 3).slice(0, 24 * HOUR).toArray();
    int to = own.length - 10;
    double alone = run(Relatives.none(), own).medianError(HOUR, to);
    assertThat(run(noise, own).medianError(HOUR, to)).isLessThan(1.05 * alone);
  }

  @Test
  void whatCannotLendChangesNothing() {
    var own = office(WEEK, 12, 3).slice(0, 3 * HOUR).toArray();
    var hours = SyntheticSeries.steps(Duration.ofHours(1), 168).plus(5).build();
    var other = new Relatives(List.of(Relative.of(hours).orElseThrow()));
    var alone = run(Relatives.none(), own).newest();
    assertThat(run(other, own).newest()).hasToString(alone.toString());
    var gaps = office(WEEK, 12, 3).slice(0, 3 * HOUR).toArray();
    Arrays.fill(gaps, 0, gaps.length, 0);
    assertThat(run(relatives(3, WEEK), gaps).newest().quantile(0.9))
        .as("no demand")
        .isLessThan(1e-300);
  }

  @Test
  void theSameRelativesGiveTheSameForecasts() {
    var own = office(WEEK, 12, 3).slice(0, 4 * HOUR).toArray();
    assertThat(run(relatives(3, WEEK), own).newest())
        .hasToString(run(relatives(3, WEEK), own).newest().toString());
  }

  private static PeakRun run(Relatives relatives, TimeSeries own) {
    return run(relatives, own.start(), own.toArray());
  }

  private static PeakRun run(Relatives relatives, double... own) {
    return run(relatives, SyntheticSeries.START, own);
  }

  private static PeakRun run(Relatives relatives, Instant start, double... own) {
    var run = new PeakRun(start, SETTINGS);
    run.forecaster.borrowFrom(relatives);
    return run.feed(own);
  }

  private static ForecastParts parts(PeakRun run) {
    return run.newest().parts();
  }

  private static Relatives relatives(int count, int steps) {
    return new Relatives(
        IntStream.range(0, count)
            .mapToObj(i -> office(steps, 10 * (i + 1), 100 + i))
            .flatMap(it -> Relative.of(it).stream())
            .toList());
  }

  /** A tenth of the demand by night; rises within half an hour, at eight. */
  private static TimeSeries office(int steps, double top, long seed) {
    return office(steps, top, 8, seed);
  }

  private static TimeSeries office(int steps, double top, int begins, long seed) {
    return SyntheticSeries.minutes(steps)
        .plus(
            i -> {
              double hour = i % SyntheticSeries.DAY / (double) HOUR;
              double up = Math.clamp((hour - begins) / 0.5, 0, 1);
              double down = Math.clamp((hour - 18) / 2, 0, 1);
              return top * (0.1 + 0.9 * (up - down));
            })
        .noise(0.01 * top, 0.5, seed)
        .build();
  }
}
