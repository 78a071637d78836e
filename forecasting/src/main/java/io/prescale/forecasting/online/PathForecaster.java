package io.prescale.forecasting.online;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts the mean demand in each step of a horizon of hours to days.
 *
 * <p>Observations come at a fine step (a minute); the path has a coarser one (five minutes). Every
 * hour the forecasters make forecasts to learn from: their losses determine the weights and the
 * width of the quantiles. Thread-safe; deterministic for the same observations, refits and seed.
 */
public final class PathForecaster {
  private final PathSettings settings;
  private final int ratio;
  private final int horizon;
  private final PathView view;
  private final PathCombination combination;
  private @Nullable PathModel model;
  private ClassicModels classic = ClassicModels.none();

  /**
   * Creates a forecaster without observations.
   *
   * @param start beginning of the first step to be observed, and of the first step of the path
   */
  public PathForecaster(Instant start, PathSettings settings) {
    this.settings = settings;
    this.ratio = Math.toIntExact(settings.step().dividedBy(settings.observedEvery()));
    this.horizon = Math.toIntExact(settings.horizon().dividedBy(settings.step()));
    this.view =
        PathView.of(
            history(start, settings.observedEvery()), history(start, settings.step()), ratio);
    this.combination = new PathCombination(view, horizon);
  }

  private DemandHistory history(Instant start, Duration step) {
    return new DemandHistory(
        start, step, settings.zone(), settings.calendar(), remembered(settings, step));
  }

  private static int remembered(PathSettings settings, Duration step) {
    return Math.toIntExact(settings.remember().dividedBy(step));
  }

  /** Takes in the demand during the next observed step; NaN when it is missing. */
  public synchronized void observe(double value) {
    // Forecasts are made only now, so that a refit at the end of the last step takes effect.
    if (view.fine().size() % ratio == 0 && combination.watchDue()) {
      combination.watch(model, classic);
    }
    view.fine().add(value);
    if (completeStep()) {
      classic.follow(view.coarse());
      combination.settle();
    }
  }

  /** Completes a step of the path if the newest observation is its last; returns whether it did. */
  private boolean completeStep() {
    int fine = view.fine().size();
    boolean complete = fine % ratio == 0;
    if (complete) {
      view.coarse().addMean(view.fine(), fine - ratio, fine);
    }
    return complete;
  }

  /** The beginning of the first step of the path that is not fully observed. */
  public synchronized Instant next() {
    return view.coarse().time(view.coarse().size());
  }

  /** Fits the models to the observations so far. */
  public void refit() {
    PathView known;
    synchronized (this) {
      known = PathView.of(view.fine().snapshot(), view.coarse().snapshot(), ratio);
    }
    Optional<PathModel> fresh = PathModel.fit(known, horizon, settings.seed());
    var freshClassic = ClassicModels.fit(known.coarse(), settings.zone(), horizon);
    synchronized (this) {
      fresh.ifPresent(fitted -> model = fitted);
      freshClassic.follow(view.coarse());
      classic = freshClassic;
    }
  }

  /** The forecast from {@link #next()} on; empty without recent observations. */
  public synchronized Optional<PathForecast> forecast() {
    double[][] quantiles = new double[horizon][];
    for (int h = 0; h < horizon; h++) {
      double[] known = combination.quantiles(model, classic, h);
      if (known == null) {
        return Optional.empty();
      }
      quantiles[h] = known;
    }
    return Optional.of(new PathForecast(next(), settings.step(), PathModel.LEVELS, quantiles));
  }

  /**
   * The state that survives a restart: the observations, rounded as {@link CoarseSeries} says, and
   * what was learned from errors. It contains no models, because a refit replaces them, and no
   * forecasts that are not settled.
   */
  public synchronized byte[] save() {
    var fine = view.fine();
    int from = Math.ceilDiv(fine.oldest(), ratio) * ratio;
    var observations = new float[Math.max(0, fine.size() - from)];
    for (int i = 0; i < observations.length; i++) {
      observations[i] = (float) fine.observed(from + i);
    }
    return new ForecasterState(
            ForecasterState.Kind.PATH,
            settings.observedEvery(),
            ratio,
            horizon * ratio,
            fine.time(fine.size()),
            observations,
            learned(),
            new int[0])
        .toBytes();
  }

  /**
   * Restores a saved forecaster. It forecasts at once, without models until the next refit. Steps
   * and horizon must equal the saved ones, and {@code remember} must cover the saved observations;
   * other settings may differ.
   */
  public static Restored restore(byte[] saved, PathSettings settings) {
    var fresh = new PathForecaster(Instant.EPOCH, settings);
    try {
      int most = remembered(settings, settings.observedEvery());
      var state =
          ForecasterState.read(ForecasterState.Kind.PATH, saved, most, fresh.learned().length);
      fresh.requireSameTask(state);
      var age = settings.observedEvery().multipliedBy(state.observations.length);
      var restored = new PathForecaster(state.next.minus(age), settings);
      restored.resume(state);
      return new Restored.Ok(restored);
    } catch (ForecasterState.UnreadableException | IllegalArgumentException e) {
      return new Restored.Refused("The saved state " + e.getMessage() + ".");
    }
  }

  /** What was learned from errors. */
  synchronized float[] learned() {
    return combination.state();
  }

  private void requireSameTask(ForecasterState state) throws ForecasterState.UnreadableException {
    if (!state.step.equals(settings.observedEvery())
        || state.from != ratio
        || state.length != horizon * ratio) {
      throw new ForecasterState.UnreadableException(
          "is for steps of %d observations up to %d ahead, one every %s; the settings ask for %d, %d and %s"
              .formatted(
                  state.from,
                  state.length,
                  state.step,
                  ratio,
                  horizon * ratio,
                  settings.observedEvery()));
    }
  }

  private void resume(ForecasterState state) {
    for (float value : state.observations) {
      view.fine().add(value);
      completeStep();
    }
    combination.restore(state.calibration);
  }

  /** The result of restoring a saved state. */
  public sealed interface Restored {
    /** The restored forecaster. */
    record Ok(PathForecaster forecaster) implements Restored {}

    /**
     * The state cannot be used; start without it, from a longer query if possible.
     *
     * @param reason a sentence
     */
    record Refused(String reason) implements Restored {}
  }
}
