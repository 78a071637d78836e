package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prescale.controller.operator.hpa.HpaPlan.Apply;
import io.prescale.controller.operator.hpa.HpaPlan.Delete;
import io.prescale.controller.operator.hpa.HpaPlan.Restore;
import io.prescale.controller.operator.hpa.HpaPlan.Step;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Carries out the steps of an {@link HpaPlan}; every step may be repeated without harm. */
public final class HpaWriter {
  /** The field manager of everything that Prescale applies. */
  public static final String FIELD_MANAGER = "prescale";

  private static final PatchContext AS_US =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON)
          .withFieldManager(FIELD_MANAGER)
          .build();

  private final KubernetesClient client;

  public HpaWriter(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Carries out one step.
   *
   * @throws KubernetesClientException when the server refuses or cannot be reached
   */
  public void write(Step step) {
    switch (step) {
      case Apply(var desired, var seen) ->
          client
              .resource(of(desired, seen))
              .fieldManager(FIELD_MANAGER)
              .forceConflicts()
              .serverSideApply();
      case Delete(var ours) ->
          client
              .resource(ours)
              .lockResourceVersion(ours.getMetadata().getResourceVersion())
              .delete(); // not one that another leader has written since
      case Restore(var adopted, var original) -> restore(adopted, original);
    }
  }

  private static HorizontalPodAutoscaler of(
      HorizontalPodAutoscaler desired, Optional<String> version) {
    return new HorizontalPodAutoscalerBuilder(desired)
        .editMetadata()
        .withResourceVersion(version.orElse(null))
        .endMetadata()
        .build();
  }

  /**
   * Restores the rules, then removes our name from the managed fields, with which another tool's
   * server-side apply would conflict.
   */
  private void restore(HorizontalPodAutoscaler adopted, HorizontalPodAutoscalerSpec original) {
    try {
      patch(
          adopted,
          now ->
              now.editMetadata()
                  .removeFromAnnotations(OriginalSpec.ADOPTED_BY)
                  .removeFromAnnotations(OriginalSpec.ORIGINAL_SPEC)
                  .endMetadata()
                  .withSpec(original));
      patch(
          adopted,
          now ->
              now.editMetadata()
                  .removeMatchingFromManagedFields(
                      entry -> FIELD_MANAGER.equals(entry.getManager()))
                  .endMetadata());
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  private void patch(
      HorizontalPodAutoscaler hpa, UnaryOperator<HorizontalPodAutoscalerBuilder> change) {
    var now = client.resource(hpa).require();
    client
        .resource(now)
        .patch(AS_US, change.apply(new HorizontalPodAutoscalerBuilder(now)).build());
  }
}
