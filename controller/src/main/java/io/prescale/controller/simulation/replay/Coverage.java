package io.prescale.controller.simulation.replay;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** How well quantiles of the window maximum held: one score per level. */
public record Coverage(Score p50, Score p90, Score p95, Score p99) {

  /**
   * The score of one quantile level.
   *
   * @param level the share of maxima that ought to be at or below the quantile
   * @param covered the share that was, if any forecast was scored; so for the losses
   * @param pinballLoss mean of {@code max(level·e, (level − 1)·e)}, e = maximum − quantile (Koenker
   *     &amp; Bassett, 1978)
   * @param relativePinballLoss the same over the mean demand, if there was any
   * @param minutes how many forecasts were scored
   */
  public record Score(
      double level,
      OptionalDouble covered,
      OptionalDouble pinballLoss,
      OptionalDouble relativePinballLoss,
      int minutes) {}

  /**
   * Scores forecasts against what came; O(minutes · window).
   *
   * @param demand per minute
   * @param forecasts made at the start of each minute
   * @param leadMinutes from the forecast to the start of its window
   */
  static Coverage of(
      double[] demand, List<Optional<Quantiles>> forecasts, int leadMinutes, int windowMinutes) {
    double[] highest = windowMaxima(demand, leadMinutes, windowMinutes);
    double meanDemand = Arrays.stream(demand).average().orElse(0);
    return new Coverage(
        score(0.50, highest, forecasts, Quantiles::p50, meanDemand),
        score(0.90, highest, forecasts, Quantiles::p90, meanDemand),
        score(0.95, highest, forecasts, Quantiles::p95, meanDemand),
        score(0.99, highest, forecasts, Quantiles::p99, meanDemand));
  }

  /** For each minute the highest demand of its window; NaN when that goes past the end. */
  private static double[] windowMaxima(double[] demand, int leadMinutes, int windowMinutes) {
    double[] maxima = new double[demand.length];
    Arrays.fill(maxima, Double.NaN);
    for (int i = 0; i + leadMinutes + windowMinutes <= demand.length; i++) {
      int from = i + leadMinutes;
      maxima[i] = Arrays.stream(demand, from, from + windowMinutes).max().orElseThrow();
    }
    return maxima;
  }

  private static Score score(
      double level,
      double[] highest,
      List<Optional<Quantiles>> forecasts,
      ToDoubleFunction<Quantiles> quantile,
      double meanDemand) {
    int minutes = 0;
    int covered = 0;
    double loss = 0;
    for (int i = 0; i < highest.length; i++) {
      if (!Double.isNaN(highest[i]) && forecasts.get(i).isPresent()) {
        double error = highest[i] - quantile.applyAsDouble(forecasts.get(i).get());
        minutes++;
        covered += error <= 0 ? 1 : 0;
        loss += Math.max(level * error, (level - 1) * error);
      }
    }
    var meanLoss = ratio(loss, minutes);
    var relative = meanLoss.isEmpty() ? meanLoss : ratio(meanLoss.getAsDouble(), meanDemand);
    return new Score(level, ratio(covered, minutes), meanLoss, relative, minutes);
  }

  private static OptionalDouble ratio(double part, double whole) {
    return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of(part / whole);
  }
}
