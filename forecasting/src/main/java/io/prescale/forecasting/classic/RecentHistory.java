package io.prescale.forecasting.classic;

import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.util.List;

/** Bounds the time that fitting takes, however long the history is. */
final class RecentHistory {
  private static final int FOUR_WEEKS_OF_MINUTES = 28 * 1440;

  private RecentHistory() {}

  /** As many steps as four weeks have minutes, or two cycles of each season where that is more. */
  static TimeSeries of(TimeSeries history, List<Season> seasons) {
    long steps = FOUR_WEEKS_OF_MINUTES;
    for (var season : seasons) {
      long period = Math.ceilDiv(season.period().toMillis(), history.step().toMillis());
      steps = Math.max(steps, 2 * period);
    }
    return history.slice((int) Math.max(0, history.size() - steps), history.size());
  }
}
