package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.forecasting.online.QuantileForecast;
import java.util.OptionalDouble;

/**
 * Chooses the number of replicas from the distribution of demand one lead time ahead.
 *
 * <p>With a budget: the n that minimises {@code n + price · P(demand > n · capacity)}. A replica is
 * added while it lowers the probability of shortage by more than 1 / price; where demand is widely
 * spread this stops at a lower quantile than where it is narrow, which spends the budget where it
 * saves most. Demand that is likelier than not is met, as a price that is in proportion to a
 * service's usual size would not pay for a rise that is far above it. With a shortage cost k: the
 * least n with {@code P(demand > n · capacity) ≤ 1 / k}, the newsvendor's critical ratio (Arrow,
 * Harris, Marschak 1951) for an idle replica that costs 1 and a missing one that costs k − 1 more.
 *
 * <p>Where a start costs something, a replica that would have to be started must lower the risk by
 * more, and one that is there already by less; and replicas are kept that are likely to be needed
 * again.
 *
 * <p>Only numbers that the HPA would act on are considered, so its tolerance is part of the choice.
 * {@link ServedValueChoice} decides when a forecast is followed at all.
 *
 * @param capacityPerReplica demand that one ready replica carries; the HPA's AverageValue target
 * @param deadBand the HPA's tolerance
 * @param startCost what the start of a replica is worth
 */
public record ReplicaChoice(double capacityPerReplica, DeadBand deadBand, StartCost startCost) {

  /** A shortage of this share of a replica is ignored: models round constant demand by as much. */
  private static final double NEGLIGIBLE = 0.001;

  /** However little a shortage costs or much a start, demand that is likelier than not is met. */
  private static final double MOST_RISK = 0.5;

  /** Beyond this many, candidates are skipped evenly: one in ten thousand replicas is no matter. */
  private static final long MOST_CANDIDATES = 10_000;

  /** A choice where starts are free. */
  public ReplicaChoice(double capacityPerReplica, DeadBand deadBand) {
    this(capacityPerReplica, deadBand, StartCost.NONE);
  }

  public ReplicaChoice {
    if (!(capacityPerReplica > 0 && Double.isFinite(capacityPerReplica))) {
      throw new IllegalArgumentException("capacity must be above 0: " + capacityPerReplica);
    }
  }

  /**
   * Chooses by a budget.
   *
   * @param floor that the served value does not fall below: the newest observation, or 0 when that
   *     is unknown
   * @param current the HPA's replicas, at least 1
   * @param price of a minute of shortage in replica-minutes, see {@link ShortfallFeedback}
   */
  public ScalingDecision withBudget(
      QuantileForecast forecast, double floor, int current, double price) {
    return atLeast(floor, cheapest(forecast, floor, current, price), forecast);
  }

  /** Chooses by the cost of a shortage; parameters as for {@link #withBudget}. */
  public ScalingDecision withShortageCost(
      QuantileForecast forecast, double floor, int current, Risk.ShortageCost cost) {
    return atLeast(floor, newsvendor(forecast, current, cost), forecast);
  }

  /**
   * The same decision, or to keep more of the current replicas.
   *
   * @param likely demand that is likely enough to come soon for replicas to be kept for it
   */
  ScalingDecision keeping(
      ScalingDecision chosen, double likely, int current, QuantileForecast forecast) {
    int kept =
        Math.min(current, replicasFor(Math.max(0, likely - NEGLIGIBLE * capacityPerReplica)));
    while (kept < current && ignored(kept, current)) {
      kept++;
    }
    return orMore(chosen, kept, forecast, Reason.KEPT);
  }

  /** The same decision, or one for more replicas. */
  ScalingDecision orMore(
      ScalingDecision chosen, int replicas, QuantileForecast forecast, Reason reason) {
    return replicas > chosen.desiredReplicas() ? decision(replicas, forecast, reason) : chosen;
  }

  private ScalingDecision decision(int replicas, QuantileForecast forecast, Reason reason) {
    return new ScalingDecision(
        OptionalDouble.of(replicas * capacityPerReplica),
        replicas,
        risk(forecast, replicas),
        reason);
  }

  private OptionalDouble risk(QuantileForecast forecast, int replicas) {
    return OptionalDouble.of(forecast.exceedance(replicas * capacityPerReplica));
  }

  private int cheapest(QuantileForecast forecast, double floor, int current, double price) {
    long fewest = Math.max(Math.max(1, replicasFor(floor)), likely(forecast, current));
    long stride = Math.max(1, (replicasFor(forecast.ceiling()) - fewest) / MOST_CANDIDATES);
    long best = fewest;
    double least = Double.POSITIVE_INFINITY;
    double exceedance = 1;
    for (long n = fewest; n <= Integer.MAX_VALUE && exceedance > 0; n += stride) {
      if (ignored(n, current)) {
        continue;
      }
      exceedance = shortage(forecast, n);
      double cost = n + price * exceedance + costOfMoving(n, current);
      if (cost < least) {
        least = cost;
        best = n;
      }
    }
    return Math.toIntExact(best);
  }

  /** What is likelier than not to be needed, or the present where the HPA takes it for as much. */
  private int likely(QuantileForecast forecast, int current) {
    double median = forecast.quantile(1 - MOST_RISK) - NEGLIGIBLE * capacityPerReplica;
    int likely = replicasFor(Math.max(0, median));
    return likely > current && ignored(likely, current) ? current : likely;
  }

  private double costOfMoving(long wanted, int current) {
    return wanted > current
        ? (wanted - current) * startCost.aMinuteStarted()
        : (current - wanted) * startCost.aMinuteStopped();
  }

  /** No fewer than are worth starting, and no more of the current ones than are worth having. */
  private int newsvendor(QuantileForecast forecast, int current, Risk.ShortageCost cost) {
    double accepted = 1 / cost.idleReplicas();
    double worthAStart =
        Math.min(accepted * (1 + startCost.aMinuteStarted()), Math.max(accepted, MOST_RISK));
    int worthStarting = enough(forecast, current, worthAStart);
    return worthStarting >= current
        ? worthStarting
        : Math.min(current, enough(forecast, current, accepted * (1 - startCost.aMinuteStopped())));
  }

  /** The least that is enough, by bisection: the risk falls as replicas are added. */
  private int enough(QuantileForecast forecast, int current, double risk) {
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

  private ScalingDecision atLeast(double floor, int replicas, QuantileForecast forecast) {
    if (floor <= replicas * capacityPerReplica) {
      return decision(replicas, forecast, Reason.FORECAST);
    }
    int needed = replicasFor(floor);
    return new ScalingDecision(
        OptionalDouble.of(floor), needed, risk(forecast, needed), Reason.NEVER_BELOW_OBSERVED);
  }

  private int replicasFor(double demand) {
    return HpaRules.replicasFor(demand, capacityPerReplica);
  }
}
