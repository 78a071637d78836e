package io.prescale.forecasting.online;

import io.prescale.forecasting.boosting.BinnedColumns;
import io.prescale.forecasting.boosting.QuantileBoosting;
import io.prescale.forecasting.boosting.QuantileTrees;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Boosted quantile models of single steps up to a horizon, fitted to the distance from reference
 * forecasts: four for the whole horizon, and one for the next half hour on the observed step. The
 * horizon is a feature, so one fit serves all horizons.
 */
final class PathModel {
  static final double[] LEVELS = {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95};
  static final int FAR_MODELS = 4;
  static final int MODELS = FAR_MODELS + 1;

  private static final int FAR_ROWS = 6000;
  private static final int NEAR_ROWS = 5000;
  private static final int MIN_ROWS = 120;

  private final QuantileTrees[] far;
  private final Optional<QuantileTrees> near;

  private PathModel(QuantileTrees[] far, Optional<QuantileTrees> near) {
    this.far = far;
    this.near = near;
  }

  /** The reference forecasts of the models for the whole horizon, in the order of the models. */
  static double[] references(PathReference reference, int t, int u) {
    return new double[] {
      reference.yesterday(t, u),
      reference.seasonAtTodaysLevel(t, u),
      reference.now(t),
      reference.seasonTimesRatio(t, u)
    };
  }

  /** Fits the models to the whole view, on all processors; empty with too few rows. */
  static Optional<PathModel> fit(PathView view, int horizon, long seed) {
    var random = new SplittableRandom(seed);
    var rows = farRows(view, horizon, random.split());
    if (rows.size() < MIN_ROWS) {
      return Optional.empty();
    }
    var nearRows = nearRows(view, random.split());
    BinnedColumns columns = rows.columns();
    var settings = settings(rows.size(), 120, 0.08, seed);
    int models = nearRows.size() < MIN_ROWS ? FAR_MODELS : MODELS;
    QuantileTrees[] trees =
        IntStream.range(0, models)
            .parallel()
            .mapToObj(
                m ->
                    m < FAR_MODELS
                        ? QuantileBoosting.fit(columns, rows.target(m), LEVELS, settings)
                        : near(nearRows, seed))
            .toArray(QuantileTrees[]::new);
    return Optional.of(
        new PathModel(
            Arrays.copyOf(trees, FAR_MODELS), Arrays.stream(trees).skip(FAR_MODELS).findFirst()));
  }

  private static QuantileTrees near(TrainingRows rows, long seed) {
    return QuantileBoosting.fit(
        rows.columns(), rows.target(0), LEVELS, settings(rows.size(), 140, 0.1, seed));
  }

  private static QuantileBoosting.Settings settings(
      int rows, int trees, double learningRate, long seed) {
    int minLeafRows = Math.clamp(rows / 100, 5, 60);
    return new QuantileBoosting.Settings(trees, learningRate, 8, 0.6, minLeafRows, 0.6, seed);
  }

  private static TrainingRows farRows(PathView view, int horizon, SplittableRandom random) {
    var rows = new TrainingRows();
    int size = view.coarse().size();
    int known = size - view.coarse().oldest();
    int from = view.coarse().oldest() + Math.min(horizon + 24, known / 2);
    int origins = size - 1 - from;
    int count = Math.min(FAR_ROWS, 20 * origins);
    for (int i = 0; i < count; i++) {
      int t = TrainingRows.moment(i, count, from, origins, random);
      int h = random.nextInt(Math.min(horizon, size - t));
      double truth = view.coarse().ordinary(t + h);
      double[] references = references(view.reference(), t, t + h);
      double[] target = new double[FAR_MODELS];
      boolean complete = !Double.isNaN(truth);
      for (int m = 0; m < FAR_MODELS; m++) {
        target[m] = truth - references[m];
        complete &= !Double.isNaN(target[m]);
      }
      if (complete) {
        rows.add(view.features().at(t, h), target);
      }
    }
    return rows;
  }

  private static TrainingRows nearRows(PathView view, SplittableRandom random) {
    var rows = new TrainingRows();
    int size = view.coarse().size();
    int from = view.coarse().oldest() + view.nearSteps();
    int origins = size - view.nearSteps() - from;
    int count = Math.min(NEAR_ROWS, 6 * origins);
    for (int i = 0; i < count; i++) {
      int t = TrainingRows.moment(i, count, from, origins, random);
      int h = random.nextInt(view.nearSteps());
      double target = view.coarse().ordinary(t + h) - view.near().newest(t);
      if (!Double.isNaN(target)) {
        rows.add(view.near().at(t, h), target);
      }
    }
    return rows;
  }

  /** The quantiles of each model at {@link #LEVELS}, null for a model without a forecast there. */
  double[][] quantiles(PathView view, int t, int h) {
    double[][] quantiles = new double[MODELS][];
    double[] references = references(view.reference(), t, t + h);
    double[] row = view.features().at(t, h);
    for (int m = 0; m < FAR_MODELS; m++) {
      if (!Double.isNaN(references[m])) {
        quantiles[m] = Levels.shifted(far[m].predict(row), references[m]);
      }
    }
    double newest = view.near().newest(t);
    if (h < view.nearSteps() && near.isPresent() && !Double.isNaN(newest)) {
      quantiles[FAR_MODELS] = Levels.shifted(near.get().predict(view.near().at(t, h)), newest);
    }
    return quantiles;
  }
}
