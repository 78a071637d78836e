package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prescale.controller.cluster.HpaReader;
import io.prescale.controller.operator.hpa.HpaPlan.Apply;
import io.prescale.controller.operator.hpa.HpaPlan.Delete;
import io.prescale.controller.operator.hpa.HpaPlan.Restore;
import io.prescale.controller.operator.hpa.HpaPlan.Step;
import java.net.HttpURLConnection;
import java.util.function.Function;

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
   * @throws HpaInPartException when rules would be given back to an HPA of which some cannot be
   *     read
   * @throws KubernetesClientException when the server refuses or cannot be reached
   */
  public void write(Step step) {
    switch (step) {
      case Apply(var desired, var seen) -> apply(desired, seen.orElseGet(() -> create(desired)));
      case Delete(var ours) ->
          client
              .resource(ours)
              .lockResourceVersion(ours.getMetadata().getResourceVersion())
              .delete(); // not one that another leader has written since
      case Restore(var adopted, var predictiveHpa) -> restore(adopted, predictiveHpa);
    }
  }

  /**
   * A conflict if there is one, which an apply would overwrite. The behavior is left to the apply
   * after it, since what was created stays when a later apply leaves it out.
   *
   * @return the version
   */
  private String create(HorizontalPodAutoscaler desired) {
    var first =
        new HorizontalPodAutoscalerBuilder(desired)
            .editOrNewSpec()
            .withBehavior(null)
            .endSpec()
            .build();
    return client.resource(first).create().getMetadata().getResourceVersion();
  }

  private void apply(HorizontalPodAutoscaler desired, String version) {
    var next =
        new HorizontalPodAutoscalerBuilder(desired)
            .editMetadata()
            .withResourceVersion(version)
            .endMetadata()
            .build();
    client.resource(next).fieldManager(FIELD_MANAGER).forceConflicts().serverSideApply();
  }

  /**
   * Restores the rules, then removes our name from the managed fields, with which another tool's
   * server-side apply would conflict.
   */
  private void restore(HorizontalPodAutoscaler adopted, String predictiveHpa) {
    try {
      patch(
          adopted,
          now ->
              new HorizontalPodAutoscalerBuilder(now)
                  .editMetadata()
                  .removeFromAnnotations(OriginalSpec.ADOPTED_BY)
                  .removeFromAnnotations(OriginalSpec.ORIGINAL_SPEC)
                  .endMetadata()
                  .withSpec(
                      OriginalSpec.of(now, predictiveHpa, client.getKubernetesSerialization())));
      patch(
          adopted,
          now ->
              new HorizontalPodAutoscalerBuilder(now)
                  .editMetadata()
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
      HorizontalPodAutoscaler hpa,
      Function<HorizontalPodAutoscaler, HorizontalPodAutoscalerBuilder> change) {
    var now = client.resource(hpa).require();
    if (HpaReader.isInPart(now)) {
      throw new HpaInPartException(now.getMetadata().getName());
    }
    client.resource(now).patch(AS_US, change.apply(now).build());
  }
}
