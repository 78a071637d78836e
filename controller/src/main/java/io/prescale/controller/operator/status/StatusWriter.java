package io.prescale.controller.operator.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.fairness.WriteTurns.Urgency;
import io.prescale.controller.telemetry.Telemetry.Write;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes a status that differs from the present one, and reports what changed as events. A write is
 * about the version of the object that was seen: one of an earlier leader that arrives late is
 * refused by the API server.
 */
public record StatusWriter(
    KubernetesClient client,
    Predicate<PredictiveHPA> leads,
    CountedWrites writes,
    ConditionEvents events) {
  /**
   * Writes the status, if this replica still works on the resource and it is its turn.
   *
   * @return whether the resource has this status now
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when the server refuses or
   *     cannot be reached
   */
  public boolean write(
      PredictiveHPA resource,
      PredictiveHPAStatus status,
      Urgency urgency,
      Context<PredictiveHPA> context,
      Instant now) {
    if (!leads.test(resource)) {
      return false;
    }
    if (status.equals(withoutBooking(resource.getStatus()))) {
      return true;
    }
    var namespace = resource.getMetadata().getNamespace();
    if (!writes.takeTurn(namespace, urgency)) {
      return false;
    }
    try {
      apply(withStatus(resource, status), context);
    } catch (KubernetesClientException e) {
      var present = ApiFailure.isConflict(e) ? client.resource(resource).get() : null;
      if (present == null || !isSame(present, resource) || !leads.test(resource)) {
        throw e;
      }
      writes.takeTurn(namespace, Urgency.AT_ONCE);
      apply(withStatus(present, status), context); // what has changed is the spec, or a label
    }
    events.report(resource, status, now);
    return true;
  }

  private static @Nullable PredictiveHPAStatus withoutBooking(
      @Nullable PredictiveHPAStatus status) {
    return status == null ? null : status.with((BookingStatus) null);
  }

  /** Not one that was made anew under the name. */
  private static boolean isSame(PredictiveHPA a, PredictiveHPA b) {
    return Objects.equals(a.getMetadata().getUid(), b.getMetadata().getUid());
  }

  private void apply(PredictiveHPA patch, Context<PredictiveHPA> context) {
    writes.runInTurn(
        Write.STATUS, () -> context.resourceOperations().serverSideApplyPrimaryStatus(patch));
  }

  /** Only what is to be applied: the identity, the version that was seen and the status. */
  private static PredictiveHPA withStatus(PredictiveHPA resource, PredictiveHPAStatus status) {
    var patch = new PredictiveHPA();
    patch.getMetadata().setName(resource.getMetadata().getName());
    patch.getMetadata().setNamespace(resource.getMetadata().getNamespace());
    patch.getMetadata().setResourceVersion(resource.getMetadata().getResourceVersion());
    patch.setSpec(null);
    patch.setStatus(status);
    return patch;
  }
}
