package io.prescale.controller.cli.cluster;

import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.DecisionStatus;
import io.prescale.controller.api.v1alpha1.DecisionSummary;
import io.prescale.controller.api.v1alpha1.ForecastPartsStatus;
import io.prescale.controller.api.v1alpha1.HpaOutcome;
import io.prescale.controller.api.v1alpha1.LeadTimeParts;
import io.prescale.controller.api.v1alpha1.LeadTimeStatus;
import io.prescale.controller.api.v1alpha1.LeadingStatus;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.MissedBudgetStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.cli.terminal.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A decision for people: one line for each step of the way from demand to replicas. */
final class ExplanationText {
  /** The rule by which the risk has its price; others serve no more than was observed. */
  private static final String FORECAST = "Forecast";

  private final PredictiveHPA resource;
  private final PredictiveHPAStatus status;
  private final List<String> lines = new ArrayList<>();

  ExplanationText(PredictiveHPA resource) {
    this.resource = resource;
    this.status = resource.getStatus();
  }

  /** The newest decision with all its parts, and the conditions. */
  List<String> newest() {
    var decision = status.lastDecision();
    if (decision == null) {
      lines.add(title() + ": no decision yet");
    } else {
      lines.add("%s, decided at %s".formatted(title(), decision.at()));
      lines.add("");
      write(decision);
    }
    if (status.booking() != null) {
      line("booking", "%s. %s".formatted(status.booking().reason(), status.booking().message()));
    }
    if (status.scaleIn() != null) {
      line("scale-in", "%s. %s".formatted(status.scaleIn().reason(), status.scaleIn().message()));
    }
    lines.add("");
    status.conditions().forEach(this::condition);
    return List.copyOf(lines);
  }

  /** What is remembered of a decision before. */
  List<String> past(DecisionSummary decision) {
    lines.add("%s, in force since %s".formatted(title(), decision.at()));
    lines.add("");
    line(
        "observed",
        "%s of %s".formatted(known(Amount.plain(decision.observed())), known(decision.metric())));
    line(
        "forecast",
        "%s, %s ahead (median)"
            .formatted(known(Amount.plain(decision.forecast())), seconds(decision.leadSeconds())));
    line(
        "served",
        "%s (%s)".formatted(known(Amount.plain(decision.served())), known(decision.reason())));
    line(
        "replicas",
        "%s running, %s asked for"
            .formatted(known(decision.currentReplicas()), known(decision.desiredReplicas())));
    if (decision.activity() != null) {
      line("activity", decision.activity());
    }
    line("HPA", "held by " + known(decision.gate()));
    return List.copyOf(lines);
  }

  private String title() {
    return "%s: %s, %s"
        .formatted(resource.qualifiedName(), known(status.target()), known(status.mode()));
  }

  private void write(DecisionStatus decision) {
    line(
        "observed",
        "%s of %s".formatted(known(Amount.plain(decision.observed())), known(decision.metric())));
    status.metrics().stream()
        .filter(metric -> metric.name().equals(decision.metric()))
        .findFirst()
        .ifPresent(this::forecast);
    if (status.leadTime() != null) {
      line("lead time", leadTime(status.leadTime()));
    }
    aboveMedian(decision);
    line(
        "served",
        "%s (%s): %s %s"
            .formatted(
                known(Amount.plain(decision.served())),
                known(decision.reason()),
                known(decision.desiredReplicas()),
                Integer.valueOf(1).equals(decision.desiredReplicas()) ? "replica" : "replicas"));
    if (decision.missedBudget() != null) {
      line("budget", budget(decision.missedBudget()));
    }
    if (decision.activity() != null) {
      line(
          "activity",
          "%s, with a probability of demand one lead time ahead of %s"
              .formatted(decision.activity(), known(decision.demandProbability())));
    }
    if (decision.schedule() != null) {
      line("schedule", decision.schedule());
    }
    hpa(decision.hpa());
  }

