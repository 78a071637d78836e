package io.prescale.controller.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.LeadTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class LeadTimes {
  private final Optional<Duration> declared;

  private LeadTimes(Optional<Duration> declared) {
    this.declared = declared;
  }

  static LeadTimes of(PredictiveHPA resource) {
    return new LeadTimes(resource.getSpec().declaredLeadTime());
  }

  void observe(List<Pod> pods, Instant now) {}

  void decided(boolean more, Instant now) {}

  LeadTime estimate(HpaRules hpa, int current, Duration scrapeLag) {
    return LeadTime.declared(declared.orElse(Duration.ofMinutes(2)));
  }
}
