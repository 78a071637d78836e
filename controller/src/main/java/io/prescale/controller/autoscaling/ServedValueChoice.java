package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.forecasting.online.LaterPeaks;
import io.prescale.forecasting.online.PastDemand;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Decides the served value of one metric, for the control loop and for replays alike: by {@link
 * ReplicaChoice} from a forecast that is trusted, else the newest observation. The value is never
 * below the newest observation: the rule is {@link ReplicaChoice}'s, and {@link ServedValue} and
 * {@code ServedMetric} only check and keep it.
 *
 * <p>Remembers how often capacity fell short, which sets the price of a shortage; what was started
 * for windows that have not begun; and, where starts cost something, how high demand got soon after
 * forecasts. Not thread-safe.
 */
public final class ServedValueChoice {
  private final ReplicaChoice replicas;
  private final ReplicaChoice freeStarts;
  private final Risk risk;
  private final Optional<IdleRule> idle;
  private final Optional<ShortfallFeedback> feedback;
  private final Optional<LaterPeaks> later;
  private final OptionalDouble leastToKeep;
  private final StartedAhead ahead;
  private double forItsWindow;

  /**
   * A choice that has seen no demand yet.
   *
   * @param step time between two observations
   * @param stabilization the HPA's window for scaling down
   * @param idle when there may be no replicas; empty where there always is one
   * @param past what was observed before the origins of the forecasts
   */
  public ServedValueChoice(
      ReplicaChoice replicas,
      Risk risk,
      Duration step,
      Duration stabilization,
      Optional<IdleRule> idle,
      PastDemand past) {
    this.replicas = replicas;
    this.freeStarts = new ReplicaChoice(replicas.capacityPerReplica(), replicas.deadBand());
    this.risk = risk;
    this.idle = idle;
    this.feedback =
        risk instanceof Risk.Budget budget
            ? Optional.of(new ShortfallFeedback(budget, step))
            : Optional.empty();
    this.ahead = new StartedAhead(stabilization, step);
    this.leastToKeep = replicas.startCost().leastProbability(step.plus(stabilization));
    this.later =
        leastToKeep.isPresent() ? Optional.of(new LaterPeaks(past, step)) : Optional.empty();
  }

  /**
   * Decides what to serve.
   *
   * @param trusted whether the breaker lets forecasts be followed
   * @param newest demand during the newest completed step
   * @param current the HPA's replicas
   */
  public ScalingDecision decide(
      Optional<QuantileForecast> forecast, boolean trusted, OptionalDouble newest, int current) {
    later.filter(_ -> newest.isPresent()).ifPresent(it -> forecast.ifPresent(it::next));
    var awake = whenAwake(forecast, trusted, newest, current);
    return idle.map(it -> it.judge(forecast.filter(_ -> trusted), newest))
        .map(activity -> awake.given(activity, replicas.capacityPerReplica()))
        .orElse(awake);
  }

  private ScalingDecision whenAwake(
      Optional<QuantileForecast> forecast, boolean trusted, OptionalDouble newest, int current) {
    if (forecast.isEmpty() || !trusted) {
      return newestValue(newest, forecast);
    }
    double floor = newest.orElse(0);
    int atLeastOne = Math.max(1, current);
    feedback.ifPresent(it -> it.decided(freeStarts, forecast.get(), floor));
    var chosen = byRisk(forecast.get(), floor, atLeastOne);
    var kept = replicas.keeping(chosen, likelySoon(), atLeastOne, forecast.get());
    forItsWindow = kept.value();
    return orStartedAhead(kept, forecast.get(), atLeastOne);
  }

  private ScalingDecision byRisk(QuantileForecast forecast, double floor, int current) {
    return switch (risk) {
      case Risk.Budget _ ->
          replicas.withBudget(forecast, floor, current, feedback.orElseThrow().price());
      case Risk.ShortageCost cost -> replicas.withShortageCost(forecast, floor, current, cost);
    };
  }

