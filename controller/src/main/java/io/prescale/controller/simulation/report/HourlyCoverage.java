package io.prescale.controller.simulation.report;

import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Quantiles;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.Tick;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalDouble;

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

    private OptionalDouble forecast(Tick tick) {
      return tick.quantile(
          switch (this) {
            case P50 -> Quantiles::p50;
            case P90 -> Quantiles::p90;
            case P95 -> Quantiles::p95;
            case P99 -> Quantiles::p99;
          });
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
      var highest = minutes.windowMaximum(ticks, i);
      var forecast = level.forecast(ticks.get(i));
      if (highest.isPresent() && forecast.isPresent()) {
        int hour = ticks.get(i + lead).time().atZone(zone).getHour();
        coverage.forecasts[hour]++;
        coverage.held[hour] += highest.getAsDouble() <= forecast.getAsDouble() ? 1 : 0;
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

  /** The coverage in an hour, if there were forecasts. */
  OptionalDouble share(int hour) {
    return forecasts[hour] == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) held[hour] / forecasts[hour]);
  }
}
