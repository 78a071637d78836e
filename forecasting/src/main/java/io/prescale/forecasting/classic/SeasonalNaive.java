package io.prescale.forecasting.classic;

import static java.util.Comparator.comparing;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/**
 * Repeats the last season (FPP3 §5.2): the mean of the values at the same local time in the last
 * {@code cycles} cycles of the longest season, without drift. Without a season it is the naive
 * forecast, the mean of the last {@code cycles} values.
 *
 * <p>A value that is missing one season ago is replaced by that of the season before, then by the
 * nearest in time, up to half an hour of a day, and then by the last one known. Works from the
 * first value on.
 *
 * <p>Cost: O(n) to fit, O(1) to observe, O(steps) for a path; keeps one cycle more than it
 * averages.
 *
 * @param zone whose local time the days and weeks follow
 * @param cycles how many past cycles a forecast averages
 * @param followsLevel whether to add the recent mean deviation from past seasons, see {@link
 *     DriftingLevel}; it fades over one season, by when the repeated season contains the shift
 *     itself
 */
public record SeasonalNaive(ZoneId zone, int cycles, boolean followsLevel) implements Forecaster {
  private static final int MOST_CYCLES = 8;

  /** The errors are learned from this many cycles, or steps if these are more. */
  private static final int LEARNING_CYCLES = 4;

  private static final int FEWEST_LEARNING_STEPS = FittedSeasonalNaive.VARIANCE_MEMORY;

  public SeasonalNaive {
    if (cycles < 1 || cycles > MOST_CYCLES) {
      throw new IllegalArgumentException("cycles must be from 1 to " + MOST_CYCLES + ": " + cycles);
    }
  }

  /** Repeats exactly the last season. */
  public SeasonalNaive(ZoneId zone) {
    this(zone, 1, false);
  }

  @Override
  public String name() {
    return "seasonal-naive"
        + (cycles > 1 ? "-mean-of-" + cycles : "")
        + (followsLevel ? "-level" : "");
  }

  @Override
  public Fit fit(TimeSeries history, List<Season> seasons) {
    return Plausible.refusal(history, 1).orElseGet(() -> fitted(history, seasons));
  }

  private Fit fitted(TimeSeries history, List<Season> seasons) {
    var lag = SeasonalLag.of(longest(history, seasons), history, zone);
    int learning = Math.max(FEWEST_LEARNING_STEPS, LEARNING_CYCLES * lag.longestSteps());
    int first = Math.max(0, history.size() - learning - cycles * lag.longestSteps());
    var deviations = deviations(history, lag, first);
    var drift = DriftingLevel.fit(deviations, history.step());
    var model = new FittedSeasonalNaive(this, lag, first, lastValue(history, first), drift);
    for (int i = first; i < history.size(); i++) {
      model.observe(history.value(i));
    }
    return new Fit.Fitted(model);
  }

  private double[] deviations(TimeSeries history, SeasonalLag lag, int first) {
    var deviations = new double[history.size() - first];
    for (int i = first; i < history.size(); i++) {
      int before = i - lag.steps(i, 1);
      deviations[i - first] =
          before < first ? Double.NaN : history.value(i) - history.value(before);
    }
    return deviations;
  }

  private static double lastValue(TimeSeries history, int end) {
    int i = end - 1;
    while (i >= 0 && history.isMissing(i)) {
      i--;
    }
    return i >= 0 ? history.value(i) : Double.NaN;
  }

  /** The longest season that the history covers; without any, a step: the naive forecast. */
  private static Season longest(TimeSeries history, List<Season> seasons) {
    var covered = Duration.between(history.start(), history.end());
    return seasons.stream()
        .filter(season -> season.period().compareTo(covered) <= 0)
        .filter(season -> season.period().compareTo(history.step()) > 0)
        .max(comparing(Season::period))
        .orElse(new Season(history.step(), 0));
  }
}
