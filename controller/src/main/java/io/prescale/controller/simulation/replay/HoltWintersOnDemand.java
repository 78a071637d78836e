package io.prescale.controller.simulation.replay;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Scales for the highest demand that Holt–Winters with a daily season expects until replicas
 * created now would have served for a while, and never for less than there is now. A central
 * forecast, so that demand is above it half of the time: only the target leaves room. The model is
 * that of jthomperoo/predictive-horizontal-pod-autoscaler, which applies it one step ahead to the
 * replica counts instead.
 *
 * <p>Learns from the last four days (that program's usual {@code storedSeasons}), anew every 12
 * hours; reactive until there is a model.
 */
public final class HoltWintersOnDemand implements ReplayPolicy {

  private static final int DAY = 24 * 60;
  private static final int HISTORY = 4 * DAY;
  private static final int REFIT = 12 * 60;
  private static final List<Season> SEASONS = List.of(new Season(Season.DAY, 1));

  private final double targetUtilization;
  private final Forecaster holtWinters;
  private final int minutesAhead;

  private Optional<FittedForecaster> model = Optional.empty();

  /**
   * @param minutesAhead length of the forecast whose maximum is served: the cold start and the time
   *     after it that counts
   */
  public HoltWintersOnDemand(double targetUtilization, Forecaster holtWinters, int minutesAhead) {
    if (minutesAhead < 1) {
      throw new IllegalArgumentException("minutes ahead " + minutesAhead);
    }
    this.targetUtilization = targetUtilization;
    this.holtWinters = holtWinters;
    this.minutesAhead = minutesAhead;
  }

  @Override
  public String name() {
    return "Holt–Winters at " + Math.round(100 * targetUtilization) + " %";
  }

  @Override
  public double targetUtilization() {
    return targetUtilization;
  }

  @Override
  public Served next(View view) {
    if (view.minute() % REFIT == 0) {
      model = fit(view);
    } else {
      model.ifPresent(m -> m.observe(view.newest().orElse(Double.NaN)));
    }
    var expected =
        model.map(m -> Arrays.stream(m.path(minutesAhead)).max()).orElseGet(OptionalDouble::empty);
    return Served.of(View.larger(view.newest(), expected));
  }

  private Optional<FittedForecaster> fit(View view) {
    double[] history = view.last(HISTORY);
    if (history.length < 2 * DAY) {
      return Optional.empty();
    }
    var series =
        TimeSeries.of(view.time(view.minute() - history.length), ReplaySettings.MINUTE, history);
    return switch (holtWinters.fit(series, SEASONS)) {
      case Fit.Fitted(var fitted) -> Optional.of(fitted);
      case Fit.Refused _ -> Optional.empty();
    };
  }
}
