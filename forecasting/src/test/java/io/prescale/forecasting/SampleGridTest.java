package io.prescale.forecasting;

import static java.lang.Double.NEGATIVE_INFINITY;
import static java.lang.Double.NaN;
import static java.lang.Double.POSITIVE_INFINITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SampleGridTest {
  private static final Instant NOON = Instant.parse("2021-06-01T12:00:00Z");

  @Test
  void regularSamplesAreTheSeries() {
    var gridded = grid(at(0, 1), at(60, 2), at(120, 3));

    assertThat(gridded.series()).isEqualTo(TimeSeries.of(NOON, Duration.ofMinutes(1), 1, 2, 3));
    assertThat(gridded.report()).isEqualTo(report(3).build());
  }

  @Test
  void noSamplesAreAnEmptySeries() {
    var gridded = grid();

    assertThat(gridded.series()).isEqualTo(TimeSeries.of(Instant.EPOCH, Duration.ofMinutes(1)));
    assertThat(gridded.report()).isEqualTo(report(0).build());
  }

  @Test
  void aSingleSampleIsASeriesOfOneMinute() {
    assertThat(grid(at(17, 5)).series()).isEqualTo(TimeSeries.of(NOON, Duration.ofMinutes(1), 5));
  }

  @Test
  void aGapIsMissingAndNeitherZeroNorInterpolated() {
    var gridded = grid(at(0, 1), at(60, 2), at(120, 3), at(300, 6), at(360, 7));

    assertThat(gridded.series().toArray()).containsExactly(1, 2, 3, NaN, NaN, 6, 7);
    assertThat(gridded.report().missingSteps()).isEqualTo(2);
  }

  @Test
  void theLastDuplicateWins() {
    Sample[] samples = {at(0, 1), at(60, 2), at(60, 3), at(60, 4), at(120, 5)};

    assertThat(grid(samples).series().toArray()).containsExactly(1, 4, 5);
    assertThat(grid(samples).report()).isEqualTo(report(5).duplicates(2).build());
  }

  @Test
  void aDuplicateWithoutAValueReplacesNothing() {
    var gridded = grid(at(0, 1), at(60, 2), at(60, NaN), at(120, 5));

    assertThat(gridded.series().toArray()).containsExactly(1, 2, 5);
    assertThat(gridded.report()).isEqualTo(report(4).notFinite(1).build());
  }

  @Test
  void samplesOutOfOrderAreSortedAndDuplicatesKeepTheOrderOfArrival() {
    var gridded = grid(at(120, 3), at(0, 1), at(60, 8), at(180, 4), at(60, 2));

    assertThat(gridded.series().toArray()).containsExactly(1, 2, 3, 4);
    assertThat(gridded.report()).isEqualTo(report(5).outOfOrder(3).duplicates(1).build());
  }

  @Test
  void severalSamplesInAStepBecomeTheirMean() {
    Sample[] samples = {at(0, 1), at(20, 9), at(40, 2), at(60, 5)};

    assertThat(byTheMinute(samples).series().toArray()).containsExactly(4, 5);
    assertThat(byTheMinute(samples).report().merged()).isEqualTo(2);
  }

  @Test
  void whatIsNotFiniteLeavesItsStepMissing() {
    var gridded =
        grid(at(0, 1), at(60, NaN), at(120, POSITIVE_INFINITY), at(180, NEGATIVE_INFINITY));

    assertThat(gridded.series().toArray()).containsExactly(1, NaN, NaN, NaN);
    assertThat(gridded.report()).isEqualTo(report(4).notFinite(3).missingSteps(3).build());
  }

  @Test
  void nothingButNaNIsASeriesMissingThroughout() {
    assertThat(grid(at(0, NaN), at(60, NaN)).series().toArray()).containsExactly(NaN, NaN);
  }

  @Test
  void negativesAreMissing() {
    Sample[] samples = {at(0, 1), at(60, -2), at(120, -0.0)};

    assertThat(grid(samples).series().toArray()).containsExactly(1, NaN, -0.0);
    assertThat(grid(samples).report()).isEqualTo(report(3).negative(1).missingSteps(1).build());
  }

  @Test
  void theMeanOfHugeValuesIsFinite() {
    var gridded = byTheMinute(at(0, Double.MAX_VALUE), at(10, Double.MAX_VALUE));

    assertThat(gridded.series().value(0)).isCloseTo(Double.MAX_VALUE, within(1e294));
  }

  @ParameterizedTest
  @CsvSource({"15", "30", "60", "300", "3600", "86400", "7", "45", "420"})
  void findsTheStepOfRegularSamples(int seconds) {
    var samples = new ArrayList<Sample>();
    for (int i = 0; i < 40; i++) {
      samples.add(at(3 + (long) i * seconds, i));
    }
    var series = TimeSeries.fromSamples(samples).series();

    assertThat(series.step()).isEqualTo(Duration.ofSeconds(seconds));
    assertThat(series.size()).isEqualTo(40);
    assertThat(series.presentCount()).isEqualTo(40);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 13, 30, 59})
  void jitterAroundAnyPhaseNeitherEmptiesNorDoublesAStep(int phaseSeconds) {
    var random = new Random(7);
    var samples = new ArrayList<Sample>();
    for (int i = 0; i < 500; i++) {
      var jitter = Math.clamp(random.nextGaussian() * 4_000, -15_000, 15_000);
      samples.add(
          new Sample(NOON.plusMillis(Math.round(i * 60_000 + phaseSeconds * 1000 + jitter)), i));
    }
    var gridded = TimeSeries.fromSamples(samples);

    assertThat(gridded.series().step()).isEqualTo(Duration.ofMinutes(1));
    assertThat(gridded.series().presentCount()).isEqualTo(500);
    assertThat(gridded.report().merged()).isZero();
    assertThat(gridded.report().missingSteps()).isZero();
  }

  @Test
  void lostSamplesAndAnOutageDoNotChangeTheStep() {
    var random = new Random(11);
    var samples = new ArrayList<Sample>();
    for (int i = 0; i < 1_000; i++) {
      if (random.nextDouble() > 0.2 && (i < 400 || i > 700)) {
        samples.add(at(i * 60L, i));
      }
    }
    var series = TimeSeries.fromSamples(samples).series();

    assertThat(series.step()).isEqualTo(Duration.ofMinutes(1));
    assertThat(series.presentCount()).isEqualTo(samples.size());
    assertThat(series.slice(400, 700).presentCount()).isZero();
  }

  @Test
  void anArchiveOfOldSamplesAtALowerResolutionSetsTheStep() {
    var samples = new ArrayList<Sample>();
    for (int i = 0; i < 100; i++) {
      samples.add(at(i * 60L, 1));
    }
    for (int i = 0; i < 400; i++) {
      samples.add(at(6_000 + i * 15L, 1));
    }
    var series = TimeSeries.fromSamples(samples).series();

    assertThat(series.step()).isEqualTo(Duration.ofMinutes(1));
    assertThat(series.presentCount()).isEqualTo(series.size()).isEqualTo(200);
  }

  @Test
  void theOrderOfArrivalDoesNotMatter() {
    var samples = new ArrayList<Sample>();
    for (int i = 0; i < 300; i++) {
      samples.add(at(i * 15L, Math.sin(i)));
    }
    var ordered = TimeSeries.fromSamples(samples).series();
    Collections.shuffle(samples, new Random(3));

    assertThat(TimeSeries.fromSamples(samples).series()).isEqualTo(ordered);
  }

  @Test
  void refusesASeriesOfAbsurdLengthAndSaysWhatToDo() {
    assertThatThrownBy(
            () -> byTheMinute(at(0, 1), new Sample(Instant.parse("2150-01-01T00:00:00Z"), 1)))
        .isInstanceOf(UngriddableException.class)
        .hasMessageStartingWith(
            "samples from 2021-06-01T12:00:00Z to 2150-01-01T00:00:00Z need 67628881 steps of 60 s,"
                + " more than the limit of 2000000:");
  }

  @Test
  void refusesTimesThatCanOnlyBeAnErrorOfUnit() {
    assertThatThrownBy(() -> grid(at(0, 1), new Sample(Instant.MAX, 1)))
        .isInstanceOf(UngriddableException.class)
        .hasMessageContaining("is its unit right?");
    assertThatThrownBy(() -> grid(new Sample(Instant.MIN, 1)))
        .isInstanceOf(UngriddableException.class);
  }

  @Test
  void refusesStepsThatMakeNoGrid() {
    var samples = List.of(at(0, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeSeries.fromSamples(samples, Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeSeries.fromSamples(samples, Duration.ofNanos(5)));
  }

  private static Gridded grid(Sample... samples) {
    return TimeSeries.fromSamples(List.of(samples));
  }

  private static Gridded byTheMinute(Sample... samples) {
    return TimeSeries.fromSamples(List.of(samples), Duration.ofMinutes(1));
  }

  private static Sample at(long seconds, double value) {
    return new Sample(NOON.plusSeconds(seconds), value);
  }

  private static ExpectedReport report(int samples) {
    return new ExpectedReport(samples);
  }
}
