package io.prescale.controller.simulation.report;

import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.Tick;
import java.time.ZoneId;
import java.util.List;

/**
 * How often the highest demand of a window stayed at or below a quantile, by hour of the day at the
 * start of the window. Windows with an unobserved minute are excluded.
 */
final class HourlyCoverage {

  static final int HOURS = 24;

  /** A quantile that policies forecast. */
  enum Level {
    P50(0.50),
    P90(0.90),
    P95(0.95),
    P99(0.99);

    private final double promised;

    Level(double promised) {
      this.promised = promised;
    }

    double promised() {
      return promised;
    }

    private double forecast(Tick tick) {
      return switch (this) {
        case P50 -> tick.p50();
        case P90 -> tick.p90();
        case P95 -> tick.p95();
        case P99 -> tick.p99();
      };
    }
  }

  private final Level level;
  private final int[] forecasts = new int[HOURS];
  private final int[] held = new int[HOURS];

  private HourlyCoverage(Level level) {
    this.level = level;
  }

  /** O(minutes · window). */
  static HourlyCoverage of(ReplayResult result, PolicyRun run, Level level, ZoneId zone) {
    var coverage = new HourlyCoverage(level);
    var minutes = new ScoredMinutes(result);
    int lead = result.settings().leadMinutes();
    List<Tick> ticks = run.ticks();
    int end = ticks.size() - lead - result.settings().windowMinutes();
    for (int i = result.trace().scoredFrom(); i <= end; i++) {
      double error = minutes.windowMaximum(ticks, i) - level.forecast(ticks.get(i));
      if (!Double.isNaN(error)) {
        int hour = ticks.get(i + lead).time().atZone(zone).getHour();
        coverage.forecasts[hour]++;
        coverage.held[hour] += error <= 0 ? 1 : 0;
      }
    }
    return coverage;
  }

  Level level() {
    return level;
  }

  int forecasts(int hour) {
    return forecasts[hour];
  }

  /** The coverage in an hour; NaN without forecasts. */
  double share(int hour) {
    return (double) held[hour] / forecasts[hour];
  }
}
