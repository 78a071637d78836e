package io.prescale.controller.autoscaling;

import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.LeadingSeries;
import io.prescale.forecasting.online.PeakForecaster;
import io.prescale.forecasting.online.PeakRefit;
import io.prescale.forecasting.online.PeakSettings;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A metric's forecaster, kept current: it is refitted, and replaced by one for another lead time or
 * a longer history. Both are computed by the executor and adopted at the next step, so that a tick
 * never waits; with an executor that runs at once, at the same step. Not thread-safe.
 */
final class LiveForecaster {
  /** A forecaster for another lead time takes two fits, so growth is followed from 5 % on. */
  private static final double WORTHWHILE_GROWTH = 1.05;

  /**
   * Looking too far ahead costs less than not far enough, so only a shrinkage by a fifth counts.
   */
  private static final double WORTHWHILE_SHRINKAGE = 0.8;

  private final ForecastSettings settings;
  private final double operatingLevel;
  private final Learning learning;
  private final List<LeadingSeries> leading;
  private PeakForecaster forecaster;
  private ForecastTrack track;
  private OptionalDouble newest = OptionalDouble.empty();
  private @Nullable Instant fittedAt;
  private @Nullable Instant learnedAt;
  private @Nullable CompletableFuture<Fit> refit;
  private @Nullable CompletableFuture<Rehearsal> rehearsal;

  /** Models that were fitted to what was observed until a time. */
  private record Fit(PeakRefit.Fitted fitted, Instant until) {}

  LiveForecaster(
      ForecastSettings settings,
      Duration lead,
      double operatingLevel,
      Instant start,
      Learning learning,
      List<LeadingSeries> leading) {
    this.settings = settings;
    this.operatingLevel = operatingLevel;
    this.learning = learning;
    this.leading = leading;
    this.forecaster = new PeakForecaster(start, settings.forLead(lead));
    forecaster.follow(leading);
    this.track = new ForecastTrack(settings.calendar(), operatingLevel);
  }

  /** One that goes on from what was saved; a refit is due when it would have been. */
  LiveForecaster(
      ForecastSettings settings,
      SavedMetric saved,
      Learning learning,
      List<LeadingSeries> leading) {
    this.settings = settings;
    this.operatingLevel = saved.breaker().level();
    this.learning = learning;
    this.leading = leading;
    this.forecaster = saved.forecaster();
    forecaster.follow(leading);
    this.track = new ForecastTrack(settings.calendar(), saved.breaker());
    this.fittedAt = saved.fittedAt().orElse(null);
    this.learnedAt = forecaster.next();
    forecaster.forecast().ifPresent(forecast -> track.made(forecast, forecaster));
  }

  /** What another process would go on from; empty before the first fit. */
  Optional<SavedMetric> saved(OptionalDouble shortShare) {
    return learnedAt()
        .map(_ -> new SavedMetric(forecaster, track.breaker(), fittedAt(), shortShare));
  }

  TimeSeries history() {
    return forecaster.history();
  }

  /** The history without events and excluded windows. */
  TimeSeries ordinary() {
    return forecaster.ordinary();
  }

  /** Beginning of the step that is observed next. */
  Instant next() {
    return forecaster.next();
  }

  /** Demand during the newest completed step; empty when that is a gap. */
  OptionalDouble newest() {
    return newest;
  }

  Breaker breaker() {
    return track.breaker();
  }

  Optional<Instant> fittedAt() {
    return Optional.ofNullable(fittedAt);
  }

  /** The end of what the newest fit knew, whether or not there was enough for a model. */
  Optional<Instant> learnedAt() {
    return Optional.ofNullable(learnedAt);
  }

  boolean isRehearsing() {
    return rehearsal != null;
  }

  Duration lead() {
    return forecaster.settings().lead();
  }

  Outlook outlook() {
    return track.outlook(forecast(), newest);
  }

  /** The newest forecast, whether trusted or not. */
  Optional<QuantileForecast> forecast() {
    return forecaster.forecast();
  }

  /** Highest demand observed in a stretch of time; empty when less than half of it is known. */
  OptionalDouble highest(Instant from, Instant to) {
    return forecaster.highest(from, to);
  }

  /** As {@link ForecastTrack#leastPlausible}; 0 while no forecast is trusted. */
  double leastPlausible(Instant time) {
    return track.breaker().isClosed() ? track.leastPlausible(time) : 0;
  }

  /** Takes in the demand of the next step; NaN is a gap, as in a {@link TimeSeries}. */
  void observe(double value) {
    adoptRehearsal();
    newest = Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    takeIn(value);
  }

