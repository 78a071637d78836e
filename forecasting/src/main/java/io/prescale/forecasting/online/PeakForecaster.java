package io.prescale.forecasting.online;

import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.relatives.Relatives;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Forecasts the highest demand in {@code [t + lead, t + lead + window)} at every step t, as scaling
 * ahead of a cold start requires.
 *
 * <p>Each {@link #observe} settles the forecasts whose window is now complete: the forecasters'
 * weights follow their recent pinball loss, and the quantiles are calibrated by the combination's
 * scaled errors of the last day. A {@link #refit()} does not block the forecaster while it
 * computes. Thread-safe; deterministic for the same observations, refits and seed.
 */
public final class PeakForecaster {
  /** Levels of the forecast; dense towards 1, where scaling decides. */
  static final double[] LEVELS = {
    0.05, 0.1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998
  };

  /** A history of this length forecasts better by itself. */
  private static final Duration YOUNG = Duration.ofDays(7);

  /** What a restart begins with may be an eighth less than what was kept. */
  private static final Duration LEAST_REMEMBERED = Duration.ofDays(8);

  private final PeakSettings settings;
  private final DemandHistory history;
  private final LoneObservation lone;
  private final int lead;
  private final int window;
  private final PeakCombination combination;
  private final RefitSchedule schedule;

  /** How many steps are known well enough to judge forecasts by. */
  private int settled;

  private PeakModels models = PeakModels.none();
  private Relatives relatives = Relatives.none();
  private boolean borrowed;
  private List<LeadingSeries> leading = List.of();

  /** How many histories of leading series the newest refit knew. */
  private int leadingHistories;

  /**
   * Creates a forecaster without observations.
   *
   * @param start beginning of the first step to be observed
   */
  public PeakForecaster(Instant start, PeakSettings settings) {
    this.settings = settings;
    this.history =
        new DemandHistory(
            start, settings.step(), settings.zone(), settings.calendar(), remembered(settings));
    this.lone = new LoneObservation(history);
    this.lead = stepsUp(settings.lead()); // 0 where capacity is ready at once
    this.window = stepsUp(settings.window());
    this.combination = new PeakCombination(history, lead, window, LEVELS, settings.members());
    this.schedule = new RefitSchedule(settings.refitEvery(), settings.step());
  }

  private static int remembered(PeakSettings settings) {
    return Math.toIntExact(settings.remember().toNanos() / settings.step().toNanos());
  }

  private int stepsUp(Duration duration) {
    return Math.toIntExact(Math.ceilDiv(duration.toNanos(), settings.step().toNanos()));
  }

  /** Takes in the demand during the next step; NaN when it is missing. */
  public synchronized void observe(double value) {
    history.add(value);
    lone.forget();
    int confirmed = history.size() - (lone.mayBeNewest() ? 1 : 0);
    while (settled < confirmed) {
      settled++;
      schedule.step(combination.settle(settled));
    }
    predict();
  }

  /** Forecasts by a value that may be wrong are made, but not judged. */
  private void predict() {
    combination.predict(models, history.size(), settled == history.size());
  }

  /** The beginning of the next step to be observed. */
  public synchronized Instant next() {
    return history.time(history.size());
  }

  /** Until when forecasts may be judged: {@link #next()}, unless the newest value may be wrong. */
  public synchronized Instant confirmedUntil() {
    return history.time(settled);
  }

  /** The forecast from all observations; empty without any in the last ten minutes. */
  public synchronized Optional<QuantileForecast> forecast() {
    return combination.forecast();
  }

  /**
   * Whether the models should be refitted: on schedule, because errors grew, to forecast by leading
   * series since their history is known, or by relatives from the first observation on.
   */
  public synchronized boolean refitDue() {
    int known = history.size() - history.oldest();
    return schedule.due(known)
        || (models.own() != null && leadingHistories != histories())
        || (known > 0 && !borrowed && schedule.isBeforeFirst(known) && mayBorrow());
  }

  /**
   * Lets refits from now on borrow from these, in place of earlier ones, until the history is a
   * week long. What is borrowed counts by its own losses here, like every other forecaster.
   */
  public synchronized void borrowFrom(Relatives others) {
    relatives = others;
  }

  /**
   * Lets refits from now on learn from these series too, in place of earlier ones. What they say
   * counts by its own losses, like every other forecaster, so series that announce nothing do
   * little harm.
   */
  public synchronized void follow(List<LeadingSeries> series) {
    if (series.stream().anyMatch(it -> !it.step().equals(settings.step()))) {
      throw new IllegalArgumentException("leading series must have steps of " + settings.step());
    }
    leading = List.copyOf(series);
    leadingHistories = 0;
    models = models.withoutLeading();
  }

  private int histories() {
    return leading.stream().mapToInt(LeadingSeries::histories).sum();
  }

  /**
   * Prepares a refit on the observations so far, to be computed on any thread and passed to {@link
   * #adopt}.
   */
  public synchronized PeakRefit refit() {
    boolean onlyBorrows = mayBorrow() && schedule.isBeforeFirst(history.size() - history.oldest());
    if (onlyBorrows) {
      borrowed = true; // the models of its own come when they would without relatives
    } else {
      schedule.started();
    }
    leadingHistories = histories();
    return new PeakRefit(
        settings,
        history.snapshot(),
        leading,
        mayBorrow() ? relatives : Relatives.none(),
        lead,
        window,
        !onlyBorrows);
  }

  /** Young services may; the age of one that keeps little more than a week is not known. */
  private boolean mayBorrow() {
    return !relatives.isEmpty()
        && history.size() < history.steps(YOUNG)
        && settings.remember().compareTo(LEAST_REMEMBERED) >= 0;
  }

  /** Uses the refitted models from now on. */
  public synchronized void adopt(PeakRefit.Fitted fitted) {
    models = models.with(fitted);
    predict();
  }

  /** The ordinary demand of the observations kept, NaN where nothing is learned. O(steps). */
  public synchronized TimeSeries ordinary() {
    return history.ordinarySeries();
  }

  /** The observations kept, up to {@link #next()}. O(steps). */
  public synchronized TimeSeries history() {
    return history.observedSeries();
  }

  /**
   * The highest demand that was observed in the steps that begin in {@code [from, to)}; empty when
   * fewer than half of them are known. O(steps between).
   */
  public synchronized OptionalDouble highest(Instant from, Instant to) {
    int first = stepAt(from);
    int end = stepAt(to);
    double highest = Double.NaN;
    int known = 0;
    for (int i = Math.max(first, history.oldest()); i < Math.min(end, history.size()); i++) {
      double value = history.observed(i);
      if (!Double.isNaN(value)) {
        known++;
        highest = known == 1 ? value : Math.max(highest, value);
      }
    }
    return known == 0 || 2L * known < (long) end - first
        ? OptionalDouble.empty()
        : OptionalDouble.of(highest);
  }

  /** The number of the first step that does not begin before t, whether kept or not. */
  private int stepAt(Instant t) {
    Duration since = Duration.between(history.time(history.size()), t);
    long steps = Math.ceilDiv(since.toMillis(), history.step().toMillis());
    return Math.clamp(history.size() + steps, Integer.MIN_VALUE / 2, Integer.MAX_VALUE / 2);
  }

  public PeakSettings settings() {
    return settings;
  }

  /**
   * The state that survives a restart: the observations, rounded as {@link CoarseSeries} says, what
   * was learned from errors, and the models; without forecasts that are not settled.
   */
  public synchronized byte[] save() {
    return new ForecasterState(
            settings.step(),
            lead,
            window,
            next(),
            history.observedValues(),
            Learned.states(learned()),
            models.ownNumbers())
        .toBytes();
  }

  /**
   * Restores a saved forecaster, which forecasts at once; a refit is due when it would have been.
   * Step, lead and window must equal the saved ones, and {@code remember} must cover the saved
   * observations; other settings may differ.
   */
  public static Restored restore(byte[] saved, PeakSettings settings) {
    var fresh = new PeakForecaster(Instant.EPOCH, settings);
    try {
      var state =
          ForecasterState.read(saved, remembered(settings), Learned.states(fresh.learned()).length);
      fresh.requireSameTask(state);
      var age = settings.step().multipliedBy(state.observations.length);
      var restored = new PeakForecaster(state.next.minus(age), settings);
      restored.resume(state);
      return new Restored.Ok(restored);
    } catch (ForecasterState.UnreadableException | IllegalArgumentException e) {
      return new Restored.Refused("The saved state " + e.getMessage() + ".");
    }
  }

  private void requireSameTask(ForecasterState state) throws ForecasterState.UnreadableException {
    if (!state.step.equals(settings.step()) || state.lead != lead || state.window != window) {
      throw new ForecasterState.UnreadableException(
          "is for %d-step windows %d steps ahead, of steps of %s; the settings ask for %d, %d and %s"
              .formatted(state.window, state.lead, state.step, window, lead, settings.step()));
    }
  }

  private void resume(ForecasterState state) {
    for (float value : state.observations) {
      history.add(value);
    }
    settled = history.size() - (lone.mayBeNewest() ? 1 : 0);
    Learned.restore(learned(), state.calibration);
    combination.forgetLeading();
    if (state.models.length > 0) {
      var own = PeakModel.ofNumbers(state.models, history, lead, window);
      models = new PeakModels(own, null, null);
    } else {
      schedule.resume(history.size());
    }
    predict();
  }

  private List<Learned> learned() {
    return Stream.concat(Stream.of(schedule), combination.learned().stream()).toList();
  }

  /** The result of restoring a saved state. */
  public sealed interface Restored {
    /** The restored forecaster. */
    record Ok(PeakForecaster forecaster) implements Restored {}

    /**
     * The state cannot be used; start without it, from a longer query if possible.
     *
     * @param reason a sentence
     */
    record Refused(String reason) implements Restored {}
  }
}
