package io.prescale.forecasting.online;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * How high demand gets within half an hour from the beginning of a forecast's window, judged by how
 * high it got after the forecasts of the last days.
 *
 * <p>That is the forecast's median, half of the rise that the same half an hour had a day before,
 * and an error. Errors are in units of the distance from the median to the 90 % quantile, so that
 * they grow with the forecast's own uncertainty; older ones fade with a half-life of a day. Costs a
 * look at an hour of observations a step, where a second forecaster would double the cost of all.
 * Not thread-safe.
 */
public final class LaterPeaks {
  private static final Duration WITHIN = Duration.ofMinutes(30);
  private static final Duration DAY = Duration.ofDays(1);

  /** Demand repeats itself from day to day in part: with all of the rise, errors are larger. */
  private static final double SHARE_OF_RISE = 0.5;

  /** How many errors the prior counts for, and its standard deviation. */
  private static final double PRIOR_ERRORS = 60;

  private static final double PRIOR_SCALE = 1;

  /** The least unit of errors, as a share of the median. */
  private static final double NARROWEST = 0.001;

  private final PastDemand past;
  private final ErrorDistribution errors;
  private final Deque<Expected> pending = new ArrayDeque<>();
  private @Nullable Expected newest;

  private record Expected(Instant from, Instant to, double middle, double spread) {}

  /**
   * Begins without errors.
   *
   * @param step time between two forecasts
   */
  public LaterPeaks(PastDemand past, Duration step) {
    if (!step.isPositive()) {
      throw new IllegalArgumentException("step must be positive: " + step);
    }
    this.past = past;
    this.errors =
        new ErrorDistribution(
            Math.max(1, (double) DAY.toNanos() / step.toNanos()), PRIOR_ERRORS, PRIOR_SCALE);
  }

  /** Half an hour, or the window of the forecasts if that is longer. */
  public static Duration within(Duration window) {
    return window.compareTo(WITHIN) > 0 ? window : WITHIN;
  }

  /** Takes in a newer forecast, and how high demand got after earlier ones. */
  public void next(QuantileForecast forecast) {
    while (!pending.isEmpty() && !pending.peek().to().isAfter(forecast.origin())) {
      settle(pending.remove());
    }
    var expected = expected(forecast);
    newest = expected;
    pending.add(expected);
  }

  private void settle(Expected was) {
    past.highest(was.from(), was.to())
        .ifPresent(truth -> errors.add((truth - was.middle()) / was.spread()));
  }

  private Expected expected(QuantileForecast forecast) {
    Instant from = forecast.origin().plus(forecast.lead());
    Instant to = from.plus(within(forecast.window()));
    double median = forecast.quantile(0.5);
    double spread =
        Math.max(forecast.quantile(0.9) - median, NARROWEST * Math.abs(median)) + Double.MIN_NORMAL;
    return new Expected(
        from,
        to,
        median + SHARE_OF_RISE * riseBefore(from, from.plus(forecast.window()), to, forecast),
        spread);
  }

  /** By how much demand rose after the window on the last day on which all of it is known. */
  private double riseBefore(Instant from, Instant mid, Instant to, QuantileForecast forecast) {
    Duration ahead = Duration.between(forecast.origin(), to);
    var back = DAY.multipliedBy(Math.ceilDiv(ahead.toMillis(), DAY.toMillis()));
    OptionalDouble first = past.highest(from.minus(back), mid.minus(back));
    OptionalDouble all = past.highest(from.minus(back), to.minus(back));
    return first.isPresent() && all.isPresent()
        ? Math.max(0, all.getAsDouble() - first.getAsDouble())
        : 0;
  }

  /**
   * The demand that is not exceeded within the half an hour with probability {@code level}; empty
   * before the first forecast.
   *
   * @param level from 0 to 1
   */
  public OptionalDouble quantile(double level) {
    if (!(level >= 0 && level <= 1)) {
      throw new IllegalArgumentException("level must be from 0 to 1: " + level);
    }
    var expected = newest;
    if (expected == null) {
      return OptionalDouble.empty();
    }
    double[] error = new double[1];
    errors.quantiles(new double[] {level}, error);
    return OptionalDouble.of(expected.middle() + error[0] * expected.spread());
  }
}
