package io.prescale.controller.telemetry;

import io.prometheus.client.Collector;
import java.util.List;
import java.util.Locale;

/** Every metric that the controller reports about itself, and so the reference of them. */
enum SelfMetric {
  TARGETS(Collector.Type.GAUGE, "", "PredictiveHPAs that are ticked by this replica."),
  UNTRACKED_TARGETS(
      Collector.Type.GAUGE,
      "",
      "PredictiveHPAs beyond the limit of "
          + TargetMetrics.MOST_TARGETS
          + ", of which only this count is kept."),
  BLOCKED_TARGETS(
      Collector.Type.GAUGE,
      "",
      "PredictiveHPAs that this replica cannot tick, as their condition Ready explains. Of their"
          + " series, the counters and the served value with its age are left."),
  LEADER(
      Collector.Type.GAUGE,
      "",
      "1 while this replica leads and writes, else 0. With --sharded, 1 for every replica that"
          + " shares the work."),
  SHARDS(
      Collector.Type.GAUGE,
      "",
      "Shards of the PredictiveHPAs that this replica works on; of all replicas together 32."
          + " Without --sharded, the leader has all."),
  TICK_SECONDS(Collector.Type.HISTOGRAM, "", "Time that the decision of one tick took."),
  WRITES(
      Collector.Type.COUNTER,
      "kind,outcome",
      "Writes to the API server: kind status, values, states, hpa, deletion_cost or event; outcome"
          + " ok, conflict or failed."),
  SERVED_METRICS(
      Collector.Type.GAUGE,
      "state",
      "External metrics that this replica can be asked for; state fresh, last_known_good (a value"
          + " stands in for one that is not known) or unknown (an error is served)."),
  APISERVICE(
      Collector.Type.GAUGE,
      "holder",
      "1 for the holder of the cluster's external metrics, 0 for the others: ours, taken by another"
          + " adapter, or unknown. Absent with --no-register."),
  CERTIFICATE_END_SECONDS(
      Collector.Type.GAUGE, "", "Unix time at which the serving certificate ends."),
  TICKS(Collector.Type.COUNTER, Labels.TARGET, "Ticks of an object."),
  DESIRED_REPLICAS(
      Collector.Type.GAUGE,
      Labels.TARGET,
      "Replicas that the served values ask for, within the HPA's limits."),
  QUOTA_REPLICAS(
      Collector.Type.GAUGE,
      Labels.TARGET,
      "Replicas that the ResourceQuotas of the namespace have room for; absent when none limits"
          + " them. Quotas with scopes do not count."),
  REPLICA_SECONDS(
      Collector.Type.COUNTER,
      Labels.RULE,
      "Replica-seconds of an idealised HPA that follows a rule: prescale, or reactive (what the"
          + " newest demand needs). It has what was asked for one lead time later, and lets go of"
          + " what nothing asked for in five minutes."),
  OVERLOADED_SECONDS(
      Collector.Type.COUNTER,
      Labels.RULE,
      "Seconds in which that HPA's ready replicas were fewer than the observed demand needed."),
  RISES(
      Collector.Type.COUNTER,
      "namespace,name,outcome",
      "Times that Prescale asked ahead of the demand for more replicas than that HPA held, by what"
          + " came within the lead time and five minutes: needed (the demand needed more than it"
          + " held) or false_alarm."),
  GPUS_PER_REPLICA(
      Collector.Type.GAUGE,
      Labels.TARGET,
      "Cards, or parts of cards, that a pod of the target asks for; absent where pods do not say"
          + " which part. Replica-seconds times this are GPU-seconds."),
  LEAD_TIME_SECONDS(
      Collector.Type.GAUGE,
      "namespace,name,source",
      "How far ahead forecasts are to look; source measured, default or declared."),
  METRIC_ERRORS(
      Collector.Type.COUNTER,
      "namespace,name,metric,reason",
      "Ticks at which a metric was not known, by reason."),
  OBSERVED_DEMAND(Collector.Type.GAUGE, Labels.METRIC, "Demand during the newest completed step."),
  FORECAST_DEMAND(
      Collector.Type.GAUGE,
      Labels.QUANTILE,
      "Quantiles of the highest demand one lead time ahead; quantile 0.5, 0.9, 0.95 or 0.99."),
  SERVED_VALUE(Collector.Type.GAUGE, Labels.METRIC, "The last value of the external metric."),
  SERVED_AGE_SECONDS(Collector.Type.GAUGE, Labels.METRIC, "Time since that value was computed."),
  FORECAST_ERROR_RATIO(
      Collector.Type.GAUGE,
      Labels.METRIC,
      "Fading mean distance of the forecast median from what came, relative to the mean demand."),
  FORECAST_SKILL(
      Collector.Type.GAUGE,
      Labels.METRIC,
      "1 − loss of the forecasts / loss of the better of last value and day before; the breaker"
          + " opens at 0."),
  FORECAST_COVERAGE(
      Collector.Type.GAUGE,
      Labels.QUANTILE,
      "Fading share of windows whose highest demand stayed within the quantile; quantile 0.9 or"
          + " 0.95."),
  BREAKER_STATE(
      Collector.Type.GAUGE,
      "namespace,name,metric,state",
      "1 for the state that the breaker is in, 0 for the others: learning, closed or open."),
  PLAN_MADE_SECONDS(
      Collector.Type.GAUGE,
      "",
      "Unix time of the newest CapacityPlan or, as long as there is none, when planning began; this"
          + " and the following only of the replica that leads, with --plan. The following are"
          + " absent until it has written a plan."),
  PLAN_SHORTAGES(
      Collector.Type.GAUGE,
      "",
      "Statements of the plan that more is needed than fits, at most 20."),
  PLAN_SHORTAGE_SECONDS(
      Collector.Type.GAUGE,
      "",
      "Time until the first of these shortages begins; absent without one."),
  PLAN_MISSING_NODES(
      Collector.Type.GAUGE,
      "",
      "Nodes that are to be ordered for the shortage that needs the most of them."),
  PLAN_UNFORECAST(Collector.Type.GAUGE, "", "Workloads of the plan that have no forecast."),
  PLAN_STATEMENTS(
      Collector.Type.GAUGE,
      "outcome",
      "Statements whose time has passed, and what became of them: true, false, or expected (how"
          + " many should have come true by their probabilities)."),
  PLAN_BRIER_SCORE(
      Collector.Type.GAUGE,
      "",
      "Mean squared difference between the probability of these statements and what came, 0 at"
          + " best; absent before the first."),
  BOOKED_REPLICAS(
      Collector.Type.GAUGE,
      "namespace,name",
      "Most replicas for which the GpuBooking of a PredictiveHPA wants cards within the next hours,"
          + " running ones included; 0 while nothing is booked. Only of the replica that leads,"
          + " with --bookings."),
  BUFFER_REPLICAS(
      Collector.Type.GAUGE,
      "namespace,name",
      "Replicas of a PredictiveHPA for which an autoscaler is asked for nodes; 0 while"
          + " none are. Only of the replica that leads, with --buffers.");

  private final Collector.Type type;
  private final String labels;
  private final String help;

  SelfMetric(Collector.Type type, String labels, String help) {
    this.type = type;
    this.labels = labels;
    this.help = help;
  }

  /** As Prometheus has it, without the {@code _total} that a counter's samples end in. */
  String metricName() {
    return "prescale_" + name().toLowerCase(Locale.ROOT);
  }

  Collector.Type type() {
    return type;
  }

  List<String> labels() {
    return labels.isEmpty() ? List.of() : List.of(labels.split(",", -1));
  }

  String help() {
    return help;
  }

  private static final class Labels {
    static final String TARGET = "namespace,name";
    static final String RULE = "namespace,name,rule";
    static final String METRIC = "namespace,name,metric";
    static final String QUANTILE = "namespace,name,metric,quantile";
  }
}
