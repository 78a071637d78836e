package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.SyntheticSeries;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bursts at random times that a gateway sees twelve minutes before the service does. */
class LeadingSeriesTest {
  private static final PeakSettings SETTINGS = TestingSettings.refittedEvery(Duration.ofHours(12));
  private static final Instant START = SyntheticSeries.START;
  private static final int DAY = SyntheticSeries.DAY;
  private static final int LAG = 12;
  private static final int STEPS = 4 * DAY;

  @Test
  void burstsAreForeseenFromTheSeriesThatSeesThemFirst() {
    var arrivals = bursts(1);
    var demand = later(arrivals, LAG, 0.25, 2);
    double alone = loss(run(demand), 3 * DAY);

    var led = run(demand, LeadingSeries.of("gateway", arrivals));

    assertThat(loss(led, 3 * DAY)).isLessThan(0.5 * alone);
    assertThat(led.coverage(0.9, 3 * DAY, STEPS - 10)).isBetween(0.86, 0.94);
    var leading = led.newest().parts().leading().getFirst();
    assertThat(leading.series()).isEqualTo("gateway");
    assertThat(leading.lag()).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(14));
  }

  @Test
  void aSeriesThatAnnouncesNothingDoesNoHarm() {
    var demand = later(bursts(1), LAG, 0.25, 2);
    double alone = loss(run(demand), 3 * DAY);
    assertThat(loss(run(demand, LeadingSeries.of("noise", bursts(77))), 3 * DAY))
        .isLessThan(1.02 * alone);
  }

  @Test
  void theUsefulOneAmongSeveralIsFound() {
    var arrivals = bursts(1);
    var demand = later(arrivals, LAG, 0.25, 2);
    double one = loss(run(demand, LeadingSeries.of("gateway", arrivals)), 3 * DAY);
    double three =
        loss(
            run(
                demand,
                LeadingSeries.of("noise", bursts(77)),
                LeadingSeries.of("gateway", arrivals),
                LeadingSeries.of("late", later(arrivals, 2 * LAG, 1, 3))),
            3 * DAY);
    assertThat(three).isLessThan(1.1 * one);
  }

  @Test
  void aSeriesThatEndsIsNoLongerFollowed() {
    var arrivals = bursts(1);
    var demand = later(arrivals, LAG, 0.25, 2);
    var ended = new LeadingSeries("gateway", START, SETTINGS.step(), STEPS);
    ended.learn(arrivals.slice(0, 3 * DAY));
    double alone = loss(run(demand), 3 * DAY + DAY / 2);
    // The calibration still remembers errors of the time when it was followed.
    assertThat(loss(run(demand, ended), 3 * DAY + DAY / 2)).isLessThan(1.2 * alone);
  }

  @Test
  void whatIsKnownOfASeriesLaterThanTheDemandChangesNothing() {
    var arrivals = bursts(1);
    var demand = later(arrivals, LAG, 0.25, 2).slice(0, 2 * DAY);
    var onlyBefore = new LeadingSeries("gateway", START, SETTINGS.step(), STEPS);
    onlyBefore.learn(arrivals.slice(0, 2 * DAY));
    assertThat(run(demand, onlyBefore).newest())
        .hasToString(run(demand, LeadingSeries.of("gateway", arrivals)).newest().toString());
  }

  @Test
  void whatIsObservedStepByStepIsFollowedAsIfItWereKnownBefore() {
    var arrivals = bursts(1).slice(0, 2 * DAY);
    var demand = later(arrivals, LAG, 0.25, 2);
    var live = new LeadingSeries("gateway", START, SETTINGS.step(), STEPS);
    var run = run(demand.slice(0, 0), live);
    for (int i = 0; i < demand.size(); i++) {
      live.observe(arrivals.time(i), arrivals.value(i));
      run.feed(demand.value(i));
    }
    assertThat(run.newest().parts().leading()).hasSize(1);
    assertThat(run.newest())
        .hasToString(run(demand, LeadingSeries.of("gateway", arrivals)).newest().toString());
  }

  @Test
  void aHistoryThatComesLaterIsLearnedFromAtOnce() {
    var arrivals = bursts(1).slice(0, 2 * DAY);
    var demand = later(arrivals, LAG, 0.25, 2);
    var series = new LeadingSeries("gateway", START, SETTINGS.step(), STEPS);
    var run = run(demand.slice(0, 2 * DAY - 60), series);
    int refits = run.refits;
    assertThat(run.newest().parts().leading()).isEmpty();

    series.learn(arrivals);
    run.feed(demand.slice(2 * DAY - 60, 2 * DAY).toArray());

    assertThat(run.refits).isEqualTo(refits + 1);
    assertThat(run.newest().parts().leading()).hasSize(1);
  }

  @Test
  void observationsAfterAHistoryAreKeptAndThoseOfBeforeReplaced() {
    var series = new LeadingSeries("gateway", START.plusSeconds(120), SETTINGS.step(), 10);
    series.observe(START.plusSeconds(120), 7);
    series.observe(START.plusSeconds(240), 9);
    series.observe(START.plusSeconds(180), 100); // observed as missing before
    series.observe(START.plusSeconds(300), -1e31);
    series.learn(TimeSeries.of(START, SETTINGS.step(), new double[] {1, 2, 3}));

    var demand =
        new DemandHistory(START, SETTINGS.step(), ZoneOffset.UTC, EventCalendar.empty(), 10);
    assertThat(series.next()).isEqualTo(START.plusSeconds(360));
    double[] values = new double[6];
    Arrays.setAll(values, i -> series.mean(demand, i, i + 1));
    assertThat(values).containsExactly(1, 2, 3, Double.NaN, 9, Double.NaN);
  }

  @Test
  void aPauseLongerThanWhatIsKeptBeginsAnew() {
    var series = new LeadingSeries("gateway", START, SETTINGS.step(), 10);
    series.observe(START, 7);
    var late = START.plus(Duration.ofDays(3000));
    series.observe(late, 5);
    assertThat(series.next()).isEqualTo(late.plus(SETTINGS.step()));
  }

  @Test
  void aSeriesOfOtherStepsIsRefused() {
    var hours = new LeadingSeries("hours", START, Duration.ofHours(1), 10);
    var forecaster = new PeakForecaster(START, SETTINGS);
    assertThatThrownBy(() -> forecaster.follow(List.of(hours))).hasMessageContaining("PT1M");
    var minutes = TimeSeries.of(START, SETTINGS.step(), new double[] {1, 2, 3});
    assertThatThrownBy(() -> hours.learn(minutes)).hasMessageContaining("PT1H");
  }

  @Test
  void whatASeriesWasWorthIsNotRestored() {
    var arrivals = bursts(1).slice(0, 2 * DAY);
    var demand = later(arrivals, LAG, 0.25, 2);
    byte[] saved = run(demand, LeadingSeries.of("gateway", arrivals)).forecaster.save();
    var restored = (PeakForecaster.Restored.Ok) PeakForecaster.restore(saved, SETTINGS);
    var forecaster = restored.forecaster();

    forecaster.follow(List.of(LeadingSeries.of("noise", bursts(77).slice(0, 2 * DAY))));
    assertThat(forecaster.refitDue()).isTrue();
    forecaster.adopt(forecaster.refit().compute());

    assertThat(forecaster.forecast().orElseThrow().parts().leading())
        .as("before it has a record of its own")
        .isEmpty();
  }

  @Test
  void aSeriesNeedsAName() {
    assertThatThrownBy(() -> new LeadingSeries(" ", START, SETTINGS.step(), 10))
        .hasMessageContaining("name");
  }

  private static PeakRun run(TimeSeries demand, LeadingSeries... leading) {
    var run = new PeakRun(demand.start(), SETTINGS);
    run.forecaster.follow(List.of(leading));
    return run.feed(demand.toArray());
  }

  /**
   * Twelve bursts a day at random times, of random heights, of 15 to 45 minutes, on a day's wave.
   */
  private static TimeSeries bursts(long seed) {
    var random = new SplittableRandom(seed);
    double[] added = new double[STEPS];
    for (int i = 0; i < STEPS / 120; i++) {
      int from = random.nextInt(STEPS);
      int minutes = random.nextInt(15, 46);
      double height = random.nextDouble(50, 200);
      for (int k = from; k < Math.min(STEPS, from + minutes); k++) {
        added[k] += height;
      }
    }
    return SyntheticSeries.minutes(STEPS)
        .plus(100)
        .plus(SyntheticSeries.workday(60))
        .plus(i -> added[i])
        .noise(5, 0.5, seed + 1000)
        .build();
  }

  /** The same some minutes later, times a factor, with noise of its own. */
  private static TimeSeries later(TimeSeries first, int minutes, double factor, long seed) {
    return SyntheticSeries.minutes(first.size())
        .plus(i -> factor * first.value(Math.max(0, i - minutes)))
        .noise(1, 0.5, seed)
        .build();
  }

  /** Mean pinball loss of four levels over the forecasts from a step on. */
  private static double loss(PeakRun run, int from) {
    double[] levels = {0.1, 0.5, 0.9, 0.95};
    double sum = 0;
    int to = run.size() - 10;
    for (int t = from; t < to; t++) {
      var forecast = run.after(t).orElseThrow();
      double[] values = Arrays.stream(levels).map(forecast::quantile).toArray();
      sum += Levels.pinball(levels, run.truth(t), values);
    }
    return sum / (to - from);
  }
}
