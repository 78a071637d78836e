package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.forecasting.online.QuantileForecast;
import java.util.Optional;

/**
 * Chooses the number of replicas from the distribution of demand one cold start ahead.
 *
 * <p>With a budget: the n that minimises {@code n + price · P(demand > n · capacity)}. A replica is
 * added while it lowers the probability of shortage by more than 1 / price; where demand is widely
 * spread this stops at a lower quantile than where it is narrow, which spends the budget where it
 * saves most. With a shortage cost k: the least n with {@code P(demand > n · capacity) ≤ 1 / k},
 * the newsvendor's critical ratio (Arrow, Harris, Marschak 1951) for an idle replica that costs 1
 * and a missing one that costs k − 1 more.
 *
 * <p>Only numbers that the HPA would act on are considered, so its tolerance is part of the choice.
 *
 * @param capacityPerReplica demand that one ready replica carries; the HPA's AverageValue target
 * @param deadBand the HPA's tolerance
 */
public record ReplicaChoice(double capacityPerReplica, DeadBand deadBand) {

  /** Share of a replica that nobody misses; models are no more exact where demand is constant. */
  private static final double NEGLIGIBLE = 0.001;

  /** More are not told apart: with so many replicas, one more or less is not noticed. */
  private static final long MOST_CANDIDATES = 10_000;

  public ReplicaChoice {
    if (!(capacityPerReplica > 0 && Double.isFinite(capacityPerReplica))) {
      throw new IllegalArgumentException("capacity must be above 0: " + capacityPerReplica);
    }
  }

  /**
   * Decides.
   *
   * @param newest demand during the newest complete step, NaN when unknown
   * @param current the HPA's replicas, at least 1
   * @param price of a minute of shortage in replica-minutes, see {@link ShortfallFeedback}
   */
  public ScalingDecision withBudget(
      Optional<QuantileForecast> forecast, double newest, int current, double price) {
    return forecast
        .map(f -> atLeast(newest, cheapest(f, newest, current, price), f))
        .orElseGet(() -> withoutForecast(newest));
  }

  /** Decides by the cost of shortage; parameters as for {@link #withBudget}. */
  public ScalingDecision withShortageCost(
      Optional<QuantileForecast> forecast, double newest, int current, Risk.ShortageCost cost) {
    return forecast
        .map(f -> atLeast(newest, newsvendor(f, current, 1 / cost.idleReplicas()), f))
        .orElseGet(() -> withoutForecast(newest));
  }

  private int cheapest(QuantileForecast forecast, double newest, int current, double price) {
    long floor = Math.max(1, replicasFor(newest));
    long stride = Math.max(1, (replicasFor(forecast.ceiling()) - floor) / MOST_CANDIDATES);
    long best = floor;
    double least = Double.POSITIVE_INFINITY;
    double exceedance = 1;
    for (long n = floor; n <= Integer.MAX_VALUE && exceedance > 0; n += stride) {
      if (ignored(n, current)) {
        continue;
      }
      exceedance = shortage(forecast, n);
      if (n + price * exceedance < least) {
        least = n + price * exceedance;
        best = n;
      }
    }
    return Math.toIntExact(best);
  }

  /** The least that is enough, by bisection: the risk falls as replicas are added. */
  private int newsvendor(QuantileForecast forecast, int current, double risk) {
    long tooFew = 0;
    long enough = Math.max(1, replicasFor(forecast.ceiling()));
    while (enough - tooFew > 1) {
      long middle = (tooFew + enough) / 2;
      if (shortage(forecast, middle) > risk) {
        tooFew = middle;
      } else {
        enough = middle;
      }
    }
    while (enough > current && enough < Integer.MAX_VALUE && ignored(enough, current)) {
      enough++;
    }
    return Math.toIntExact(enough);
  }

  private double shortage(QuantileForecast forecast, long replicas) {
    return forecast.exceedance((replicas + NEGLIGIBLE) * capacityPerReplica);
  }

  private boolean ignored(long wanted, int current) {
    return wanted != current && deadBand.holds(Math.toIntExact(wanted), current);
  }

  /** Never below what the reactive HPA would see. */
  private ScalingDecision atLeast(double newest, int replicas, QuantileForecast forecast) {
    double value = replicas * capacityPerReplica;
    double risk = forecast.exceedance(value);
    if (newest > value) {
      return new ScalingDecision(newest, replicasFor(newest), risk, Reason.NEVER_BELOW_OBSERVED);
    }
    return new ScalingDecision(value, replicas, risk, Reason.FORECAST);
  }

  private ScalingDecision withoutForecast(double newest) {
    return Double.isNaN(newest)
        ? new ScalingDecision(Double.NaN, 0, Double.NaN, Reason.NOTHING_KNOWN)
        : new ScalingDecision(newest, replicasFor(newest), Double.NaN, Reason.NO_FORECAST);
  }

  private int replicasFor(double demand) {
    return HpaRules.replicasFor(demand, capacityPerReplica);
  }
}
