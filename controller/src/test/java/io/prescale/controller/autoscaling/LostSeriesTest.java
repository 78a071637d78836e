package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.DAY;
import static io.prescale.controller.autoscaling.ScalingCycles.LEAD;
import static io.prescale.controller.autoscaling.ScalingCycles.START;
import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static io.prescale.controller.autoscaling.ScalingCycles.none;
import static io.prescale.controller.autoscaling.ScalingCycles.series;
import static io.prescale.controller.autoscaling.ScalingCycles.settings;
import static io.prescale.controller.autoscaling.ScalingCycles.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Reading.Observed;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Demand has been about 30 for three days, from 20 series; after minute 6 something happens. */
class LostSeriesTest {
  private final SplittableRandom random = new SplittableRandom(7);
  private final TreeMap<Instant, Double> counts = new TreeMap<>();
  private final List<Instant> needed = new ArrayList<>();
  private ScalingCycle cycle = wellKnown(Duration.ofMinutes(1));

  private ScalingCycle wellKnown(Duration step) {
    var known = ScalingCycles.cycle(settings(step), step.multipliedBy(5));
    known.learn("requests", usual(START.minus(step.multipliedBy(3 * DAY)), step, 3 * DAY));
    return known;
  }

  private TimeSeries usual(Instant start, Duration step, int steps) {
    double[] demand = new double[steps];
    Arrays.setAll(demand, _ -> 30 + random.nextDouble() - 0.5);
    return TimeSeries.of(start, step, demand);
  }

  /** The tick of a minute, with the number of series if that is needed. */
  private MetricResult tick(int minute, double demand, double series) {
    return tick(at(minute), demand, series);
  }

  private MetricResult tick(Instant now, double demand, double series) {
    counts.put(now, series);
    if (Double.isNaN(series)) {
      counts.clear(); // no answer
    }
    var samples = List.of(new Sample(now, demand));
    var since = cycle.seriesNeededSince("requests", new Observed(samples), now);
    since.ifPresent(needed::add);
    var counted =
        since.stream()
            .flatMap(from -> counts.tailMap(from).entrySet().stream())
            .map(it -> new Sample(it.getKey(), it.getValue()))
            .toList();
    return tick(now, new Observed(samples, counted));
  }

  private MetricResult tick(Instant now, Reading reading) {
    return Ticks.tick(cycle, now, reading, state(4, LEAD)).metrics().getFirst();
  }

  private MetricResult sixUsualMinutes() {
    for (int minute = 1; minute < 6; minute++) {
      tick(minute, 29.5 + minute % 2, 20);
    }
    var last = tick(6, 30, 20);
    assertThat(needed).as("nothing is asked while all is well").isEmpty();
    assertThat(last.served().orElseThrow().value()).isGreaterThanOrEqualTo(30);
    return last;
  }

  @Test
  void aFallWithTheSeriesIsNotBelievedForTenMinutes() {
    var before = sixUsualMinutes();
    for (int minute = 7; minute < 17; minute++) {
      var doubted = tick(minute, 15, 10);
      assertThat(doubted.served()).as("minute %d", minute).isEqualTo(before.served());
      assertThat(doubted.observed()).hasValue(30);
      assertThat(doubted.missing())
          .hasValue(
              new Reading.Missing(
                  Reading.Reason.SERIES_LOST,
                  "requests fell from 30 to 15 while the series that it adds up fell from 20 to 10:"
                      + " the last value stands until its time to live is over, and this one is not"
                      + " believed before 2026-03-02T00:17:00Z; look whether all targets are up."));
    }
    var after = tick(17, 15, 10);
    assertThat(after.observed()).hasValue(15);
    assertThat(after.missing()).isEmpty();
    assertThat(after.served().orElseThrow().computedAt()).isEqualTo(at(17));
    assertThat(tick(18, 15, 10).observed()).as("and stays believed").hasValue(15);
    assertThat(needed).hasSize(10).containsOnly(at(6));
  }

  @ParameterizedTest
  @CsvSource({
    "15, 20, the count is unchanged",
    "15, 22, new series",
    "15, 18, a tenth of the series cannot be half of the demand",
    "5, 14, less is left than the lost series explain",
    "15, NaN, the number of series is not known"
  })
  void aFallThatLostSeriesDoNotExplainIsBelievedAtOnce(double demand, double series, String why) {
    sixUsualMinutes();
    var result = tick(7, demand, series);

    assertThat(needed).containsExactly(at(6));
    assertThat(result.observed()).as(why).hasValue(demand);
    assertThat(result.missing()).isEmpty();
  }

  /** Forecasts are of peaks: with every window's at about 30, each second step is far below. */
  @Test
  void theLowStepsOfAnAlternatingDemandNeedNoCount() {
    cycle = ScalingCycles.cycle(settings(Duration.ofMinutes(1)), LEAD);
    double[] demand = new double[3 * DAY];
    Arrays.setAll(demand, i -> alternating(i));
    cycle.learn("requests", series(START.minus(Duration.ofDays(3)), demand));
    for (int minute = 1; minute <= 30; minute++) {
      tick(minute, alternating(minute), minute < 20 ? 20 : 17);
    }

    assertThat(needed).isEmpty();
  }

  private double alternating(int minute) {
    return (minute % 2 == 0 ? 30 : 25) + random.nextDouble() - 0.5;
  }

  @Test
  void whatIsReadTogetherIsJudgedInItsOrder() {
    sixUsualMinutes();
    var samples = List.of(new Sample(at(8), 15), new Sample(at(7), 31));
    var counts = List.of(new Sample(at(7), 20), new Sample(at(8), 10));
    var since = cycle.seriesNeededSince("requests", new Observed(samples), at(8));

    assertThat(since).contains(at(7));
    assertThat(tick(at(8), new Observed(samples, counts)).observed()).hasValue(31);
  }

