package io.prescale.controller.scheduler.claims;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceConstraintBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelectorBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prescale.controller.cluster.MergePatch;
import io.prescale.placement.claims.ClaimPod;
import io.prescale.placement.claims.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Creates and deletes claims, and removes gates from pods. */
final class ClaimWriter {

  private final KubernetesClient client;

  ClaimWriter(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Creates a claim of a pod that only the chosen cards meet.
   *
   * @param like the claim whose request it takes over
   */
  void make(Step.Pinned step, ResourceClaim like) {
    client.resource(pinned(step, like)).create();
  }

  static ResourceClaim pinned(Step.Pinned step, ResourceClaim like) {
    var pod = step.pod();
    var claim =
        new ResourceClaimBuilder()
            .withNewMetadata()
            .withNamespace(step.claim().namespace())
            .withName(step.claim().name())
            .withLabels(like.getMetadata().getLabels())
            .withAnnotations(like.getMetadata().getAnnotations())
            .addToAnnotations(
                Map.of(
                    ClaimFacts.POD_CLAIM, pod.claim().orElseThrow(),
                    ClaimFacts.NODE, step.pin().node(),
                    ClaimFacts.CARDS, String.join(",", step.pin().uuids())))
            .withOwnerReferences(
                new OwnerReferenceBuilder()
                    .withApiVersion("v1")
                    .withKind("Pod")
                    .withName(pod.name())
                    .withUid(pod.uid())
                    .withController(true)
                    .build())
            .endMetadata()
            .withSpec(like.getSpec())
            .build();
    narrow(claim, step);
    return claim;
  }

  /** The last selector of a claim that was pinned before is ours. */
  private static void narrow(ResourceClaim claim, Step.Pinned step) {
    // A builder shares what it is given; the object of the informer stays as it is.
    var copy = new ResourceClaimBuilder(claim).build();
    var devices = copy.getSpec().getDevices();
    var request = devices.getRequests().getFirst();
    var exactly = request.getExactly();
    var selectors = new ArrayList<>(selectors(exactly.getSelectors(), step));
    selectors.add(
        new DeviceSelectorBuilder().withNewCel(step.pin().expression(step.driver())).build());
    exactly.setSelectors(selectors);
    var constraints =
        new ArrayList<>(ClaimFacts.withoutOurs(devices.getConstraints(), step.like().pin()));
    if (step.pin().uuids().size() > 1) {
      constraints.add(
          new DeviceConstraintBuilder()
              .withRequests(request.getName())
              .withDistinctAttribute(step.driver() + "/uuid")
              .build());
    }
    devices.setConstraints(constraints);
    claim.setSpec(copy.getSpec());
  }

  private static List<DeviceSelector> selectors(List<DeviceSelector> all, Step.Pinned step) {
    return step.like().pin().isPresent() && !all.isEmpty() ? all.subList(0, all.size() - 1) : all;
  }

  /** Deletes a claim, unless it has changed since it was seen: it may have been allocated. */
  void delete(Step.Replaced step) {
    var claim = step.claim();
    var options =
        new DeleteOptionsBuilder()
            .withNewPreconditions()
            .withUid(claim.uid())
            .withResourceVersion(claim.version())
            .endPreconditions()
            .build();
    client.raw(
        "/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims/%s"
            .formatted(claim.key().namespace(), claim.key().name()),
        "DELETE",
        options);
  }

  /** Removes the gate from a pod, if it has one. */
  void release(ClaimPod pod) {
    var patch =
        """
        {"metadata":{"uid":"%s"},"spec":{"schedulingGates":[{"$patch":"delete","name":"%s"}]}}\
        """
            .formatted(pod.uid(), ClaimFacts.GATE);
    client
        .resource(MergePatch.named(new Pod(), pod.namespace(), pod.name()))
        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
  }
}
