package io.prescale.controller.plan.live;

import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Forecasts of the next day, one of each service. */
interface Forecasts {
  /** Forgets all but these. */
  void retain(Set<String> uids);

  /** What is known of a service, without any effort. */
  ServiceForecasts.Known known(PredictiveHPA resource, Instant now);

  /** Those for which it is time for another forecast, first those that have waited longest. */
  List<PredictiveHPA> due(List<PredictiveHPA> services, Instant now);

  /** Makes another one; takes seconds. */
  void renew(PredictiveHPA resource, Duration lead, Instant now) throws InterruptedException;
}
