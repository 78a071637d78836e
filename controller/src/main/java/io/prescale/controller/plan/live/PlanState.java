package io.prescale.controller.plan.live;

import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * How old the plan is, as far as this replica knows.
 *
 * @param madeAt when the newest plan was made or, as long as none is known, when this replica began
 *     to plan; empty while it does not plan
 * @param written the plan that this replica wrote last; empty before the first
 */
public record PlanState(Optional<Instant> madeAt, Optional<CapacityPlanStatus> written) {
  /** Of a replica that does not plan. */
  static PlanState none() {
    return new PlanState(Optional.empty(), Optional.empty());
  }

  /** Of a replica that has written no plan yet. */
  static PlanState since(Instant time) {
    return new PlanState(Optional.of(time), Optional.empty());
  }

  /** Of a replica that has written this plan. */
  static PlanState of(CapacityPlanStatus written) {
    return new PlanState(Optional.ofNullable(written.madeAt()), Optional.of(written));
  }
}
