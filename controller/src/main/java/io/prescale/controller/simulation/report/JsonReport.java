package io.prescale.controller.simulation.report;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.simulation.replay.AtZero;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.Coverage;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Rationale;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.Tick;
import io.prescale.controller.simulation.replay.TraceInfo;
import io.prescale.forecasting.online.ForecastParts;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * The scores of a replay as JSON. A version may gain fields but never renames them.
 *
 * <pre>
 * format            "prescale-replay"
 * version           1
 * written_at        RFC 3339, as are all times
 * policy            the policy that the replay is about
 * overload_budget   share of the time, 0 to 1; null without one
 * budget_curve      a sentence on what keeping to it would cost; null unless that was replayed
 * trace             name, source, start, minutes, missing_minutes, scored_from, scored_minutes,
 *                   interpolated_minutes, mean_demand, peak_demand
 * settings          capacity_per_replica, cold_start, window_seconds, skip_seconds, seed, hpa
 *   .cold_start     distribution (constant, uniform or log_normal), planned_seconds, and p50_seconds
 *                   and p90_seconds unless constant
 *   .hpa            sync_period_seconds, min_replicas, max_replicas, failed_sync (leaves_nothing or
 *                   recommends_current), scale_up, scale_down
 *     .scale_…      stabilization_window_seconds, tolerance, select_policy (max, min or disabled),
 *                   policies: type (pods or percent), value, period_seconds
 * policies          an array, the clairvoyant last: policy, overloaded_share,
 *                   overloaded_unobserved_share, unserved_share, replica_hours, cost_vs_clairvoyant, scale_events_per_day, reversals_per_day,
 *                   short_uses_per_day (replicas stopped after five minutes of use at most),
 *                   minutes_below_reactive, untrusted_share, coverage, at_zero
 *   .coverage       null without quantiles; else p50, p90, p95, p99
 *     .p..          level, covered, pinball_loss, relative_pinball_loss, minutes
 *   .at_zero        null unless min_replicas is 0; else hours (without a replica), first_requests
 *                   (that waited), waited_minutes (of all), longest_wait_minutes
 * decisions         why that policy changed its replicas: an array of the scored minutes in which it did, with time, served, replicas, reason
 *                   (forecast, never_below_observed, no_forecast, idle, scheduled_floor, scheduled_ceiling or nothing_known),
 *                   shortage_probability, and of the forecast level, season, correction,
 *                   event, calibration, weights (share by forecaster)
 * </pre>
 *
 * Shares and levels are 0 to 1. An unknown number is null.
 */
public final class JsonReport {
  private static final DefaultIndenter INDENT = new DefaultIndenter("  ", "\n");
  private static final ObjectWriter WRITER =
      new ObjectMapper()
          .writer(new DefaultPrettyPrinter().withArrayIndenter(INDENT).withObjectIndenter(INDENT));

  private JsonReport() {}

  /** Writes the document; the caller closes the writer. */
  public static void write(ReplayResult result, ReportSubject subject, Writer out)
      throws IOException {
    out.append(WRITER.writeValueAsString(document(result, subject))).append('\n').flush();
  }

  private static ObjectNode document(ReplayResult result, ReportSubject subject) {
    var json = JsonNodeFactory.instance.objectNode();
    text(json, "format", "prescale-replay");
    json.put("version", 1);
    text(json, "written_at", subject.writtenAt().toString());
    text(json, "policy", subject.policy());
    number(json, "overload_budget", subject.overloadBudget());
    json.put("budget_curve", subject.budgetCurve().map(Markup::wellFormed).orElse(null));
    number(json, "start_cost", subject.risk().startCost().replicaMinutes());
    trace(json.putObject("trace"), result.trace(), subject);
    settings(json.putObject("settings"), result.settings());
    var policies = json.putArray("policies");
    result.runs().forEach(run -> outcome(policies.addObject(), run.outcome()));
    decisions(
        json.putArray("decisions"), Headline.subject(result, subject), result.trace().scoredFrom());
    return json;
  }

  private static void decisions(ArrayNode json, PolicyRun run, int from) {
    for (int i = Math.max(1, from); i < run.ticks().size(); i++) {
      Optional<Rationale> rationale = run.rationales().get(i);
      boolean changed =
          run.ticks().get(i).desiredReplicas() != run.ticks().get(i - 1).desiredReplicas();
      if (changed && rationale.isPresent()) {
        decision(json.addObject(), run.ticks().get(i), rationale.get());
      }
    }
  }

  private static void decision(ObjectNode json, Tick tick, Rationale rationale) {
    text(json, "time", tick.time().toString());
    number(json, "served", tick.served());
    json.put("replicas", tick.desiredReplicas());
    choice(json, "reason", rationale.decision().reason());
    number(json, "shortage_probability", rationale.decision().shortageProbability());
    part(json, "level", rationale, ForecastParts::level);
    part(json, "season", rationale, ForecastParts::season);
    part(json, "correction", rationale, ForecastParts::correction);
    part(json, "event", rationale, ForecastParts::event);
    part(json, "calibration", rationale, ForecastParts::calibration);
    var weights = json.putObject("weights");
    for (var weight : rationale.parts().map(ForecastParts::weights).orElse(List.of())) {
      number(weights, Markup.wellFormed(weight.forecaster()), weight.share());
    }
  }

  private static void part(
      ObjectNode json, String name, Rationale rationale, ToDoubleFunction<ForecastParts> part) {
    number(json, name, rationale.parts().stream().mapToDouble(part).findFirst());
  }

