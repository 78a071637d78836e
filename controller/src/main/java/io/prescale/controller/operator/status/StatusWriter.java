package io.prescale.controller.operator.status;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.telemetry.Telemetry.Write;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Writes a status that differs from the present one, and reports what changed as events. */
public record StatusWriter(BooleanSupplier leads, CountedWrites writes, ConditionEvents events) {
  /**
   * Writes the status, if this replica still leads.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when the server refuses or
   *     cannot be reached
   */
  public void write(
      PredictiveHPA resource,
      PredictiveHPAStatus status,
      Context<PredictiveHPA> context,
      Instant now) {
    if (status.equals(resource.getStatus()) || !leads.getAsBoolean()) {
      return;
    }
    var patch = withStatus(resource, status);
    writes.run(
        Write.STATUS, () -> context.resourceOperations().serverSideApplyPrimaryStatus(patch));
    events.report(resource, status, now);
  }

  /** Only what is to be applied: the identity and the status. */
  private static PredictiveHPA withStatus(PredictiveHPA resource, PredictiveHPAStatus status) {
    var patch = new PredictiveHPA();
    patch.getMetadata().setName(resource.getMetadata().getName());
    patch.getMetadata().setNamespace(resource.getMetadata().getNamespace());
    patch.setSpec(null);
    patch.setStatus(status);
    return patch;
  }
}