  /** Rounding to whole replicas apart from the replicas that the risk costs, as the page has it. */
  private void aboveMedian(DecisionStatus decision) {
    var capacity =
        status.metrics().stream()
            .filter(metric -> metric.name().equals(decision.metric()))
            .map(metric -> Amount.value(metric.averageValue()).orElse(0))
            .filter(it -> it > 0)
            .findFirst();
    var median = Amount.value(decision.forecast());
    var served = Amount.value(decision.served());
    if (!FORECAST.equals(decision.reason())
        || capacity.isEmpty()
        || median.isEmpty()
        || served.isEmpty()) {
      line("risk", "adds %s to the median".formatted(known(Amount.plain(decision.riskUplift()))));
      return;
    }
    double each = capacity.get();
    int forMedian = (int) Math.max(1, Math.ceil(median.getAsDouble() / each - 1e-9));
    double whole = forMedian * each;
    double more = served.getAsDouble() - whole;
    int replicas = (int) Math.round(more / each);
    line(
        "rounding",
        "adds %s to the median: %d whole %s of %s"
            .formatted(
                Numbers.brief(whole - median.getAsDouble()),
                forMedian,
                forMedian == 1 ? "replica" : "replicas",
                Numbers.brief(each)));
    line(
        "risk",
        replicas == 0
            ? "adds no replica"
            : "%s %s: %d %s"
                .formatted(
                    replicas > 0 ? "adds" : "takes",
                    Numbers.brief(Math.abs(more)),
                    Math.abs(replicas),
                    Math.abs(replicas) == 1 ? "replica" : "replicas"));
  }

  private void forecast(MetricStatus metric) {
    var quantiles = metric.quantiles();
    if (quantiles != null) {
      line(
          "forecast",
          "%s median, %s at 90 %%, %s at 95 %%, %s at 99 %%"
              .formatted(
                  known(Amount.plain(quantiles.p50())),
                  known(Amount.plain(quantiles.p90())),
                  known(Amount.plain(quantiles.p95())),
                  known(Amount.plain(quantiles.p99()))));
    }
    if (metric.parts() != null) {
      line("made of", parts(metric.parts()));
    }
    if (metric.breaker() != null) {
      line("trust", "%s: %s".formatted(metric.breaker().state(), known(metric.breaker().reason())));
    }
  }

  private static String parts(ForecastPartsStatus parts) {
    return join(
        part("level", Amount.plain(parts.level())),
        part("season", Amount.plain(parts.season())),
        part("event", Amount.plain(parts.event())),
        part("correction", Amount.plain(parts.correction())),
        part("calibration", Amount.plain(parts.calibration())),
        part("services borrowed from", parts.relatives()),
        followed(parts.leading()));
  }

  private static String followed(List<LeadingStatus> series) {
    return series.isEmpty()
        ? ""
        : series.stream()
            .map(it -> "%s %d s later".formatted(it.name(), it.lagSeconds()))
            .collect(Collectors.joining(" and ", "follows ", ""));
  }

  private static String leadTime(LeadTimeStatus lead) {
    var of = lead.parts() == null ? "" : ": " + parts(lead.parts());
    return "%d s (%s%s)%s"
        .formatted(
            lead.seconds(),
            lead.source().name().toLowerCase(Locale.ROOT),
            lead.samples() == null || lead.samples() == 0
                ? ""
                : lead.samples() == 1 ? ", 1 scale-up" : ", %d scale-ups".formatted(lead.samples()),
            of);
  }

  private static String parts(LeadTimeParts parts) {
    return join(
        part("decision", parts.decision()),
        part("schedule", parts.schedule()),
        part("pull", parts.pull()),
        part("ready", parts.ready()),
        part("HPA", parts.hpa()),
        part("scrape", parts.scrape()));
  }

  private static String join(String... parts) {
    return String.join(", ", Stream.of(parts).filter(part -> !part.isEmpty()).toList());
  }

  private static String part(String name, @Nullable Object value) {
    return value == null ? "" : name + " " + value;
  }

  private void hpa(@Nullable HpaOutcome hpa) {
    if (hpa != null) {
      line(
          "HPA",
          "wants %s, held by %s. %s"
              .formatted(
                  known(hpa.wanted()), known(hpa.gate()), Objects.toString(hpa.message(), "")));
    }
  }

  private void condition(StatusCondition condition) {
    lines.add(
        "%s %s (%s): %s"
            .formatted(
                condition.type(), condition.status(), condition.reason(), condition.message()));
  }

  private void line(String name, String text) {
    lines.add("  %-12s%s".formatted(name, text));
  }

  private static String seconds(@Nullable Long seconds) {
    return seconds == null ? "unknown" : seconds + " s";
  }

  private static String budget(MissedBudgetStatus budget) {
    var replicas =
        budget.timesReplicas() == null
            ? "no costLimit would keep it"
            : "a higher costLimit and about %s times the replicas would keep it"
                .formatted(Numbers.brief(budget.timesReplicas()));
    return "missed: %s of the last days was short of capacity, %s is allowed; %s"
        .formatted(percent(budget.shortShare()), percent(budget.budget()), replicas);
  }

  private static String percent(@Nullable Double share) {
    return share == null ? "unknown" : Numbers.brief(100 * share) + " %";
  }

  private static String known(@Nullable Object value) {
    return Objects.toString(value, "unknown");
  }
}