  private static void trace(ObjectNode json, TraceInfo trace, ReportSubject subject) {
    text(json, "name", subject.trace());
    text(json, "source", subject.source());
    text(json, "start", trace.start().toString());
    json.put("minutes", trace.minutes());
    json.put("missing_minutes", trace.missingMinutes());
    text(
        json, "scored_from", trace.start().plus(Duration.ofMinutes(trace.scoredFrom())).toString());
    json.put("scored_minutes", trace.scoredMinutes());
    json.put("interpolated_minutes", trace.interpolatedMinutes());
    number(json, "mean_demand", trace.meanDemand());
    number(json, "peak_demand", trace.peakDemand());
  }

  private static void settings(ObjectNode json, ReplaySettings settings) {
    number(json, "capacity_per_replica", settings.capacityPerReplica());
    coldStart(json.putObject("cold_start"), settings.coldStart());
    seconds(json, "window_seconds", settings.window());
    seconds(json, "skip_seconds", settings.skip());
    json.put("seed", settings.seed());
    var hpa = json.putObject("hpa");
    seconds(hpa, "sync_period_seconds", settings.rules().syncPeriod());
    hpa.put("min_replicas", settings.rules().minReplicas());
    hpa.put("max_replicas", settings.rules().maxReplicas());
    choice(hpa, "failed_sync", settings.rules().failedSync());
    scaling(hpa.putObject("scale_up"), settings.rules().scaleUp());
    scaling(hpa.putObject("scale_down"), settings.rules().scaleDown());
  }

  private static void coldStart(ObjectNode json, ColdStart coldStart) {
    switch (coldStart) {
      case ColdStart.Constant _ -> text(json, "distribution", "constant");
      case ColdStart.Uniform(Duration p50, Duration p90) -> spread(json, "uniform", p50, p90);
      case ColdStart.LogNormal(Duration p50, Duration p90) -> spread(json, "log_normal", p50, p90);
    }
    seconds(json, "planned_seconds", coldStart.planned());
  }

  private static void spread(ObjectNode json, String distribution, Duration p50, Duration p90) {
    text(json, "distribution", distribution);
    seconds(json, "p50_seconds", p50);
    seconds(json, "p90_seconds", p90);
  }

  private static void scaling(ObjectNode json, ScalingRules rules) {
    seconds(json, "stabilization_window_seconds", rules.stabilizationWindow());
    number(json, "tolerance", rules.tolerance());
    choice(json, "select_policy", rules.selection());
    var policies = json.putArray("policies");
    for (ScalingPolicy policy : rules.policies()) {
      var each = policies.addObject();
      choice(each, "type", policy.unit());
      each.put("value", policy.value());
      seconds(each, "period_seconds", policy.period());
    }
  }

  private static void outcome(ObjectNode json, PolicyOutcome outcome) {
    text(json, "policy", outcome.policy());
    number(json, "overloaded_share", outcome.overloadedShare());
    number(json, "overloaded_unobserved_share", outcome.overloadedUnobservedShare());
    number(json, "unserved_share", outcome.unservedShare());
    number(json, "replica_hours", outcome.replicaHours());
    number(json, "cost_vs_clairvoyant", outcome.costVsClairvoyant());
    number(json, "scale_events_per_day", outcome.scaleEventsPerDay());
    number(json, "reversals_per_day", outcome.reversalsPerDay());
    number(json, "short_uses_per_day", outcome.shortUsesPerDay());
    json.put("minutes_below_reactive", outcome.minutesBelowReactive());
    number(json, "untrusted_share", outcome.untrustedShare());
    json.set("coverage", outcome.coverage().map(JsonReport::coverage).orElse(null));
    json.set("at_zero", outcome.atZero().map(JsonReport::atZero).orElse(null));
  }

  private static ObjectNode atZero(AtZero atZero) {
    var json = JsonNodeFactory.instance.objectNode();
    number(json, "hours", atZero.hours());
    json.put("first_requests", atZero.firstRequests());
    number(json, "waited_minutes", atZero.waitedMinutes());
    number(json, "longest_wait_minutes", atZero.longestWaitMinutes());
    return json;
  }

  private static ObjectNode coverage(Coverage coverage) {
    var json = JsonNodeFactory.instance.objectNode();
    score(json.putObject("p50"), coverage.p50());
    score(json.putObject("p90"), coverage.p90());
    score(json.putObject("p95"), coverage.p95());
    score(json.putObject("p99"), coverage.p99());
    return json;
  }

  private static void score(ObjectNode json, Coverage.Score score) {
    number(json, "level", score.level());
    number(json, "covered", score.covered());
    number(json, "pinball_loss", score.pinballLoss());
    number(json, "relative_pinball_loss", score.relativePinballLoss());
    json.put("minutes", score.minutes());
  }

  private static void text(ObjectNode json, String name, String value) {
    json.put(name, Markup.wellFormed(value));
  }

  private static void choice(ObjectNode json, String name, Enum<?> value) {
    json.put(name, value.name().toLowerCase(Locale.ROOT));
  }

  private static void seconds(ObjectNode json, String name, Duration duration) {
    number(json, name, duration.toNanos() / 1e9);
  }

  private static void number(ObjectNode json, String name, OptionalDouble value) {
    number(json, name, value.orElse(Double.NaN));
  }

  private static void number(ObjectNode json, String name, double value) {
    json.put(name, Double.isFinite(value) ? (Double) value : null);
  }
}
