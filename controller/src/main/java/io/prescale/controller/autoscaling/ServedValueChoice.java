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
 * ReplicaChoice} from a forecast that is trusted, else the newest observation with as much headroom
 * as a reactive HPA has. The value is never below the newest observation: the rule is {@link
 * ReplicaChoice}'s, and {@link ServedValue} and {@code ServedMetric} only check and keep it.
 *
 * <p>Remembers how often capacity fell short, which sets the price of a shortage; what was started
 * for windows that have not begun; and, where starts cost something, how high demand got soon after
 * forecasts. Not thread-safe.
 */
public final class ServedValueChoice {
  /** The usual target of HPAs. */
  public static final double USUAL_UTILIZATION = 0.8;

  private final ReplicaChoice replicas;
  private final ReplicaChoice freeStarts;
  private final Risk risk;
  private final double utilization;
  private final Optional<IdleRule> idle;
  private final Optional<ShortfallFeedback> feedback;
  private final Optional<LaterPeaks> later;
  private final OptionalDouble leastToKeep;
  private final StartedAhead ahead;
  private final AskedFor asked = new AskedFor();
  private double forItsWindow;

  /**
   * A choice that has seen no demand yet.
   *
   * @param step time between two observations
   * @param stabilization the HPA's window for scaling down
   * @param utilization share of a replica's capacity to aim at while forecasts are not followed
   * @param idle when there may be no replicas; empty where there always is one
   * @param past what was observed before the origins of the forecasts
   */
  public ServedValueChoice(
      ReplicaChoice replicas,
      Risk risk,
      Duration step,
      Duration stabilization,
      double utilization,
      Optional<IdleRule> idle,
      PastDemand past) {
    this.replicas = replicas;
    this.freeStarts = new ReplicaChoice(replicas.capacityPerReplica(), replicas.deadBand());
    this.risk = risk;
    this.utilization = requireUtilization(utilization);
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

  static double requireUtilization(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("utilization must be above 0 and at most 1: " + share);
    }
    return share;
  }

  /**
   * Decides what to serve.
   *
   * @param current the HPA's replicas
   */
  public ScalingDecision decide(Outlook outlook, int current) {
    var newest = outlook.newest();
    later.filter(_ -> newest.isPresent()).ifPresent(it -> outlook.forecast().ifPresent(it::next));
    var awake = whenAwake(outlook, Math.max(1, current));
    outlook.forecast().ifPresent(it -> remember(awake, it, outlook.trusted()));
    return idle.map(it -> it.judge(outlook.followed(), newest))
        .map(activity -> awake.given(activity, replicas.capacityPerReplica()))
        .orElse(awake);
  }

  private void remember(ScalingDecision made, QuantileForecast forecast, boolean trusted) {
    if (trusted) {
      asked.decided(made.desiredReplicas(), forecast.origin(), forecast.lead());
    } else {
      asked.unpriced(forecast.origin(), forecast.lead());
    }
  }

  private ScalingDecision whenAwake(Outlook outlook, int current) {
    if (outlook.followed().isEmpty()) {
      return withoutForecast(outlook);
    }
    var forecast = outlook.followed().get();
    double floor = outlook.newest().orElse(0);
    feedback.ifPresent(it -> it.decided(freeStarts, forecast, floor));
    var chosen = byRisk(forecast, floor, current);
    var kept = replicas.keeping(chosen, likelySoon(), current, forecast);
    forItsWindow = kept.value();
    int forWindow =
        ahead.isNeeded(forecast.lead()) ? byRisk(forecast, 0, current).desiredReplicas() : 0;
    return orStartedAhead(kept, forecast, forWindow);
  }

  private ScalingDecision byRisk(QuantileForecast forecast, double floor, int current) {
    return switch (risk) {
      case Risk.Budget _ ->
          replicas.withBudget(forecast, floor, current, feedback.orElseThrow().price());
      case Risk.ShortageCost cost -> replicas.withShortageCost(forecast, floor, current, cost);
    };
  }

  /**
   * What was observed is over, so that it is not kept for later.
   *
   * @param forWindow how many replicas the forecast's window alone needs
   */
  private ScalingDecision orStartedAhead(
      ScalingDecision chosen, QuantileForecast forecast, int forWindow) {
    ahead.decided(forWindow, forecast.origin(), forecast.lead());
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

  private ScalingDecision withoutForecast(Outlook outlook) {
    if (outlook.newest().isEmpty()) {
      return ScalingDecision.nothingKnown();
    }
    double newest = outlook.newest().getAsDouble() / utilization;
    var reason = outlook.forecast().isPresent() ? Reason.NOT_TRUSTED : Reason.NO_FORECAST;
    var chosen = following(newest, outlook.forecast(), reason);
    return outlook.dayBefore().isPresent()
        ? orDayBefore(chosen, outlook.dayBefore().getAsDouble(), outlook.forecast().orElseThrow())
        : chosen;
  }

  private ScalingDecision orDayBefore(
      ScalingDecision newest, double dayBefore, QuantileForecast forecast) {
    var chosen =
        dayBefore > newest.value()
            ? following(dayBefore, Optional.of(forecast), Reason.DAY_BEFORE)
            : newest;
    int forWindow = HpaRules.replicasFor(dayBefore, replicas.capacityPerReplica());
    return orStartedAhead(chosen, forecast, forWindow);
  }

  private ScalingDecision following(
      double value, Optional<QuantileForecast> forecast, Reason reason) {
    return new ScalingDecision(
        OptionalDouble.of(value),
        HpaRules.replicasFor(value, replicas.capacityPerReplica()),
        forecast.map(it -> OptionalDouble.of(it.exceedance(value))).orElse(OptionalDouble.empty()),
        reason);
  }

  /** Serves what an earlier leader planned for now. */
  ScalingDecision handedOver(double value) {
    return following(value, Optional.empty(), Reason.HANDED_OVER);
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
   * Takes in a step: its demand, and by how many ready replicas it was met. Demand beyond what the
   * most replicas carry is no shortage, since no price could prevent it. A step that was short of
   * replicas which were asked for in time does not count. Neither does one for which no forecast
   * was followed.
   *
   * @param begin of the step
   */
  public void stepPassed(double demand, int ready, int most, Instant begin) {
    double capacity = replicas.capacityPerReplica();
    double needed = Math.min(demand, most * capacity);
    boolean isShort = needed > ready * capacity;
    if (isShort && needed <= asked.servingAt(begin) * capacity) {
      demandSeen(demand);
    } else {
      idle.ifPresent(it -> it.seen(demand));
      feedback.ifPresent(it -> it.stepPassed(demand / capacity, isShort));
    }
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
