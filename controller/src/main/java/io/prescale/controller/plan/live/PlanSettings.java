package io.prescale.controller.plan.live;

import io.prescale.controller.plan.cluster.PlanQuestion;
import java.time.Duration;

/**
 * How the plan of a running cluster is made.
 *
 * @param every time between two plans
 */
public record PlanSettings(Duration every, PlanQuestion question) {
  public PlanSettings {
    if (every.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("a plan every " + every);
    }
  }
}