  /** The newest forecast is about minutes 11 to 16, and stands for ten more. */
  @ParameterizedTest
  @CsvSource({"20, true", "40, false"})
  void afterAnOutageTheNewestForecastStandsForTenMinutes(int minute, boolean doubted) {
    sixUsualMinutes();
    var result = tick(minute, 15, 10);

    assertThat(result.missing().isPresent()).isEqualTo(doubted);
  }

  @Test
  void aFallOfLessThanATenthOrWithinTheForecastNeedsNoCount() {
    sixUsualMinutes();

    assertThat(tick(7, 27.5, 10).observed()).hasValue(27.5);
    assertThat(tick(8, 29.6, 10).observed()).hasValue(29.6);
    assertThat(needed).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"30, 20, all are back", "29.8, 10, the value is back", "15, 20, demand did fall"})
  void samplesAreBelievedAgainBeforeTheTenMinutesAreOver(double demand, double series, String why) {
    sixUsualMinutes();
    for (int minute = 7; minute < 10; minute++) {
      assertThat(tick(minute, 15, 10).missing()).isPresent();
    }
    var back = tick(10, demand, series);

    assertThat(back.observed()).as(why).hasValue(demand);
    assertThat(back.missing()).isEmpty();
    assertThat(back.served().orElseThrow().computedAt()).isEqualTo(at(10));
  }

  @Test
  void demandThatFallsWithItsPodsIsBelievedAfterTenMinutes() {
    sixUsualMinutes();
    for (int minute = 7; minute < 17; minute++) {
      int step = Math.min(minute - 6, 5);
      assertThat(tick(minute, 30 - 4 * step, 20 - 2 * step).missing()).isPresent();
    }

    assertThat(tick(17, 10, 10).observed()).hasValue(10);
  }

  @Test
  void aCountThatCannotBeReadDoesNotEndADoubt() {
    sixUsualMinutes();
    tick(7, 15, 10);
    var unread = tick(at(8), new Observed(List.of(new Sample(at(8), 15))));

    assertThat(unread.missing().orElseThrow().message()).contains("fell from 20 to 10");
    assertThat(unread.observed()).hasValue(30);
  }

  @Test
  void whereNoSeriesIsLeftAndAnotherValueStandsInThatIsNotBelieved() {
    sixUsualMinutes(); // sum(load) or vector(0)
    var counted = List.of(new Sample(at(6), 20));
    var zero = tick(at(7), new Observed(List.of(new Sample(at(7), 0)), counted));

    assertThat(zero.missing().orElseThrow().message()).contains("from 30 to 0", "from 20 to 0");
  }

  @Test
  void theDoubtEndsInTimeThoughNoSampleFollows() {
    sixUsualMinutes();
    tick(7, 15, 10);

    assertThat(tick(at(16), none()).missing().orElseThrow().reason())
        .isEqualTo(Reading.Reason.SERIES_LOST);
    assertThat(tick(at(17), none()).missing().orElseThrow().reason())
        .isEqualTo(Reading.Reason.STALE);
  }

  @Test
  void samplesThatAreReadAgainStayUnknownAndAreNotLearned() {
    sixUsualMinutes();
    tick(7, 15, 10);
    tick(8, 15, 10);
    assertThat(cycle.observedUntil("requests")).isEqualTo(at(6));
    var all = List.of(new Sample(at(7), 15), new Sample(at(8), 15), new Sample(at(9), 30));
    cycle.learn("requests", usual(at(0), Duration.ofMinutes(1), 9));
    var demand = usual(START.minus(Duration.ofDays(3)), Duration.ofMinutes(1), 3 * DAY + 9);
    var withTheFall = demand.toArray();
    withTheFall[3 * DAY + 6] = 15;
    withTheFall[3 * DAY + 7] = 15;
    cycle.learn("requests", series(demand.start(), withTheFall));
    var after = tick(at(9), new Observed(all));

    assertThat(after.forecast().orElseThrow().p50()).isBetween(29.0, 31.0);
  }

  @Test
  void whatIsForecastAfterwardsIsWhatItWasWithoutTheFall() {
    sixUsualMinutes();
    tick(7, 15, 10);
    tick(8, 15, 10);
    var fallen = tick(9, 30, 20);

    var other = new LostSeriesTest();
    other.sixUsualMinutes();
    var missing = new Reading.Missing(Reading.Reason.UNREACHABLE, "No answer.");
    other.tick(at(7), missing);
    other.tick(at(8), missing);
    var missed = other.tick(9, 30, 20);
    assertThat(fallen.forecast()).isEqualTo(missed.forecast());
    assertThat(fallen.served()).isEqualTo(missed.served());
  }

  @Test
  void nothingIsDoubtedBeforeForecastsAreTrusted() {
    cycle = ScalingCycles.cycle(settings(Duration.ofMinutes(1)));
    for (int minute = 1; minute <= 6; minute++) {
      tick(minute, 30, 20);
    }

    assertThat(tick(7, 15, 10).observed()).hasValue(15);
    assertThat(needed).isEmpty();
  }

  @Test
  void whereAStepIsLongerThanTenMinutesNothingIsDoubted() {
    var step = Duration.ofMinutes(15);
    cycle = wellKnown(step);
    for (int i = 1; i <= 6; i++) {
      tick(START.plus(step.multipliedBy(i)), 30, 20);
    }

    assertThat(tick(START.plus(step.multipliedBy(7)), 15, 10).observed()).hasValue(15);
    assertThat(needed).isEmpty();
  }
}
