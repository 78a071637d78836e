package io.prescale.controller.autoscaling;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.online.PeakForecaster;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Keeps forecasts until their windows are over, then settles them for the {@link Breaker} beside
 * two references: the newest value, which a reactive HPA follows, and the highest demand in the
 * same window a day before. What was forecast about, or within, a time that is not learned from
 * does not count. Not thread-safe.
 */
public final class ForecastTrack {
  private static final Duration DAY = Duration.ofDays(1);
  private static final double NEARLY_IMPOSSIBLE = 0.001;
  private static final Duration STANDS_AFTER = Duration.ofMinutes(10);

  private final EventCalendar calendar;
  private final Breaker breaker;
  private final ArrayDeque<Open> open = new ArrayDeque<>();

  private record Open(
      Instant origin, Instant from, Instant to, Breaker.Forecast forecast, double leastPlausible) {

    boolean isAbout(Instant time) {
      return !time.isBefore(from) && time.isBefore(to);
    }
  }

  /**
   * A track of no forecasts yet, which are judged at this level.
   *
   * @param operatingLevel as of {@link Risk#operatingLevel}
   */
  public ForecastTrack(EventCalendar calendar, double operatingLevel) {
    this(calendar, new Breaker(operatingLevel));
  }

  ForecastTrack(EventCalendar calendar, Breaker breaker) {
    this.calendar = calendar;
    this.breaker = breaker;
  }

  Breaker breaker() {
    return breaker;
  }

  /**
   * What a decision may go by.
   *
   * @param forecast the newest forecast, which was taken in here unless its newest step may be
   *     wrong
   * @param newest demand during the newest completed step
   */
  public Outlook outlook(Optional<QuantileForecast> forecast, OptionalDouble newest) {
    var last = open.peekLast();
    var dayBefore =
        forecast.isPresent() && last != null && breaker.prefersDayBefore()
            ? last.forecast().dayBefore()
            : OptionalDouble.empty();
    return new Outlook(forecast, breaker.isClosed(), newest, dayBefore);
  }

  /** Settles what is over, of what was forecast at any lead time. Call after each observation. */
  public void settle(PeakForecaster forecaster) {
    Instant known = forecaster.confirmedUntil();
    while (!open.isEmpty() && !open.getFirst().to().isAfter(known)) {
      settle(open.removeFirst(), forecaster);
    }
  }

  private void settle(Open was, PeakForecaster forecaster) {
    if (calendar.isLearned(was.origin(), was.to())) {
      forecaster
          .highest(was.from(), was.to())
          .ifPresent(truth -> breaker.settle(truth, was.forecast()));
    }
  }

  /** Remembers the newest forecast, unless the newest step is a gap or may be wrong. */
  public void made(QuantileForecast forecast, PeakForecaster forecaster) {
    Instant now = forecast.origin();
    if (forecaster.confirmedUntil().isBefore(now)) {
      return;
    }
    forecaster
        .highest(now.minus(forecaster.settings().step()), now)
        .ifPresent(newest -> open.addLast(open(forecast, newest, forecaster)));
  }

  private Open open(QuantileForecast forecast, double newest, PeakForecaster forecaster) {
    Instant from = forecast.origin().plus(forecast.lead());
    Instant to = from.plus(forecast.window());
    Duration back =
        DAY.multipliedBy(
            Math.ceilDiv(forecast.lead().plus(forecast.window()).toMillis(), DAY.toMillis()));
    var made =
        new Breaker.Forecast(
            forecast.quantile(0.5),
            forecast.quantile(0.9),
            forecast.quantile(0.95),
            forecast.quantile(breaker.level()),
            newest,
            forecaster.highest(from.minus(back), to.minus(back)));
    return new Open(forecast.origin(), from, to, made, forecast.lowTail(NEARLY_IMPOSSIBLE));
  }

  /**
   * Lower peaks than this are nearly impossible in the windows around a time, by the lowest of the
   * forecasts about it. The newest forecast also stands for a while after its window, because after
   * a gap there is none about the time; without one it is 0.
   */
  double leastPlausible(Instant time) {
    return open.stream()
        .filter(it -> it.isAbout(time))
        .mapToDouble(Open::leastPlausible)
        .min()
        .orElseGet(() -> afterTheNewest(time));
  }

  private double afterTheNewest(Instant time) {
    var newest = open.peekLast();
    return newest == null
            || time.isBefore(newest.to())
            || time.isAfter(newest.to().plus(STANDS_AFTER))
        ? 0
        : newest.leastPlausible();
  }
}
