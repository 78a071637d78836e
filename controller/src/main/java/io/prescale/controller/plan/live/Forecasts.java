package io.prescale.controller.plan.live;

import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** Forecasts of the next day, one of each service. */
interface Forecasts {
  /** Forgets all but these. */
  void retain(Set<String> uids);

  /** What is known of a service, without any effort. */
  ServiceForecasts.Known known(PredictiveHPA resource, Instant now);

  /** Whether it is time for another forecast. */
  boolean isDue(PredictiveHPA resource, Instant now);

  /** Makes another one; takes seconds. */
  void renew(PredictiveHPA resource, Duration lead, Instant now) throws InterruptedException;
}
