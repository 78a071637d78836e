package io.prescale.forecasting.online;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.classic.HarmonicRegression;
import io.prescale.forecasting.classic.HoltWinters;
import io.prescale.forecasting.classic.Theta;
import io.prescale.forecasting.seasonality.SeasonDetector;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The classic forecasters in a combination: refitted, then updated every step. Not thread-safe. */
final class ClassicModels {
  static final List<String> NAMES =
      List.of("holt-winters", "harmonic regression", "theta", "smoothed level");

  private final List<Optional<FittedForecaster>> models;
  private final int horizon;
  private int seen;
  private double[][] paths = new double[0][];
  private int pathsAt = -1;

  private ClassicModels(List<Optional<FittedForecaster>> models, int seen, int horizon) {
    this.models = models;
    this.seen = seen;
    this.horizon = horizon;
  }

  /** A combination without models. */
  static ClassicModels none() {
    return new ClassicModels(List.of(), 0, 0);
  }

  /** Fits each model to the ordinary demand; a model that refuses is left out. */
  static ClassicModels fit(DemandHistory history, ZoneId zone, int horizon) {
    TimeSeries series = history.ordinarySeries();
    List<Season> seasons = new SeasonDetector().detect(series);
    var models = new ArrayList<Optional<FittedForecaster>>();
    for (Forecaster forecaster :
        List.of(new HoltWinters(zone), new HarmonicRegression(zone), new Theta(zone))) {
      models.add(
          isUseful(forecaster, series, seasons)
              ? fitted(forecaster, series, seasons)
              : Optional.empty());
    }
    models.add(fitted(new Theta(zone), series, List.of()));
    return new ClassicModels(models, history.size(), horizon);
  }

  private static Optional<FittedForecaster> fitted(
      Forecaster forecaster, TimeSeries series, List<Season> seasons) {
    return switch (forecaster.fit(series, seasons)) {
      case Fit.Fitted(var model) -> Optional.of(model);
      case Fit.Refused _ -> Optional.empty();
    };
  }

  /** Theta without a season is the smoothed level, a model of its own. */
  private static boolean isUseful(Forecaster forecaster, TimeSeries series, List<Season> seasons) {
    return !(forecaster instanceof Theta) || Theta.usesSeason(series, seasons);
  }

  /** Updates the models with the observations since their last update. */
  void follow(DemandHistory history) {
    for (; seen < history.size(); seen++) {
      double value = history.ordinary(seen);
      for (var model : models) {
        model.ifPresent(m -> m.observe(value));
      }
    }
  }

  /** The central forecast of a model, h steps ahead of its last update; NaN when there is none. */
  double point(int model, int h) {
    if (pathsAt != seen) {
      paths = new double[models.size()][];
      for (int m = 0; m < paths.length; m++) {
        paths[m] = models.get(m).map(fitted -> fitted.path(horizon)).orElse(new double[0]);
      }
      pathsAt = seen;
    }
    return model < paths.length && h < paths[model].length ? paths[model][h] : Double.NaN;
  }
}
