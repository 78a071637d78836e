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
    int remembered = Math.toIntExact(settings.remember().dividedBy(step));
    return new DemandHistory(start, step, settings.zone(), settings.calendar(), remembered);
  }

  /** Takes in the demand during the next observed step; NaN when it is missing. */
  public synchronized void observe(double value) {
    // Forecasts are made only now, so that a refit at the end of the last step takes effect.
    if (view.fine().size() % ratio == 0 && combination.watchDue()) {
      combination.watch(model, classic);
    }
    view.fine().add(value);
    int fine = view.fine().size();
    if (fine % ratio == 0) {
      view.coarse().addMean(view.fine(), fine - ratio, fine);
      classic.follow(view.coarse());
      combination.settle();
    }
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
}
