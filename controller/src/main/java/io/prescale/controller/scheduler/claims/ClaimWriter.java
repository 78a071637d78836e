package io.prescale.controller.scheduler.claims;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prescale.controller.cluster.KubernetesJson;
import io.prescale.controller.cluster.MergePatch;
import io.prescale.placement.claims.Claim;
import io.prescale.placement.claims.ClaimPod;
import io.prescale.placement.claims.Step;

/** Creates and deletes claims, and removes gates from pods. */
final class ClaimWriter {

  private final KubernetesClient client;

  ClaimWriter(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Creates a claim of a pod that only the chosen cards meet, like the one whose request it takes
   * over, with all that users have written there.
   *
   * @return whether that one was still there
   */
  boolean make(Step.Pinned step) {
    var like = client.raw(path(step.like().key()));
    if (like == null) {
      return false;
    }
    var claim = KubernetesJson.read(like);
    if (!claim.at("/metadata/uid").asText().equals(step.like().uid())) {
      return false;
    }
    pin(claim, step);
    client.raw(path(step.claim().namespace()), "POST", KubernetesJson.text(claim));
    return true;
  }

  /** Makes of one claim the other. */
  static void pin(ObjectNode claim, Step.Pinned step) {
    var pod = step.pod();
    claim.retain("apiVersion", "kind", "metadata", "spec");
    var meta = claim.withObject("metadata").retain("labels", "annotations");
    meta.put("namespace", step.claim().namespace()).put("name", step.claim().name());
    meta.withObject("annotations")
        .put(ClaimFacts.POD_CLAIM, pod.claim().orElseThrow())
        .put(ClaimFacts.NODE, step.pin().node())
        .put(ClaimFacts.CARDS, String.join(",", step.pin().uuids()));
    meta.putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("name", pod.name())
        .put("uid", pod.uid())
        .put("controller", true);
    narrow(claim.withObject("spec").withObject("devices"), step);
  }

  /** The last selector of a claim that was pinned before is ours, as is the last constraint. */
  private static void narrow(ObjectNode devices, Step.Pinned step) {
    var before = step.like().pin();
    var request = (ObjectNode) devices.withArray("requests").get(0);
    var selectors = request.withObject("exactly").withArray("selectors");
    if (before.isPresent()) {
      selectors.remove(selectors.size() - 1);
    }
    selectors.addObject().putObject("cel").put("expression", step.pin().expression(step.driver()));
    var constraints = devices.withArray("constraints");
    if (ClaimFacts.hasOurConstraint(before)) {
      constraints.remove(constraints.size() - 1);
    }
    if (step.pin().uuids().size() > 1) {
      var distinct = constraints.addObject().put("distinctAttribute", step.driver() + "/uuid");
      distinct.putArray("requests").add(request.path("name").asText());
    }
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
    client.raw(path(claim.key()), "DELETE", options);
  }

  private static String path(Claim.Key claim) {
    return path(claim.namespace()) + "/" + claim.name();
  }

  private static String path(String namespace) {
    return "/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims".formatted(namespace);
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
