package io.prescale.forecasting.online;

import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.seasonality.SeasonDetector;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts the highest demand in {@code [t + lead, t + lead + window)} at every step t, which is
 * what scaling ahead of a cold start needs.
 *
 * <p>Each {@link #observe} settles the forecasts whose window is now complete: the forecasters'
 * weights follow their recent pinball loss, and the distribution of the combination's scaled
 * errors, which calibrates the quantiles, follows the last day. {@link #refit()} needs no lock on
 * the forecaster while it computes. Thread-safe; deterministic for the same observations, refits
 * and seed.
 */
public final class PeakForecaster {
  /** Levels of the forecast; dense towards 1, where scaling decides. */
  private static final double[] LEVELS = {
    0.05, 0.1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998
  };

  /** Seasons that get features of their own, beside day and week. */
  private static final int MOST_SEASONS = 2;

  private final PeakSettings settings;
  private final DemandHistory history;
  private final int lead;
  private final int window;
  private final PeakCombination combination;
  private final RefitSchedule schedule;
  private @Nullable PeakModel model;

  /**
   * A forecaster that has seen nothing yet.
   *
   * @param start beginning of the step that is observed first
   */
  public PeakForecaster(Instant start, PeakSettings settings) {
    this.settings = settings;
    this.history =
        new DemandHistory(
            start, settings.step(), settings.zone(), settings.calendar(), remembered(settings));
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
    schedule.step(combination.settle(history.size()));
    combination.predict(model, history.size());
  }

  /** Beginning of the step that is observed next. */
  public synchronized Instant next() {
    return history.time(history.size());
  }

  /** The forecast from all that was observed; empty when nothing was in the last ten minutes. */
  public synchronized Optional<QuantileForecast> forecast() {
    return combination.forecast();
  }

  /** Whether the models should be fitted anew: on schedule, or because errors grew. */
  public synchronized boolean refitDue() {
    return schedule.due(history.size() - history.oldest());
  }

  /** A refit of what is known now, to be computed anywhere and then given to {@link #adopt}. */
  public synchronized Refit refit() {
    schedule.started();
    return new Refit(history.snapshot());
  }

  /** Uses the refitted models from now on. */
  public synchronized void adopt(Refit.Fitted fitted) {
    fitted.model().ifPresent(fresh -> model = fresh);
    combination.predict(model, history.size());
  }

  /** What is remembered, as it was observed, up to {@link #next()}. O(steps). */
  public synchronized TimeSeries history() {
    double[] values = new double[history.size() - history.oldest()];
    for (int i = 0; i < values.length; i++) {
      values[i] = history.observed(history.oldest() + i);
    }
    return TimeSeries.of(history.time(history.oldest()), history.step(), values);
  }

  /**
   * The highest demand that was observed in the steps that begin in {@code [from, to)}; NaN when
   * fewer than half of them are known. O(steps between).
   */
  public synchronized double highest(Instant from, Instant to) {
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
    return 2L * known < (long) end - first ? Double.NaN : highest;
  }

  /** Number of the first step that does not begin before t; may be of the past or the future. */
  private int stepAt(Instant t) {
    Duration since = Duration.between(history.time(history.size()), t);
    long steps = Math.ceilDiv(since.toMillis(), history.step().toMillis());
    return Math.clamp(history.size() + steps, Integer.MIN_VALUE / 2, Integer.MAX_VALUE / 2);
  }

  /** What this forecaster is to do. */
  public PeakSettings settings() {
    return settings;
  }

  /** Share of windows whose demand stayed within the quantile at {@code level}, fading. */
  public synchronized double observedCoverage(double level) {
    return combination.observedCoverage(level);
  }

  /**
   * What survives a restart: the observations that are remembered, in single precision, and what
   * was learned from errors. Models are not part of it, since a refit makes them anew; forecasts
   * whose window is still open are forgotten.
   */
  public synchronized byte[] save() {
    int known = history.size() - history.oldest();
    var observations = new float[known];
    for (int i = 0; i < known; i++) {
      observations[i] = (float) history.observed(history.oldest() + i);
    }
    return new ForecasterState(
            ForecasterState.Kind.PEAK,
            settings.step(),
            lead,
            window,
            next(),
            observations,
            combination.state())
        .toBytes();
  }

  /**
   * A forecaster that goes on where a saved one stopped. It forecasts at once, without models; a
   * refit is due. Step, lead and window must be those it was saved with; the rest of the settings
   * may be others, and at least as much must be remembered as was saved.
   */
  public static Restored restore(byte[] saved, PeakSettings settings) {
    var fresh = new PeakForecaster(Instant.EPOCH, settings);
    try {
      var state =
          ForecasterState.read(
              ForecasterState.Kind.PEAK,
              saved,
              remembered(settings),
              fresh.combination.state().length);
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
    if (!state.step.equals(settings.step()) || state.from != lead || state.length != window) {
      throw new ForecasterState.UnreadableException(
          "is for %d-step windows %d steps ahead, of steps of %s; the settings ask for %d, %d and %s"
              .formatted(state.length, state.from, state.step, window, lead, settings.step()));
    }
  }

  private void resume(ForecasterState state) {
    for (float value : state.observations) {
      history.add(value);
    }
    combination.restore(state.calibration);
    combination.predict(null, history.size());
    schedule.resume(history.size());
  }

  /** What became of a saved state. */
  public sealed interface Restored {
    /** A forecaster that goes on from it. */
    record Ok(PeakForecaster forecaster) implements Restored {}

    /**
     * It cannot be used; start anew, from a longer query if there is one.
     *
     * @param reason a sentence
     */
    record Refused(String reason) implements Restored {}
  }

  /** A fit of the models to what was known when the refit was asked for. */
  public final class Refit {
    private final DemandHistory known;

    private Refit(DemandHistory known) {
      this.known = known;
    }

    /** Computes; thread-safe and without side effects. */
    public Fitted compute() {
      if (!settings.members().contains(PeakMember.BOOSTING)) {
        return new Fitted(Optional.empty());
      }
      List<Duration> seasons =
          new SeasonDetector()
              .detect(known.ordinarySeries()).stream()
                  .map(Season::period)
                  .filter(period -> !period.equals(Season.DAY) && !period.equals(Season.WEEK))
                  .limit(MOST_SEASONS)
                  .toList();
      return new Fitted(PeakModel.fit(known, lead, window, seasons, settings.seed()));
    }

    /** The refitted models; empty when there was too little to learn from. */
    public record Fitted(Optional<PeakModel> model) {}
  }
}
