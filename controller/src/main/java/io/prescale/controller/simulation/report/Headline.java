package io.prescale.controller.simulation.report;

import io.prescale.controller.simulation.replay.PolicyOutcome;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Reactive;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.TraceInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a replay in sentences derived from the figures, favourable to the subject or not.
 *
 * @param result the subject's figures, and those of the reactive HPA
 * @param verdicts how the subject compares with the reactive HPA, its budget and all others
 * @param churn how often the subject and the reactive HPA scaled
 */
public record Headline(String result, List<String> verdicts, String churn) {

  private static final String USUAL_REACTIVE = new Reactive(Reactive.USUAL_TARGET).name();
  private static final String ANY_REACTIVE = "reactive HPA";

  /** The share of the scored time from which on a lack of observations is said. */
  private static final double WORTH_SAYING = 0.1;

  /** The result of the policy that the report is about. */
  public static Headline of(ReplayResult result, ReportSubject about) {
    PolicyOutcome subject = subject(result, about).outcome();
    List<PolicyOutcome> others = others(result, about);
    Optional<PolicyOutcome> reactive = reactive(others);
    var sentence = new StringBuilder(subject.policy());
    sentence.append(": ").append(Figures.percent(subject.overloadedShare()));
    sentence.append(" of the time overloaded, at ");
    sentence.append(Figures.times(subject.costVsClairvoyant()));
    sentence.append(" the clairvoyant’s replica-hours");
    reactive.ifPresent(r -> sentence.append("; ").append(r.policy()).append(": ").append(brief(r)));

    return new Headline(
        sentence.append('.').toString(),
        verdicts(subject, others, reactive, about, result.trace()),
        churn(subject, reactive) + about.risk().startCost().sentence());
  }

  /** What the figures mean, one after the other. */
  public List<String> sentences() {
    return Stream.concat(verdicts.stream(), Stream.of(churn)).toList();
  }

  private static List<String> verdicts(
      PolicyOutcome subject,
      List<PolicyOutcome> others,
      Optional<PolicyOutcome> reactive,
      ReportSubject about,
      TraceInfo trace) {
    if (!trace.length().allowsVerdict()) {
      return List.of(trace.length().noVerdict());
    }
    if (!isKnown(subject)) {
      return List.of("These figures are unknown, so that no comparison is possible.");
    }
    var verdicts = new ArrayList<String>();
    subject.aboutGaps().ifPresent(verdicts::add);
    subject.aboutTrust().ifPresent(verdicts::add);
    if (trace.interpolatedMinutes() > WORTH_SAYING * trace.scoredMinutes()) {
      verdicts.add(
          "%s of the scored time was not observed; there, demand is interpolated along a straight line."
              .formatted(share((double) trace.interpolatedMinutes() / trace.scoredMinutes())));
    }
    reactive.filter(Headline::isKnown).ifPresent(r -> verdicts.add(against(subject, r)));
    if (about.overloadBudget().isPresent()) {
      verdicts.add(budget(subject, about.overloadBudget().getAsDouble()));
      subject.aboutBudget(about.risk(), about.budgetCurve()).ifPresent(verdicts::add);
    }
    if (!others.isEmpty()) {
      verdicts.add(rank(subject, others));
    }
    return verdicts;
  }

  private static String churn(PolicyOutcome subject, Optional<PolicyOutcome> reactive) {
    var other =
        reactive.map(it -> "; the %s %s and %s".formatted(it.policy(), scaled(it), reversed(it)));
    return "It scaled %s times a day and reversed %s times%s."
        .formatted(scaled(subject), reversed(subject), other.orElse(""));
  }

  private static String scaled(PolicyOutcome outcome) {
    return Figures.decimal(outcome.scaleEventsPerDay());
  }

  private static String reversed(PolicyOutcome outcome) {
    return Figures.decimal(outcome.reversalsPerDay());
  }

  private static boolean isKnown(PolicyOutcome outcome) {
    return Double.isFinite(outcome.overloadedShare()) && Double.isFinite(outcome.replicaHours());
  }

  /** The run that the report is about. */
  static PolicyRun subject(ReplayResult result, ReportSubject about) {
    return result.runs().stream()
        .filter(run -> run.outcome().policy().equals(about.policy()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no run of " + about.policy()));
  }

  /** All other runs except the clairvoyant, which is the last. */
  private static List<PolicyOutcome> others(ReplayResult result, ReportSubject about) {
    return result.runs().stream()
        .limit(Math.max(0, result.runs().size() - 1))
        .map(PolicyRun::outcome)
        .filter(outcome -> !outcome.policy().equals(about.policy()))
        .toList();
  }

  private static Optional<PolicyOutcome> reactive(List<PolicyOutcome> others) {
    return others.stream()
        .filter(o -> o.policy().equals(USUAL_REACTIVE))
        .findFirst()
        .or(() -> others.stream().filter(o -> o.policy().startsWith(ANY_REACTIVE)).findFirst());
  }

  private static String against(PolicyOutcome subject, PolicyOutcome reactive) {
    String verdict =
        overload(subject.overloadedShare(), reactive.overloadedShare())
            + " "
            + cost(subject.replicaHours() / reactive.replicaHours())
            + ".";
    if (isBeaten(subject, reactive)) {
      return "Worse than the " + reactive.policy() + ": " + verdict;
    }
    return "Against the " + reactive.policy() + ": " + verdict;
  }

  private static String overload(double subject, double reactive) {
    if (subject == reactive) {
      return subject == 0 ? "equally without overload," : "the same overload";
    }
    if (reactive == 0) {
      return "overload where the other had none,";
    }
    double ratio = subject / reactive;
    return ratio < 1
        ? share(1 - ratio) + " less overload"
        : Figures.ratio(ratio) + " × the overload";
  }

  private static String cost(double ratio) {
    if (Math.abs(ratio - 1) < 0.005) {
      return "for the same replica-hours";
    }
    return ratio < 1
        ? "for " + share(1 - ratio) + " fewer replica-hours"
        : "for " + share(ratio - 1) + " more replica-hours";
  }

  /** Rounds to whole percent, but to 100 % only if the share is 1. */
  private static String share(double share) {
    return Math.max(1, Math.round(Math.min(share, share < 1 ? 0.99 : share) * 100)) + " %";
  }

  private static String budget(PolicyOutcome subject, double budget) {
    String kept = subject.overloadedShare() <= budget ? " was met." : " was exceeded.";
    return "The budget of " + Figures.roundPercent(budget) + kept;
  }

  private static String rank(PolicyOutcome subject, List<PolicyOutcome> others) {
    List<PolicyOutcome> better = others.stream().filter(o -> isBeaten(subject, o)).toList();
    if (better.isEmpty()) {
      return "No other policy had less overload at a lower cost.";
    }
    return better.stream()
        .map(o -> o.policy() + " (" + brief(o) + ")")
        .collect(
            Collectors.joining(", ", "These policies had less overload at a lower cost: ", "."));
  }

  /** Whether the other was no worse in overload and cost, and better in at least one of them. */
  private static boolean isBeaten(PolicyOutcome subject, PolicyOutcome other) {
    boolean noWorse =
        other.overloadedShare() <= subject.overloadedShare()
            && other.replicaHours() <= subject.replicaHours();
    return noWorse
        && (other.overloadedShare() < subject.overloadedShare()
            || other.replicaHours() < subject.replicaHours());
  }

  private static String brief(PolicyOutcome outcome) {
    return Figures.percent(outcome.overloadedShare())
        + " at "
        + Figures.times(outcome.costVsClairvoyant());
  }
}
