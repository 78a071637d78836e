package io.prescale.controller.simulation.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
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

  private static final JsonFactory JSON = new JsonFactory();
  private static final DefaultIndenter INDENT = new DefaultIndenter("  ", "\n");

  private final JsonGenerator json;

  private JsonReport(JsonGenerator json) {
    this.json = json;
  }

  /** Writes the document; the caller closes the writer. */
  public static void write(ReplayResult result, ReportSubject subject, Writer out)
      throws IOException {
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withArrayIndenter(INDENT).withObjectIndenter(INDENT));
      new JsonReport(json).document(result, subject);
    }
    out.append('\n').flush();
  }

  private void document(ReplayResult result, ReportSubject subject) throws IOException {
    json.writeStartObject();
    text("format", "prescale-replay");
    json.writeNumberField("version", 1);
    text("written_at", subject.writtenAt().toString());
    text("policy", subject.policy());
    number("overload_budget", subject.overloadBudget());
    number("start_cost", subject.risk().startCost().replicaMinutes());
    trace(result.trace(), subject);
    settings(result.settings());
    json.writeArrayFieldStart("policies");
    for (PolicyRun run : result.runs()) {
      outcome(run.outcome());
    }
    json.writeEndArray();
    decisions(Headline.subject(result, subject), result.trace().scoredFrom());
    json.writeEndObject();
  }

  private void decisions(PolicyRun run, int from) throws IOException {
    json.writeArrayFieldStart("decisions");
    for (int i = Math.max(1, from); i < run.ticks().size(); i++) {
      Optional<Rationale> rationale = run.rationales().get(i);
      boolean changed =
          run.ticks().get(i).desiredReplicas() != run.ticks().get(i - 1).desiredReplicas();
      if (changed && rationale.isPresent()) {
        decision(run.ticks().get(i), rationale.get());
      }
    }
    json.writeEndArray();
  }

  private void decision(Tick tick, Rationale rationale) throws IOException {
    json.writeStartObject();
    text("time", tick.time().toString());
    number("served", tick.served());
    json.writeNumberField("replicas", tick.desiredReplicas());
    choice("reason", rationale.decision().reason());
    number("shortage_probability", rationale.decision().shortageProbability());
    part("level", rationale, ForecastParts::level);
    part("season", rationale, ForecastParts::season);
    part("correction", rationale, ForecastParts::correction);
    part("event", rationale, ForecastParts::event);
    part("calibration", rationale, ForecastParts::calibration);
    json.writeObjectFieldStart("weights");
    for (var weight : rationale.parts().map(ForecastParts::weights).orElse(List.of())) {
      number(Markup.wellFormed(weight.forecaster()), weight.share());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private void part(String name, Rationale rationale, ToDoubleFunction<ForecastParts> part)
      throws IOException {
    number(name, rationale.parts().stream().mapToDouble(part).findFirst());
  }

  private void trace(TraceInfo trace, ReportSubject subject) throws IOException {
    json.writeObjectFieldStart("trace");
    text("name", subject.trace());
    text("source", subject.source());
    text("start", trace.start().toString());
    json.writeNumberField("minutes", trace.minutes());
    json.writeNumberField("missing_minutes", trace.missingMinutes());
    text("scored_from", trace.start().plus(Duration.ofMinutes(trace.scoredFrom())).toString());
    json.writeNumberField("scored_minutes", trace.scoredMinutes());
    json.writeNumberField("interpolated_minutes", trace.interpolatedMinutes());
    number("mean_demand", trace.meanDemand());
    number("peak_demand", trace.peakDemand());
    json.writeEndObject();
  }

  private void settings(ReplaySettings settings) throws IOException {
    json.writeObjectFieldStart("settings");
    number("capacity_per_replica", settings.capacityPerReplica());
    coldStart(settings.coldStart());
    seconds("window_seconds", settings.window());
    seconds("skip_seconds", settings.skip());
    json.writeNumberField("seed", settings.seed());
    json.writeObjectFieldStart("hpa");
    seconds("sync_period_seconds", settings.rules().syncPeriod());
    json.writeNumberField("min_replicas", settings.rules().minReplicas());
    json.writeNumberField("max_replicas", settings.rules().maxReplicas());
    choice("failed_sync", settings.rules().failedSync());
    scaling("scale_up", settings.rules().scaleUp());
    scaling("scale_down", settings.rules().scaleDown());
    json.writeEndObject();
    json.writeEndObject();
  }

  private void coldStart(ColdStart coldStart) throws IOException {
    json.writeObjectFieldStart("cold_start");
    switch (coldStart) {
      case ColdStart.Constant _ -> text("distribution", "constant");
      case ColdStart.Uniform(Duration p50, Duration p90) -> spread("uniform", p50, p90);
      case ColdStart.LogNormal(Duration p50, Duration p90) -> spread("log_normal", p50, p90);
    }
    seconds("planned_seconds", coldStart.planned());
    json.writeEndObject();
  }

  private void spread(String distribution, Duration p50, Duration p90) throws IOException {
    text("distribution", distribution);
    seconds("p50_seconds", p50);
    seconds("p90_seconds", p90);
  }

  private void scaling(String name, ScalingRules rules) throws IOException {
    json.writeObjectFieldStart(name);
    seconds("stabilization_window_seconds", rules.stabilizationWindow());
    number("tolerance", rules.tolerance());
    choice("select_policy", rules.selection());
    json.writeArrayFieldStart("policies");
    for (ScalingPolicy policy : rules.policies()) {
      json.writeStartObject();
      choice("type", policy.unit());
      json.writeNumberField("value", policy.value());
      seconds("period_seconds", policy.period());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void outcome(PolicyOutcome outcome) throws IOException {
    json.writeStartObject();
    text("policy", outcome.policy());
    number("overloaded_share", outcome.overloadedShare());
    number("overloaded_unobserved_share", outcome.overloadedUnobservedShare());
    number("unserved_share", outcome.unservedShare());
    number("replica_hours", outcome.replicaHours());
    number("cost_vs_clairvoyant", outcome.costVsClairvoyant());
    number("scale_events_per_day", outcome.scaleEventsPerDay());
    number("reversals_per_day", outcome.reversalsPerDay());
    json.writeNumberField("minutes_below_reactive", outcome.minutesBelowReactive());
    number("untrusted_share", outcome.untrustedShare());
    if (outcome.coverage().isPresent()) {
      coverage(outcome.coverage().get());
    } else {
      json.writeNullField("coverage");
    }
    if (outcome.atZero().isPresent()) {
      atZero(outcome.atZero().get());
    } else {
      json.writeNullField("at_zero");
    }
    json.writeEndObject();
  }

  private void atZero(AtZero atZero) throws IOException {
    json.writeObjectFieldStart("at_zero");
    number("hours", atZero.hours());
    json.writeNumberField("first_requests", atZero.firstRequests());
    number("waited_minutes", atZero.waitedMinutes());
    number("longest_wait_minutes", atZero.longestWaitMinutes());
    json.writeEndObject();
  }

  private void coverage(Coverage coverage) throws IOException {
    json.writeObjectFieldStart("coverage");
    score("p50", coverage.p50());
    score("p90", coverage.p90());
    score("p95", coverage.p95());
    score("p99", coverage.p99());
    json.writeEndObject();
  }

  private void score(String name, Coverage.Score score) throws IOException {
    json.writeObjectFieldStart(name);
    number("level", score.level());
    number("covered", score.covered());
    number("pinball_loss", score.pinballLoss());
    number("relative_pinball_loss", score.relativePinballLoss());
    json.writeNumberField("minutes", score.minutes());
    json.writeEndObject();
  }

  private void text(String name, String value) throws IOException {
    json.writeStringField(name, Markup.wellFormed(value));
  }

  private void choice(String name, Enum<?> value) throws IOException {
    json.writeStringField(name, value.name().toLowerCase(Locale.ROOT));
  }

  private void seconds(String name, Duration duration) throws IOException {
    number(name, duration.toNanos() / 1e9);
  }

  private void number(String name, OptionalDouble value) throws IOException {
    if (value.isPresent()) {
      number(name, value.getAsDouble());
    } else {
      json.writeNullField(name);
    }
  }

  private void number(String name, double value) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumberField(name, value);
    } else {
      json.writeNullField(name);
    }
  }
}
