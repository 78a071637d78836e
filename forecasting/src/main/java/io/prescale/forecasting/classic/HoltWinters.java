package io.prescale.forecasting.classic;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;

/**
 * Additive Holt–Winters with damped trend, ETS(A,Ad,A), for up to two seasons (FPP3 §8.3 and §8.5;
 * two seasons after Taylor 2003, Journal of the Operational Research Society 54). Without a season
 * it is Holt's damped method, ETS(A,Ad,N).
 *
 * <p>A long season is a curve through at most 336 points instead of one index per step, see {@link
 * PeriodicProfile}: otherwise each of a day's 1440 indices would learn from one noisy value a day.
 * Seasons that the history covers less than twice are left out. A missing value advances the level
 * by the trend and changes nothing else. Refuses fewer than ten values.
 *
 * <p>Cost: up to 90 passes over the newest four weeks of minutes, or as many steps, to fit; O(1) to
 * observe; O(steps) for a path.
 *
 * @param zone whose local time the days and weeks follow
 */
public record HoltWinters(ZoneId zone) implements Forecaster {
  private static final int FEWEST_VALUES = 10;

  /** Besides one step, parameters are chosen for a pod's start-up time and for some hours ahead. */
  private static final Duration[] LEADS = {Duration.ofMinutes(15), Duration.ofHours(3)};

  @Override
  public Fit fit(TimeSeries history, List<Season> seasons) {
    var used = UsableSeasons.of(history, seasons, Smoothing.MOST_SEASONS);
    return Plausible.refusal(history, FEWEST_VALUES)
        .orElseGet(() -> fitted(RecentHistory.of(history, used), used));
  }

  private Fit fitted(TimeSeries history, List<Season> seasons) {
    var step = history.step();
    var values = history.toArray();
    var phases = LocalClock.of(history, zone).phases(0, values.length, seasons);
    var knots = knots(step, seasons);
    int window = window(history, seasons);
    var state = new InitialState(values, phases, knots, window).estimate(SmoothedState.USUAL_CLIP);

    int counted = window < values.length ? window : 0;
    var stepsPerKnot = stepsPerKnot(step, seasons, knots);
    var smoothing =
        new SmoothingSearch(values, phases, stepsPerKnot, state, counted, leads(step)).search();
    var errors = new double[values.length];
    for (int i = 0; i < errors.length; i++) {
      errors[i] = state.observe(smoothing, values[i], phases, i);
    }
    var shifts = ShiftDetector.of(Arrays.copyOfRange(errors, counted, errors.length), step);
    var clock = new LocalClock(history.end(), step, zone);
    return new Fit.Fitted(new FittedHoltWinters(smoothing, state, shifts, seasons, clock));
  }

  /**
   * How many values the initial state is estimated from: one cycle of the longest season, two if
   * the history has eight or more (FPP3 §8.6); without a season, a quarter of the series, at most
   * 60 steps.
   */
  private static int window(TimeSeries history, List<Season> seasons) {
    if (seasons.isEmpty()) {
      return Math.clamp(history.size() / 4, 1, 60);
    }
    var longest = seasons.getLast();
    int cycles = UsableSeasons.cycles(history, longest) >= 8 ? 2 : 1;
    long millis = cycles * longest.period().toMillis();
    return (int) Math.min(history.size(), Math.ceilDiv(millis, history.step().toMillis()));
  }

  private static int[] leads(Duration step) {
    return Arrays.stream(LEADS)
        .mapToInt(lead -> (int) lead.dividedBy(step))
        .filter(steps -> steps > 1)
        .toArray();
  }

  private static int[] knots(Duration step, List<Season> seasons) {
    return seasons.stream()
        .mapToInt(season -> PeriodicProfile.knotsFor(season.period(), step))
        .toArray();
  }

  private static double[] stepsPerKnot(Duration step, List<Season> seasons, int[] knots) {
    var steps = new double[knots.length];
    for (int s = 0; s < steps.length; s++) {
      steps[s] = (double) seasons.get(s).period().toMillis() / step.toMillis() / knots[s];
    }
    return steps;
  }
}
