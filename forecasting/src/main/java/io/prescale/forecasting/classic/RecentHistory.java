package io.prescale.forecasting.classic;

import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.util.List;

/** Bounds the time that fitting takes, however long the history is. */
final class RecentHistory {
  private RecentHistory() {}

  /** The newest {@code mostSteps} steps, or two cycles of each season where that is more. */
  static TimeSeries of(TimeSeries history, List<Season> seasons, int mostSteps) {
    long steps = mostSteps;
    for (var season : seasons) {
      long period = Math.ceilDiv(season.period().toMillis(), history.step().toMillis());
      steps = Math.max(steps, 2 * period);
    }
    return history.slice((int) Math.max(0, history.size() - steps), history.size());
  }
}
