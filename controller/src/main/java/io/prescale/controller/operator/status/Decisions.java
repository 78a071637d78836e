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
  static DecisionStatus newest(Explanation it) {
    return new DecisionStatus(
        it.at(),
        it.metric(),
        Amount.textOrNull(it.observed()),
        it.forecast().map(forecast -> Amount.textOrNull(forecast.p50())).orElse(null),
        Amount.textOrNull(it.riskUplift()),
        StatusParts.roundedOrNull(it.shortageProbability()),
        it.lead().total().toSeconds(),
        Amount.textOrNull(it.served()),
        it.desiredReplicas(),
        StatusText.reason(it.reason()),
        activity(it),
        it.activity()
            .map(activity -> StatusParts.roundedOrNull(activity.probability()))
            .orElse(null),
        it.schedule().map(name -> Shortened.to(LONGEST_NAME, name)).orElse(null),
        it.missedBudget().map(StatusParts::missedBudget).orElse(null),
        Shortened.to(LONGEST_MESSAGE, String.join(" ", it.sentences())),
        new HpaOutcome(
            it.hpa().wanted(),
            StatusText.reason(it.hpa().gate()),
            Shortened.to(LONGEST_MESSAGE, it.hpa().message())));
  }

  private static @Nullable String activity(Explanation it) {
    return it.activity().map(activity -> StatusText.reason(activity.cause())).orElse(null);
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

  private static DecisionSummary summary(Explanation it, @Nullable Integer currentReplicas) {
    return new DecisionSummary(
        it.at(),
        it.metric(),
        Amount.textOrNull(it.observed()),
        it.forecast().map(forecast -> Amount.textOrNull(forecast.p50())).orElse(null),
        Amount.textOrNull(it.served()),
        it.lead().total().toSeconds(),
        currentReplicas,
        it.desiredReplicas(),
        StatusText.reason(it.reason()),
        activity(it),
        StatusText.reason(it.hpa().gate()));
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
