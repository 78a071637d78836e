package io.prescale.controller.operator.status;

import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.DecisionStatus;
import io.prescale.controller.api.v1alpha1.DecisionSummary;
import io.prescale.controller.api.v1alpha1.HpaOutcome;
import io.prescale.controller.api.v1alpha1.Shortened;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.HpaVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The decisions of a status: the newest one whole, and a bounded list of those before it. */
final class Decisions {
  private static final int MOST = 20;
  private static final int LONGEST_MESSAGE = 512;
  private static final int LONGEST_NAME = 63;
  private static final String NOT_READ_YET = StatusText.reason(HpaVerdict.Gate.NOT_READ_YET);

  private Decisions() {}

  /** The newest decision, whole. */
  static DecisionStatus newest(Explanation explanation) {
    return new DecisionStatus(
        explanation.at(),
        explanation.metric(),
        Amount.textOrNull(explanation.observed()),
        explanation.forecast().map(forecast -> Amount.textOrNull(forecast.p50())).orElse(null),
        Amount.textOrNull(explanation.riskUplift()),
        StatusParts.roundedOrNull(explanation.shortageProbability()),
        explanation.lead().total().toSeconds(),
        Amount.textOrNull(explanation.served()),
        explanation.desiredReplicas(),
        StatusText.reason(explanation.reason()),
        activity(explanation),
        explanation
            .activity()
            .map(activity -> StatusParts.roundedOrNull(activity.probability()))
            .orElse(null),
        explanation.schedule().map(name -> Shortened.to(LONGEST_NAME, name)).orElse(null),
        explanation.missedBudget().map(StatusParts::missedBudget).orElse(null),
        Shortened.to(LONGEST_MESSAGE, String.join(" ", explanation.sentences())),
        new HpaOutcome(
            explanation.hpa().wanted(),
            StatusText.reason(explanation.hpa().gate()),
            Shortened.to(LONGEST_MESSAGE, explanation.hpa().message())));
  }

  private static @Nullable String activity(Explanation explanation) {
    return explanation.activity().map(activity -> StatusText.reason(activity.cause())).orElse(null);
  }

  /** Only decisions that differ from the one before are kept: that one was in force until then. */
  static List<DecisionSummary> after(
      List<DecisionSummary> old, Explanation newest, @Nullable Integer currentReplicas) {
    var summary = summary(newest, currentReplicas);
    boolean isKnown = !old.isEmpty() && old.getFirst().at().equals(summary.at());
    var earlier = isKnown ? old.subList(1, old.size()) : old;
    if (!earlier.isEmpty() && sameAs(earlier.getFirst(), summary)) {
      return earlier;
    }
    var all = new ArrayList<DecisionSummary>(MOST);
    all.add(summary);
    all.addAll(earlier.subList(0, Math.min(earlier.size(), MOST - 1)));
    return all;
  }

  private static DecisionSummary summary(
      Explanation explanation, @Nullable Integer currentReplicas) {
    return new DecisionSummary(
        explanation.at(),
        explanation.metric(),
        Amount.textOrNull(explanation.observed()),
        explanation.forecast().map(forecast -> Amount.textOrNull(forecast.p50())).orElse(null),
        Amount.textOrNull(explanation.served()),
        explanation.lead().total().toSeconds(),
        currentReplicas,
        explanation.desiredReplicas(),
        StatusText.reason(explanation.reason()),
        activity(explanation),
        StatusText.reason(explanation.hpa().gate()));
  }

  /** Until the HPA has read a value, its gate is the one before. */
  private static boolean sameAs(DecisionSummary before, DecisionSummary now) {
    return Objects.equals(before.metric(), now.metric())
        && Objects.equals(before.desiredReplicas(), now.desiredReplicas())
        && Objects.equals(before.currentReplicas(), now.currentReplicas())
        && Objects.equals(before.reason(), now.reason())
        && (NOT_READ_YET.equals(now.gate()) || Objects.equals(before.gate(), now.gate()));
  }
}
