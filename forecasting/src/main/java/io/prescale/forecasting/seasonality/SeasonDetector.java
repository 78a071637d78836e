package io.prescale.forecasting.seasonality;

import static java.util.Comparator.comparing;

import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the seasons of a series: any number of them, including none, with periods from ten minutes
 * to two weeks, of which the series covers at least two. Stateless.
 *
 * <p>Candidates are the highest peaks of the periodogram relative to its background, and the day
 * and the week in any case. A candidate becomes a season when it passes {@link CycleTest} at a
 * level corrected for all the periods that could have been chosen, and when the autocorrelation at
 * its lag shows that enough of the variance repeats. A season that was found is subtracted before
 * the next search. Periods beyond a day are searched after the shorter ones, so a week must add
 * something to the day.
 *
 * <p>Cost: O(n log n) for each season found; about 20 ms for two weeks of minutes.
 */
public final class SeasonDetector {
  private static final Duration SHORTEST = Duration.ofMinutes(10);
  private static final Duration LONGEST = Duration.ofDays(14);
  private static final int FEWEST_STEPS_PER_CYCLE = 4;
  private static final int FEWEST_VALUES = 20;

  /** Periods up to this many days are searched first, longer ones afterwards. */
  private static final double DAYS_OF_A_SHORT_PERIOD = 1.2;

  /** The seasons, the longest first. */
  public List<Season> detect(TimeSeries series) {
    double[] signal = Signal.of(series);
    if (series.presentCount() < FEWEST_VALUES || isConstant(signal)) {
      return List.of();
    }
    double stepMillis = series.step().toMillis();
    double day = Season.DAY.toMillis() / stepMillis;
    double week = Season.WEEK.toMillis() / stepMillis;
    double shortest = Math.max(SHORTEST.toMillis() / stepMillis, FEWEST_STEPS_PER_CYCLE);
    double longest = LONGEST.toMillis() / stepMillis;

    var search = new SeasonSearch(signal, series.step());
    search.among(shortest, DAYS_OF_A_SHORT_PERIOD * day, day, 1);
    search.among(DAYS_OF_A_SHORT_PERIOD * day, longest, week, 7);
    return search.found().stream()
        .map(found -> season(found, stepMillis))
        .sorted(comparing(Season::period).reversed())
        .toList();
  }

  private static Season season(SeasonSearch.Found found, double stepMillis) {
    return new Season(
        Duration.ofMillis(Math.round(found.periodSteps() * stepMillis)), found.strength());
  }

  /** Whether nothing but rounding is left after the trend is removed. */
  private static boolean isConstant(double[] signal) {
    return Arrays.stream(signal).allMatch(x -> Math.abs(x) < 1e-12);
  }
}
