package io.prescale.forecasting.classic;

import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.Parts;
import io.prescale.forecasting.Season;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** The smoothed level and drift of the deseasonalised series, and its season. */
final class FittedTheta implements FittedForecaster {
  private final DriftingSmoothing smoothing;
  private final ClassicalDecomposition decomposition;
  private final List<Season> seasons;
  private final Instant start;
  private final Duration step;
  private final LocalClock clock;
  private int next;

  /**
   * @param seasons the season of the decomposition, or none
   * @param start beginning of the step that is observed next
   */
  FittedTheta(
      DriftingSmoothing smoothing,
      ClassicalDecomposition decomposition,
      List<Season> seasons,
      Instant start,
      Duration step,
      ZoneId zone) {
    this.smoothing = smoothing;
    this.decomposition = decomposition;
    this.seasons = seasons;
    this.start = start;
    this.step = step;
    this.clock = new LocalClock(start, step, zone);
  }

  @Override
  public Instant next() {
    return start.plus(step.multipliedBy(next));
  }

  @Override
  public void observe(double observed) {
    smoothing.observe(decomposition.without(Plausible.orMissing(observed), phase(next)));
    next++;
  }

  private double phase(int i) {
    return seasons.isEmpty() ? 0 : clock.phase(i, seasons.getFirst());
  }

  @Override
  public double[] path(int steps) {
    var path = new double[steps];
    for (int h = 0; h < steps; h++) {
      double value = smoothing.level() + smoothing.trend(h + 1);
      path[h] = decomposition.with(value, phase(next + h));
    }
    return path;
  }

  @Override
  public double[] spread(int steps) {
    var spread = new double[steps];
    for (int h = 0; h < steps; h++) {
      spread[h] = decomposition.scale(phase(next + h)) * Math.sqrt(smoothing.variance(h + 1));
    }
    return spread;
  }

  @Override
  public Parts parts(int stepsAhead) {
    double level = smoothing.level();
    double trend = smoothing.trend(stepsAhead);
    double value = decomposition.with(level + trend, phase(next + stepsAhead - 1));
    var seasonal =
        seasons.stream().map(season -> new Parts.Seasonal(season, value - level - trend)).toList();
    return new Parts(level, trend, seasonal, 0);
  }

  @Override
  public double[] state() {
    var writer = new StateWriter().put(next()).put(step).put(seasons);
    smoothing.write(writer);
    return writer
        .put(decomposition.multiplicative() ? 1 : 0)
        .put(decomposition.indices().knots())
        .toArray();
  }

  static FittedTheta read(ZoneId zone, StateReader reader) {
    var next = reader.time();
    var step = reader.step();
    var seasons = reader.seasons(1);
    var smoothing = DriftingSmoothing.read(reader);
    boolean multiplicative = reader.count(1) == 1;
    var indices = PeriodicProfile.read(reader, Theta.MOST_INDICES);
    for (double index : indices.knots()) {
      reader.refuseUnless(!multiplicative || index > 0, "has a factor that is not positive");
    }
    var decomposition = new ClassicalDecomposition(multiplicative, indices);
    return new FittedTheta(smoothing, decomposition, seasons, next, step, zone);
  }
}
