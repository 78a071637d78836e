package io.prescale.controller.plan;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.forecasting.HistoryLength;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PathForecast;
import io.prescale.forecasting.online.PathForecaster;
import io.prescale.forecasting.online.PathSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * A forecast of the highest minute in each step of the 24 hours after a history of minutes, and
 * what came of the same forecasts on the days before. An HPA follows the highest minute of a step,
 * not its mean, which is low in a step in which the demand begins to rise.
 *
 * @param path the forecast
 * @param history the highest minutes that it was made of, by step
 * @param past of each step that was forecast a day ahead, the level at which the demand that came
 *     lay in its forecast; by the beginning of the step
 */
public record DayAhead(PathForecast path, TimeSeries history, SequencedMap<Instant, Double> past) {
  public static final Duration DAY = Duration.ofDays(1);

  private static final Duration STALE_AFTER = Duration.ofMinutes(10);
  private static final Duration REMEMBERED = Duration.ofDays(28);

  /** How long a forecast of the next day counts while no newer one can be made. */
  private static final Duration VALID_FOR = Duration.ofHours(4);

  /** Halvings of the levels between 0 and 1, to a thousandth. */
  private static final int HALVINGS = 10;

  public DayAhead {
    past = Collections.unmodifiableSequencedMap(new TreeMap<>(past));
  }

  /**
   * Whether a forecast still counts, so that cards are kept on its word: in an outage of what
   * records the demand the HPAs cannot follow it either.
   */
  public static boolean isValid(Instant made, Instant now) {
    return now.isBefore(made.plus(VALID_FOR));
  }

  /** What there is of a forecast. */
  public sealed interface Outlook {
    /** It was made. */
    record Known(DayAhead ahead) implements Outlook {}

    /** It cannot be made; a sentence says why. */
    record Unknown(String sentence) implements Outlook {}
  }

  /**
   * Forecasts; some seconds for two weeks. The models are fitted at the end of each of the last
   * days, so that the quantiles have been settled by some errors.
   *
   * @param history of minutes
   * @param step of the forecast
   * @param fits on how many of the last days models are fitted, today among them
   */
  public static Outlook of(
      TimeSeries history, Duration step, ForecastSettings settings, int fits, Instant now)
      throws InterruptedException {
    var known = Duration.between(history.start(), history.end());
    if (known.compareTo(DAY) < 0) {
      return new Outlook.Unknown(
          new HistoryLength(known).sentence() + " A forecast of the next day needs 24 h.");
    }
    var newest = newest(history);
    if (isStale(newest, now)) {
      return new Outlook.Unknown(
          "The newest demand is %d min old, so the next day cannot be forecast."
              .formatted(Duration.between(newest, now).toMinutes()));
    }
    return forecast(highest(history, step), settings, fits);
  }

  /**
   * The highest minute of each step, from that in which the history begins to the last whole one;
   * NaN where none is known. The first counts although it is not whole: two weeks must not lack a
   * step, or their week is no longer seen twice. O(n).
   *
   * @param history of minutes
   */
  public static TimeSeries highest(TimeSeries history, Duration step) {
    var begin = TimeSeries.stepBegin(history.start(), step);
    int steps = Math.toIntExact(Duration.between(begin, history.end()).dividedBy(step));
    return TimeSeries.of(begin, step, highest(history, begin, step, steps));
  }

  /** The highest minute of each of some steps; NaN where none is known. O(n). */
  public static double[] highest(TimeSeries minutes, Instant begin, Duration step, int steps) {
    var highest = new double[steps];
    Arrays.fill(highest, Double.NaN);
    for (int i = 0; i < minutes.size(); i++) {
      long at = Math.floorDiv(Duration.between(begin, minutes.time(i)).toMillis(), step.toMillis());
      if (at >= 0 && at < steps && !minutes.isMissing(i)) {
        double before = highest[(int) at];
        highest[(int) at] =
            Double.isNaN(before) ? minutes.value(i) : Math.max(before, minutes.value(i));
      }
    }
    return highest;
  }

  /** A forecaster of the highest minute in each step of a day, without observations. */
  public static PathForecaster forecaster(Instant start, Duration step, ForecastSettings settings) {
    return new PathForecaster(
        start,
        new PathSettings(step, step, DAY, settings.zone(), settings.calendar(), REMEMBERED, 1));
  }

  /** The end of the newest step whose demand is known; of the first, where none is. */
  private static Instant newest(TimeSeries history) {
    int last = history.size() - 1;
    while (last > 0 && Double.isNaN(history.value(last))) {
      last--;
    }
    return history.time(last + 1);
  }

  /** Whether the newest demand is too old to forecast from it. */
  public static boolean isStale(Instant newest, Instant now) {
    return Duration.between(newest, now).compareTo(STALE_AFTER) > 0;
  }

  /** The highest minute of the step that contains a time; empty where none is known. */
  public OptionalDouble highest(Instant time) {
    return at(history, time);
  }

  private static OptionalDouble at(TimeSeries steps, Instant time) {
    int step = steps.indexOf(time);
    return step < 0 || step >= steps.size() || steps.isMissing(step)
        ? OptionalDouble.empty()
        : OptionalDouble.of(steps.value(step));
  }

  private static Outlook forecast(TimeSeries history, ForecastSettings settings, int fits)
      throws InterruptedException {
    var forecaster = forecaster(history.start(), history.step(), settings);
    var past = new TreeMap<Instant, Double>();
    int day = Math.toIntExact(DAY.dividedBy(history.step()));
    for (int i = 0; i < history.size(); i++) {
      forecaster.observe(history.value(i));
      int left = history.size() - 1 - i;
      if (left % day == 0 && left / day < fits && i >= day) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        forecaster.refit();
        if (left > 0) {
          forecaster.forecast().ifPresent(path -> past.putAll(levels(path, history)));
        }
      }
    }
    return forecaster
        .forecast()
        .<Outlook>map(path -> new Outlook.Known(new DayAhead(path, history, past)))
        .orElse(new Outlook.Unknown("The newest demand is unknown, so nothing can be forecast."));
  }

  /** The level in the forecast of what came, where that is known. */
  private static SequencedMap<Instant, Double> levels(PathForecast path, TimeSeries history) {
    var levels = new TreeMap<Instant, Double>();
    for (int h = 0; h < path.steps(); h++) {
      var came = at(history, path.time(h));
      if (came.isPresent()) {
        levels.put(path.time(h), level(path, h, came.getAsDouble()));
      }
    }
    return levels;
  }

  private static double level(PathForecast path, int h, double value) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (path.quantile(h, middle) < value) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }
}
