package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.autoscaling.TargetSettings;
import java.time.Duration;

/**
 * How often a PredictiveHPA may tick. Its queries are most of what a tick costs, so those with many
 * leading series may tick less often.
 *
 * @param ofEight the shortest step for up to {@value #QUERIES} queries
 */
record ShortestStep(Duration ofEight) {
  /** Every number of metrics may tick as often. */
  private static final int QUERIES = TargetSettings.MOST_METRICS;

  /** Refuses a step that is too short for what is asked in each. */
  void require(TargetSettings settings) throws NotReady {
    int queries = settings.metrics().stream().mapToInt(it -> 1 + it.leading().size()).sum();
    var shortest = ofEight.multipliedBy(Math.ceilDiv(queries, QUERIES));
    var step = settings.forecast().step();
    if (step.compareTo(shortest) < 0) {
      var why = queries > QUERIES ? " for %d metrics and leading series".formatted(queries) : "";
      throw new NotReady(
          ConditionReason.InvalidSpec,
          "spec.forecast.step is %d s; write %d s or more%s, or ask an administrator for a shorter --shortest-step of the controller, shortestStep of the chart."
              .formatted(step.toSeconds(), shortest.toSeconds(), why));
    }
  }
}
