package io.prescale.controller.autoscaling;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.ForecastParts;
import io.prescale.forecasting.online.PeakForecaster;
import io.prescale.forecasting.online.PeakSettings;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What breakers do on a trace of minutes after three days of history, lead 5 min: one beside good
 * forecasts, and others beside forecasts that from a minute on are multiplied with a factor.
 */
final class BreakerRun {
  static final double[] FACTORS = {3, 2, 0.8, 0.5};
  static final int DAY = 1440;

  private static final double LEVEL = Risk.HIGHEST_JUDGED_LEVEL;
  private static final int HISTORY = 3 * DAY;

  /** The levels at which forecasts have quantiles. */
  private static final double[] LEVELS = {
    0.05, 0.1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998
  };

  private final int minutes;
  private final List<Broken> broken = new ArrayList<>();
  private int open;

  /** Forecasts that are good until a minute and then multiplied with a factor. */
  private static final class Broken {
    private final double factor;
    private final int from;
    private final ForecastTrack track =
        new ForecastTrack(EventCalendar.empty(), new Breaker(LEVEL));
    private int openedAfter = Integer.MAX_VALUE;

    private Broken(double factor, int from) {
      this.factor = factor;
      this.from = from;
    }

    void minute(int minute, PeakForecaster forecaster) {
      track.settle(forecaster);
      if (minute >= from && openedAfter == Integer.MAX_VALUE && !track.breaker().isClosed()) {
        openedAfter = minute - from;
      }
      var forecast = forecaster.forecast().orElseThrow();
      track.made(minute < from ? forecast : scaled(forecast, factor), forecaster);
    }
  }

  private BreakerRun(int minutes) {
    this.minutes = minutes;
    for (double factor : FACTORS) {
      // One for each half day that leaves a day to notice it in.
      for (int from = HISTORY + 2 * DAY; from <= minutes - DAY; from += DAY / 2) {
        broken.add(new Broken(factor, from));
      }
    }
  }

  static BreakerRun on(TimeSeries trace) {
    var run = new BreakerRun(trace.size());
    var settings = PeakSettings.forLead(Duration.ofMinutes(5));
    var rehearsal = Rehearsal.of(trace.slice(0, HISTORY), settings, LEVEL, List.of());
    var forecaster = rehearsal.forecaster();
    forecaster.adopt(forecaster.refit().compute());
    var good = rehearsal.track();
    for (int i = HISTORY; i < trace.size(); i++) {
      forecaster.observe(trace.value(i));
      if (forecaster.refitDue()) {
        forecaster.adopt(forecaster.refit().compute());
      }
      good.settle(forecaster);
      good.made(forecaster.forecast().orElseThrow(), forecaster);
      run.open += good.breaker().isClosed() ? 0 : 1;
      for (Broken each : run.broken) {
        each.minute(i, forecaster);
      }
    }
    return run;
  }

  /** Share of the time after the history in which the breaker was open on good forecasts. */
  double shareOpen() {
    return (double) open / (minutes - HISTORY);
  }

  /**
   * Minutes until it opened on forecasts that a factor broke, ascending; the greatest for never.
   */
  int[] openedAfter(double factor) {
    return broken.stream()
        .filter(b -> b.factor == factor)
        .mapToInt(b -> b.openedAfter)
        .sorted()
        .toArray();
  }

  int median(double factor) {
    int[] after = openedAfter(factor);
    return after[after.length / 2];
  }

  private static QuantileForecast scaled(QuantileForecast forecast, double factor) {
    double[] values =
        Arrays.stream(LEVELS).map(level -> factor * forecast.quantile(level)).toArray();
    return new QuantileForecast(
        forecast.origin(),
        forecast.lead(),
        forecast.window(),
        LEVELS,
        values,
        new ForecastParts(0, 0, 0, 0, 0, List.of()));
  }
}