  /** What was observed is over, so that only what the forecast asks for is kept for later. */
  private ScalingDecision orStartedAhead(
      ScalingDecision chosen, QuantileForecast forecast, int current) {
    if (ahead.isNeeded(forecast.lead())) {
      ahead.decided(
          byRisk(forecast, 0, current).desiredReplicas(), forecast.origin(), forecast.lead());
    }
    int most = ahead.most(forecast.origin());
    return replicas.orMore(chosen, most, forecast, Reason.STARTED_AHEAD);
  }

  /** The demand that is likely enough to come for replicas to be kept for it; 0 without any. */
  private double likelySoon() {
    return later.stream()
        .flatMapToDouble(it -> it.quantile(1 - leastToKeep.orElseThrow()).stream())
        .findFirst()
        .orElse(0);
  }

  private ScalingDecision newestValue(
      OptionalDouble newest, Optional<QuantileForecast> notTrusted) {
    if (newest.isEmpty()) {
      return ScalingDecision.nothingKnown();
    }
    double value = newest.getAsDouble();
    return new ScalingDecision(
        newest,
        HpaRules.replicasFor(value, replicas.capacityPerReplica()),
        notTrusted
            .map(forecast -> OptionalDouble.of(forecast.exceedance(value)))
            .orElse(OptionalDouble.empty()),
        notTrusted.isPresent() ? Reason.NOT_TRUSTED : Reason.NO_FORECAST);
  }

  /** Serves what an earlier leader planned for now. */
  ScalingDecision handedOver(double value) {
    return new ScalingDecision(
        OptionalDouble.of(value),
        HpaRules.replicasFor(value, replicas.capacityPerReplica()),
        OptionalDouble.empty(),
        Reason.HANDED_OVER);
  }

  /**
   * Takes in what an earlier leader served, whose decisions are not known here: it may all be for a
   * window that begins one lead time from now.
   */
  void takeOver(double value, Instant now, Duration lead, Duration window) {
    int served = HpaRules.replicasFor(value, replicas.capacityPerReplica());
    if (served > 0) {
      ahead.decided(served, now, lead);
      idle.ifPresent(it -> it.expectUntil(now.plus(lead).plus(window)));
    }
  }

  /** Goes on with what the choice before an edit has started. */
  void goOnFrom(ServedValueChoice before) {
    double capacities = before.replicas.capacityPerReplica() / replicas.capacityPerReplica();
    ahead.goOnFrom(before.ahead, capacities);
    before.idle.ifPresent(it -> idle.ifPresent(own -> own.expectUntil(it.expectedUntil())));
  }

  /** What the last trusted forecast asked for, without what was started for earlier ones. */
  double forItsWindow() {
    return forItsWindow;
  }

  /**
   * Takes in a step: its demand, and by how many ready replicas it was met. What more than the most
   * that are allowed would have carried is no shortage that a price could prevent.
   */
  public void stepPassed(double demand, int ready, int most) {
    double capacity = replicas.capacityPerReplica();
    boolean isShort = Math.min(demand, most * capacity) > ready * capacity;
    idle.ifPresent(it -> it.seen(demand));
    feedback.ifPresent(it -> it.stepPassed(demand / capacity, isShort));
  }

  /** Takes in steps of which only the demand is known, as from a history; NaN is a gap. */
  void demandSeen(double... demand) {
    Arrays.stream(demand)
        .filter(value -> !Double.isNaN(value))
        .forEach(
            value -> {
              idle.ifPresent(it -> it.seen(value));
              feedback.ifPresent(it -> it.demandSeen(value / replicas.capacityPerReplica()));
            });
  }

  /** Goes on from where another process was. */
  void resume(double[] demand, OptionalDouble shortShare) {
    demandSeen(demand);
    feedback.ifPresent(it -> shortShare.ifPresent(it::resume));
  }

  /** The budget while it is clearly missed; empty otherwise, and without a budget. */
  public Optional<MissedBudget> missedBudget() {
    return feedback.flatMap(ShortfallFeedback::missed);
  }

  /** The fading share of time in shortage; empty where the price of a shortage is given. */
  OptionalDouble shortShare() {
    return feedback.stream().mapToDouble(ShortfallFeedback::shortShare).findFirst();
  }
}
