package io.prescale.forecasting.classic;

import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.ZoneId;

/**
 * The number of steps back to the same point of a season, one or more cycles earlier. Whole days
 * are counted by the local clock.
 */
record SeasonalLag(Season season, Duration step, LocalClock clock) {
  /** A day can be longer than 24 hours by this much when clocks change. */
  private static final Duration LONGEST_CLOCK_CHANGE = Duration.ofHours(2);

  static SeasonalLag of(Season season, TimeSeries series, ZoneId zone) {
    return new SeasonalLag(season, series.step(), LocalClock.of(series, zone));
  }

  int steps(int i, int cycles) {
    long days = season.period().toDays();
    if (days > 0 && season.period().equals(Duration.ofDays(days))) {
      return clock.lagSteps(i, Math.toIntExact(cycles * days));
    }
    return (int) Math.max(1, Math.round(cycles * (double) millis() / step.toMillis()));
  }

  /** The longest possible cycle, with clock changes. */
  int longestSteps() {
    return (int) Math.ceil((double) (millis() + slackMillis()) / step.toMillis());
  }

  double meanSteps() {
    return (double) millis() / step.toMillis();
  }

  private long millis() {
    return season.period().toMillis();
  }

  private long slackMillis() {
    return season.followsLocalTime() ? LONGEST_CLOCK_CHANGE.toMillis() : 0;
  }
}
