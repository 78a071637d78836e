package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.values.ValuePublisher;
import java.util.function.BooleanSupplier;
import java.util.function.DoublePredicate;
import java.util.function.DoubleSupplier;

/**
 * Which PredictiveHPAs this replica works on, by their {@linkplain ValuePublisher#position
 * position}.
 *
 * @param leads whether it may write for those at a position at this moment
 * @param elsewhere whether those at a position are another replica's, or not yet this one's
 * @param part how many of all are this replica's, from 0 to 1
 */
record Duty(DoublePredicate leads, DoublePredicate elsewhere, DoubleSupplier part) {
  /** For the one replica that leads all or nothing. */
  static Duty all(BooleanSupplier leads) {
    return new Duty(_ -> leads.getAsBoolean(), _ -> false, () -> 1);
  }

  boolean mayWrite(PredictiveHPA resource) {
    return leads.test(position(resource));
  }

  boolean isElsewhere(PredictiveHPA resource) {
    return isElsewhere(resource.getMetadata().getUid());
  }

  boolean isElsewhere(String uid) {
    return elsewhere.test(ValuePublisher.position(uid));
  }

  static double position(PredictiveHPA resource) {
    return ValuePublisher.position(resource.getMetadata().getUid());
  }
}
