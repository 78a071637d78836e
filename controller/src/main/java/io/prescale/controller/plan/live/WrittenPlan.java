package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.CapacityPlan;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import java.util.Optional;

/** The CapacityPlan {@value CapacityPlan#NAME} as it was read, to be written once. */
final class WrittenPlan {
  private final KubernetesClient client;
  private final Optional<CapacityPlan> before;

  /** Reads it. */
  WrittenPlan(KubernetesClient client) {
    this.client = client;
    before =
        Optional.ofNullable(client.resources(CapacityPlan.class).withName(CapacityPlan.NAME).get());
  }

  Optional<CapacityPlanStatus> status() {
    return before.map(CapacityPlan::getStatus);
  }

  /** Writes the status, unless another leader has written since. */
  void write(CapacityPlanStatus status) {
    var plan =
        before.orElseGet(
            () -> {
              var fresh = new CapacityPlan();
              fresh.getMetadata().setName(CapacityPlan.NAME);
              return client.resource(fresh).create();
            });
    plan.setStatus(status);
    client.resource(plan).updateStatus();
  }
}
