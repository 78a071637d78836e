package io.prescale.controller.autoscaling;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.online.PeakForecaster;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/**
 * Keeps forecasts until their windows are over, then settles them for the {@link Breaker} beside
 * two references: the newest value, which a reactive HPA follows, and the highest demand in the
 * same window a day before. Windows that an event or an excluded window touches do not count. Not
 * thread-safe.
 */
final class ForecastTrack {
  private static final Duration DAY = Duration.ofDays(1);
  private static final double NEARLY_IMPOSSIBLE = 0.001;

  private final EventCalendar calendar;
  private final double operatingLevel;
  private final Breaker breaker;
  private final ArrayDeque<Open> open = new ArrayDeque<>();

  private record Open(Instant from, Instant to, Breaker.Forecast forecast, double leastPlausible) {

    boolean isAbout(Instant time) {
      return !time.isBefore(from) && time.isBefore(to);
    }
  }

  ForecastTrack(EventCalendar calendar, double operatingLevel) {
    this.calendar = calendar;
    this.operatingLevel = operatingLevel;
    this.breaker = new Breaker(operatingLevel);
  }

  Breaker breaker() {
    return breaker;
  }

  /** Settles what is over, of what was forecast at any lead time. Call after each observation. */
  void settle(PeakForecaster forecaster) {
    Instant known = forecaster.next();
    while (!open.isEmpty() && !open.getFirst().to().isAfter(known)) {
      settle(open.removeFirst(), forecaster);
    }
  }

  private void settle(Open was, PeakForecaster forecaster) {
    if (isOrdinary(was.from(), was.to())) {
      forecaster
          .highest(was.from(), was.to())
          .ifPresent(truth -> breaker.settle(truth, was.forecast()));
    }
  }

  private boolean isOrdinary(Instant from, Instant to) {
    return calendar.events().stream()
            .noneMatch(e -> e.start().isBefore(to) && from.isBefore(e.end()))
        && calendar.excludedWindows().stream()
            .noneMatch(w -> w.start().isBefore(to) && from.isBefore(w.end()));
  }

  /** Remembers the newest forecast, unless the newest step is a gap. */
  void made(QuantileForecast forecast, PeakForecaster forecaster) {
    Instant now = forecast.origin();
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
            forecast.quantile(operatingLevel),
            newest,
            forecaster.highest(from.minus(back), to.minus(back)));
    return new Open(from, to, made, forecast.lowTail(NEARLY_IMPOSSIBLE));
  }

  /**
   * Demand below this is nearly impossible at a time, by the newest forecast about it that is not
   * settled; 0 without one.
   */
  double leastPlausible(Instant time) {
    return open.reversed().stream()
        .filter(it -> it.isAbout(time))
        .findFirst()
        .map(Open::leastPlausible)
        .orElse(0.0);
  }
}
