package io.prescale.controller.simulation.report;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.TraceInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/** The trace and the settings of a replay, as sentences by heading. */
final class SettingsInWords {

  /** Limits of this size count as no limit. */
  private static final int UNLIMITED = 1_000_000;

  private SettingsInWords() {}

  static SequencedMap<String, String> of(ReplayResult result, ReportSubject about) {
    ReplaySettings settings = result.settings();
    var words = new LinkedHashMap<String, String>();
    words.put("Trace", trace(result.trace(), about.zone()));
    words.put("Scored", scored(result.trace(), about.zone()));
    words.put(
        "Capacity",
        "One ready replica carries a demand of "
            + Figures.number(settings.capacityPerReplica())
            + ". Demand above the capacity of the ready replicas is overload.");
    words.put("Cold start", coldStart(settings.coldStart(), settings.seed()));
    words.put(
        "Forecast",
        "Quantiles are those of the highest demand in the "
            + Figures.duration(settings.window())
            + " that begin "
            + Figures.duration(settings.coldStart().planned())
            + " after the forecast, when a replica requested at the time would be ready.");
    words.put("HPA", hpa(settings.rules()));
    words.put("Scale up", scaling(settings.rules().scaleUp()));
    words.put("Scale down", scaling(settings.rules().scaleDown()));
    return words;
  }

  private static String trace(TraceInfo trace, ZoneId zone) {
    Instant end = trace.start().plus(Duration.ofMinutes(trace.minutes()));
    return "%s to %s (%s): %s minutes, of which %s were not observed."
        .formatted(
            Figures.time(trace.start(), zone),
            Figures.time(end, zone),
            Figures.zone(zone),
            Figures.count(trace.minutes()),
            trace.missingMinutes() == 0 ? "none" : Figures.count(trace.missingMinutes()));
  }

  private static String scored(TraceInfo trace, ZoneId zone) {
    Instant from = trace.start().plus(Duration.ofMinutes(trace.scoredFrom()));
    String gaps =
        trace.interpolatedMinutes() == 0
            ? ""
            : " %s minutes without an observation are interpolated linearly for scoring; the policies see gaps."
                .formatted(Figures.count(trace.interpolatedMinutes()));
    return "%s minutes (%s) from %s; earlier minutes are history only. Demand was %s on average and %s at most.%s"
        .formatted(
            Figures.count(trace.scoredMinutes()),
            Figures.duration(Duration.ofMinutes(trace.scoredMinutes())),
            Figures.time(from, zone),
            Figures.number(trace.meanDemand()),
            Figures.number(trace.peakDemand()),
            gaps);
  }

  private static String coldStart(ColdStart coldStart, long seed) {
    return switch (coldStart) {
      case ColdStart.Constant(Duration duration) ->
          "A replica serves " + Figures.duration(duration) + " after its creation by the HPA.";
      case ColdStart.Uniform(Duration p50, Duration p90) ->
          spread(p50, p90, "uniformly distributed", seed);
      case ColdStart.LogNormal(Duration p50, Duration p90) ->
          spread(p50, p90, "log-normally distributed", seed);
    };
  }

  private static String spread(Duration p50, Duration p90, String how, long seed) {
    return "Half of the replicas serve within %s of their creation, 90 %% within %s (%s, seed %s)."
        .formatted(Figures.duration(p50), Figures.duration(p90), how, Long.toString(seed));
  }

  private static String hpa(HpaRules rules) {
    String most =
        rules.maxReplicas() >= UNLIMITED
            ? "no upper limit"
            : "at most " + Figures.count(rules.maxReplicas());
    String failed =
        switch (rules.failedSync()) {
          case LEAVES_NOTHING -> "adds nothing to the stabilization windows";
          case RECOMMENDS_CURRENT -> "recommends the current replicas";
        };
    return "Syncs every %s; at least %s %s, %s. A sync without a metric %s."
        .formatted(
            Figures.duration(rules.syncPeriod()),
            Figures.count(rules.minReplicas()),
            rules.minReplicas() == 1 ? "replica" : "replicas",
            most,
            failed);
  }

  private static String scaling(ScalingRules rules) {
    if (rules.selection() == ScalingRules.Selection.DISABLED) {
      return "Never.";
    }
    String among =
        rules.policies().size() == 1
            ? ""
            : rules.selection() == ScalingRules.Selection.MAX
                ? ", whichever is more"
                : ", whichever is less";
    String wait =
        rules.stabilizationWindow().isZero()
            ? "At once"
            : "After " + Figures.duration(rules.stabilizationWindow()) + " (stabilization window)";
    String distance =
        rules.tolerance() == 0
            ? ", however close the metric is to its target"
            : ", when the metric is more than "
                + Figures.roundPercent(rules.tolerance())
                + " from its target";
    return wait
        + distance
        + ", by at most "
        + rules.policies().stream().map(SettingsInWords::limit).collect(Collectors.joining(" or "))
        + among
        + ".";
  }

  private static String limit(ScalingPolicy policy) {
    String amount =
        switch (policy.unit()) {
          case PODS -> policy.value() + (policy.value() == 1 ? " pod" : " pods");
          case PERCENT -> policy.value() + " %";
        };
    return amount + " in " + Figures.duration(policy.period());
  }
}
