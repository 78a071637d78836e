package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.simulation.replay.SharedFolder;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How often the breaker opens on good forecasts of production traces, and how soon on broken ones.
 * The figures in docs/benchmarks.md are those of all traces in full: {@code
 * -Dprescale.wholeTraces=true}. Skipped without the traces.
 */
class BreakerOnTracesTest {
  private static final boolean WHOLE = Boolean.getBoolean("prescale.wholeTraces");
  private static final double LEVEL = Risk.HIGHEST_JUDGED_LEVEL;
  private static final int DAY = 1440;
  private static final int HISTORY = 3 * DAY;
  private static final double[] FACTORS = {3, 2, 0.8, 0.5};

  /** Forecasts that are good until a minute and then multiplied with a factor. */
  private static final class Broken {
    private final double factor;
    private final int from;
    private final ForecastTrack track = new ForecastTrack(EventCalendar.empty(), LEVEL);
    private int openedAfter = -1;

    private Broken(double factor, int from) {
      this.factor = factor;
      this.from = from;
    }

    void minute(int minute, PeakForecaster forecaster, double newest) {
      track.settle(forecaster);
      if (minute >= from && openedAfter < 0 && !track.breaker().isClosed()) {
        openedAfter = minute - from;
      }
      var forecast = forecaster.forecast().orElseThrow();
      track.made(minute < from ? forecast : scaled(forecast, factor), newest, forecaster);
    }
  }

  static List<String> traces() {
    return WHOLE ? List.of("00", "02", "04", "05", "09", "11", "12") : List.of("04", "11");
  }

  @ParameterizedTest
  @MethodSource("traces")
  void staysClosedOnGoodForecastsAndOpensOnBrokenOnes(String name) throws Exception {
    TimeSeries trace = SharedFolder.trace("cluster-" + name);
    int minutes = WHOLE ? trace.size() : Math.min(trace.size(), 7 * DAY);
    var settings = PeakSettings.forLead(Duration.ofMinutes(5));
    var rehearsal = Rehearsal.of(trace.slice(0, HISTORY), settings, LEVEL);
    var forecaster = rehearsal.forecaster();
    var good = rehearsal.track();
    var broken = brokenOnes(minutes);
    int open = 0;
    for (int i = HISTORY; i < minutes; i++) {
      double newest = trace.value(i);
      forecaster.observe(newest);
      if (forecaster.refitDue()) {
        forecaster.adopt(forecaster.refit().compute());
      }
      good.settle(forecaster);
      good.made(forecaster.forecast().orElseThrow(), newest, forecaster);
      open += good.breaker().isClosed() ? 0 : 1;
      for (Broken each : broken) {
        each.minute(i, forecaster, newest);
      }
    }
    double share = (double) open / (minutes - HISTORY);
    if (WHOLE) {
      report(name, share, broken);
    }
    assertThat(share).as("share of time open").isLessThan(0.05);
    assertThat(median(broken, 3)).as("three times too high").isBetween(10, 8 * 60);
    assertThat(median(broken, 0.5)).as("half").isBetween(10, 4 * 60);
  }

  /** One for each factor and each half day that leaves a day to notice it in. */
  private static List<Broken> brokenOnes(int minutes) {
    var broken = new ArrayList<Broken>();
    for (double factor : FACTORS) {
      for (int from = HISTORY + 2 * DAY; from <= minutes - DAY; from += DAY / 2) {
        broken.add(new Broken(factor, from));
      }
    }
    return broken;
  }

  private static int median(List<Broken> broken, double factor) {
    int[] after =
        broken.stream()
            .filter(b -> b.factor == factor)
            .mapToInt(b -> b.openedAfter < 0 ? Integer.MAX_VALUE : b.openedAfter)
            .sorted()
            .toArray();
    return after[after.length / 2];
  }

  @SuppressWarnings("SystemOut")
  private static void report(String name, double share, List<Broken> broken) {
    System.out.printf("%s open %.2f %%", name, 100 * share);
    for (double factor : FACTORS) {
      int[] after =
          broken.stream()
              .filter(b -> b.factor == factor)
              .mapToInt(b -> b.openedAfter)
              .sorted()
              .toArray();
      System.out.printf(
          " | x%s: median %d, all %s", factor, median(broken, factor), Arrays.toString(after));
    }
    System.out.println();
  }

  private static QuantileForecast scaled(QuantileForecast forecast, double factor) {
    double[] levels = forecast.levels();
    double[] values =
        Arrays.stream(levels).map(level -> factor * forecast.quantile(level)).toArray();
    return QuantileForecast.of(
        forecast.origin(),
        forecast.lead(),
        forecast.window(),
        levels,
        values,
        new ForecastParts(0, 0, 0, 0, 0, List.of()));
  }
}