  private void takeIn(double value) {
    forecaster.borrowFrom(learning.relatives().get());
    forecaster.observe(value);
    track.settle(forecaster);
    if (refit == null && forecaster.refitDue()) {
      startRefit();
    }
    adoptRefit();
    forecaster.forecast().ifPresent(forecast -> track.made(forecast, forecaster));
  }

  /** Adopts what the executor has finished since the last step. */
  void adopt() {
    adoptRehearsal();
    adoptRefit();
  }

  /**
   * Begins to look ahead by another lead time, if that differs enough; the old one holds until the
   * new one is ready. One that is trusted holds until enough is known for the new one to be judged
   * at once.
   */
  void follow(Duration lead) {
    long stepMillis = settings.step().toMillis();
    long wanted = Math.ceilDiv(settings.forLead(lead).lead().toMillis(), stepMillis);
    long has = Math.ceilDiv(lead().toMillis(), stepMillis);
    boolean longer = wanted > has && wanted >= WORTHWHILE_GROWTH * has;
    boolean shorter = wanted < has && wanted <= WORTHWHILE_SHRINKAGE * has;
    if (isRehearsing() || !(longer || shorter)) {
      return;
    }
    var task = settings.forLead(settings.step().multipliedBy(wanted));
    int least = Math.min(Rehearsal.leastHistory(task), settings.steps());
    if (!breaker().isClosed() || forecaster.history().size() >= least) {
      rehearse(forecaster::history, task);
    }
  }

  /**
   * Begins to use this history together with what was observed since, which also goes on after its
   * end. Where both know a step, the history is right.
   *
   * @param history of the same step and grid
   */
  void learn(TimeSeries history) {
    boolean allIsNew = !forecaster.next().isAfter(history.start());
    while (forecaster.next().isBefore(history.end())) {
      int i = history.indexOf(forecaster.next());
      observe(i < 0 ? Double.NaN : history.value(i));
    }
    // Many histories may wait for their fits, so what the forecaster has is not held twice.
    var own = forecaster;
    rehearse(allIsNew ? own::history : () -> merged(history, own.history()), forecaster.settings());
  }

  private static TimeSeries merged(TimeSeries first, TimeSeries second) {
    Instant start = first.start().isBefore(second.start()) ? first.start() : second.start();
    Instant end = first.end().isAfter(second.end()) ? first.end() : second.end();
    long stepMillis = first.step().toMillis();
    double[] values = new double[(int) (Duration.between(start, end).toMillis() / stepMillis)];
    for (int i = 0; i < values.length; i++) {
      Instant time = start.plusMillis(i * stepMillis);
      double value = at(first, time);
      values[i] = Double.isNaN(value) ? at(second, time) : value;
    }
    return TimeSeries.of(start, first.step(), values);
  }

  private static double at(TimeSeries series, Instant time) {
    int i = series.indexOf(time);
    return i < 0 || i >= series.size() ? Double.NaN : series.value(i);
  }

  /**
   * @param history asked for when the rehearsal begins
   */
  private void rehearse(Supplier<TimeSeries> history, PeakSettings task) {
    rehearsal = inBackground(() -> Rehearsal.of(history.get(), task, operatingLevel, leading));
    adoptRehearsal();
  }

  private void startRefit() {
    var own = forecaster;
    refit =
        inBackground( // many refits may wait, so the history is copied when its turn comes
            () -> {
              var until = own.next();
              return new Fit(own.refit().compute(), until);
            });
  }

  private void adoptRefit() {
    var done = refit;
    if (done != null && done.isDone()) {
      refit = null;
      var fit = done.join();
      forecaster.adopt(fit.fitted());
      learnedAt = fit.until();
      fittedAt = fit.fitted().model().isPresent() ? fit.until() : fittedAt;
    }
  }

  private void adoptRehearsal() {
    var done = rehearsal;
    if (done == null || !done.isDone()) {
      return;
    }
    rehearsal = null;
    var observed = forecaster.history();
    var rehearsed = done.join();
    forecaster = rehearsed.forecaster();
    track = rehearsed.track();
    fittedAt = rehearsed.fittedAt().orElse(fittedAt);
    learnedAt = rehearsed.fittedAt().orElse(learnedAt); // the refit may wait for long
    forecaster.borrowFrom(learning.relatives().get());
    startRefit(); // in place of one of the forecaster that is left behind
    adoptRefit();
    for (int i = observed.indexOf(next()); i < observed.size(); i++) {
      takeIn(observed.value(i));
    }
  }

  /** A failure in the background is thrown where the result is adopted. */
  private <T> CompletableFuture<T> inBackground(Supplier<T> task) {
    return CompletableFuture.supplyAsync(task, learning.fits());
  }
}
