package io.prescale.controller.autoscaling;

import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.LeadingSeries;
import io.prescale.forecasting.online.PeakForecaster;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A forecaster that has run through a history before it is relied on: models are fitted to all but
 * the last day (or half, where there is less; or longer, where a day has too few forecasts to be
 * judged), and the forecasts of the rest calibrate it and show what they are worth. Nothing is
 * borrowed: relatives' demand of that day is known already. A refit to all of it should follow,
 * which need not be awaited. O(steps) and a fit.
 *
 * @param fittedAt the end of what the models were fitted to; empty when there was too little
 */
record Rehearsal(PeakForecaster forecaster, ForecastTrack track, Optional<Instant> fittedAt) {
  private static final Duration WATCHED = Duration.ofDays(1);

  /** From how many steps on a history is long enough for its forecasts to be judged. */
  static int leastHistory(PeakSettings settings) {
    return 2 * leastWatched(settings);
  }

  /** So many that {@link Breaker#LEAST_SAMPLES} forecasts have settled. */
  private static int leastWatched(PeakSettings settings) {
    return steps(settings.lead().plus(settings.window()), settings) + Breaker.LEAST_SAMPLES;
  }

  private static int steps(Duration duration, PeakSettings settings) {
    return (int) Math.ceilDiv(duration.toMillis(), settings.step().toMillis());
  }

  static Rehearsal of(
      TimeSeries history,
      PeakSettings settings,
      double operatingLevel,
      List<LeadingSeries> leading) {
    long remembered = settings.remember().dividedBy(settings.step());
    int first = (int) Math.max(0, history.size() - remembered);
    var forecaster = new PeakForecaster(history.time(first), settings);
    forecaster.follow(leading);
    var track = new ForecastTrack(settings.calendar(), operatingLevel);
    int known = history.size() - first;
    int watched = Math.min(known / 2, Math.max(steps(WATCHED, settings), leastWatched(settings)));
    for (int i = first; i < history.size() - watched; i++) {
      forecaster.observe(history.value(i));
    }
    var fitted = forecaster.refit().compute();
    forecaster.adopt(fitted);
    var fittedAt =
        fitted.model().isPresent() ? Optional.of(forecaster.next()) : Optional.<Instant>empty();
    for (int i = history.size() - watched; i < history.size(); i++) {
      forecaster.observe(history.value(i));
      track.settle(forecaster);
      forecaster.forecast().ifPresent(forecast -> track.made(forecast, forecaster));
    }
    track.breaker().judgeAnew();
    return new Rehearsal(forecaster, track, fittedAt);
  }
}
