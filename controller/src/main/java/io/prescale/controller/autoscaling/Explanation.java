package io.prescale.controller.autoscaling;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One decision end to end, from what was observed to what the HPA did.
 *
 * @param metric that decided
 * @param observed demand during the newest completed step; NaN when none is known
 * @param forecast the distribution of demand one lead time ahead, if there was one
 * @param reason which rule made the value
 * @param schedule the name of the one that did, where a schedule made it
 * @param riskUplift what the accepted risk adds to the forecast median, in units of the metric; 0
 *     when no forecast was acted on
 * @param shortageProbability that demand in the window exceeds what the replicas carry that the
 *     served value asks for; empty without a forecast
 * @param lead the lead time, and where it comes from
 * @param served what the metric says
 * @param capacityPerReplica the HPA's target
 * @param desiredReplicas what the served value asks for, within the HPA's limits
 * @param hpa what the HPA made of it
 * @param missedBudget what keeping the budget would cost, where its cost limit is too low for it
 * @param activity whether a replica is needed at all; empty where there always is one
 */
public record Explanation(
    Instant at,
    String metric,
    double observed,
    Optional<ForecastSummary> forecast,
    ScalingDecision.Reason reason,
    Optional<String> schedule,
    double riskUplift,
    OptionalDouble shortageProbability,
    LeadTime lead,
    double served,
    double capacityPerReplica,
    int desiredReplicas,
    HpaVerdict hpa,
    Optional<MissedBudget> missedBudget,
    Optional<Activity> activity) {

  /** The same decision, with what the HPA has made of it by now, until it has acted on it. */
  public Explanation seenBy(HpaRules rules, Optional<HpaState> now) {
    return hpa.isFinal()
        ? this
        : new Explanation(
            at,
            metric,
            observed,
            forecast,
            reason,
            schedule,
            riskUplift,
            shortageProbability,
            lead,
            served,
            capacityPerReplica,
            desiredReplicas,
            HpaGates.judge(rules, new MetricSettings(metric, capacityPerReplica), served, now),
            missedBudget,
            activity);
  }

  /** The same for people, a sentence each. */
  public List<String> sentences() {
    return new DecisionInWords(this).sentences();
  }
}
