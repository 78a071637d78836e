package io.prescale.controller.scheduler.claims;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceConstraint;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.prescale.controller.cluster.BoundedQuantity;
import io.prescale.controller.cluster.WrittenTime;
import io.prescale.placement.claims.Claim;
import io.prescale.placement.claims.ClaimPod;
import io.prescale.placement.claims.Device.Address;
import io.prescale.placement.claims.Taint;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.inventory.PodFacts.Group;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads claims, and pods that wait for them, from Kubernetes' objects, which the API server has
 * validated.
 */
final class ClaimFacts {
  /** Holds a pod back until its cards are chosen. */
  static final String GATE = "gpu.prescale.io/cards";

  /** The node of the cards that a claim of ours is pinned to. */
  static final String NODE = "gpu.prescale.io/node";

  /** The UUIDs of those cards. */
  static final String CARDS = "gpu.prescale.io/cards";

  /** The annotation by which Kubernetes finds the claim that it made for a pod from a template. */
  static final String POD_CLAIM = "resource.kubernetes.io/pod-claim-name";

  private static final String PCIE_ROOT = "resource.kubernetes.io/pcieRoot";

  private ClaimFacts() {}

  static List<String> selectors(DeviceClass deviceClass) {
    return deviceClass.getSpec() == null
        ? List.of()
        : expressions(deviceClass.getSpec().getSelectors());
  }

  /** A selector of another language than CEL becomes one that is never understood. */
  private static List<String> expressions(@Nullable List<DeviceSelector> selectors) {
    return orEmpty(selectors).stream()
        .map(selector -> selector.getCel() == null ? "" : selector.getCel().getExpression())
        .toList();
  }

  static Claim of(ResourceClaim claim) {
    var meta = claim.getMetadata();
    var annotations = orEmpty(meta.getAnnotations());
    return new Claim(
        new Claim.Key(meta.getNamespace(), meta.getName()),
        meta.getUid(),
        meta.getResourceVersion(),
        owner(meta.getOwnerReferences()),
        Optional.ofNullable(annotations.get(POD_CLAIM)),
        request(claim),
        pin(annotations),
        held(claim),
        instant(meta.getCreationTimestamp()));
  }

  private static Optional<String> owner(@Nullable List<OwnerReference> owners) {
    return orEmpty(owners).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .filter(owner -> owner.getKind().equals("Pod"))
        .map(OwnerReference::getUid)
        .findFirst();
  }

  private static Optional<Claim.Pin> pin(Map<String, String> annotations) {
    var node = annotations.get(NODE);
    var cards = annotations.get(CARDS);
    return node == null || cards == null
        ? Optional.empty()
        : Optional.of(new Claim.Pin(node, List.of(cards.split(","))));
  }

  private static Optional<Claim.Request> request(ResourceClaim claim) {
    var devices = claim.getSpec() == null ? null : claim.getSpec().getDevices();
    if (devices == null
        || orEmpty(devices.getRequests()).size() != 1
        || devices.getRequests().getFirst().getExactly() == null) {
      return Optional.empty();
    }
    var exactly = devices.getRequests().getFirst().getExactly();
    boolean isPlain =
        isOrAbsent("ExactCount", exactly.getAllocationMode())
            && !Boolean.TRUE.equals(exactly.getAdminAccess());
    var pin = pin(orEmpty(claim.getMetadata().getAnnotations()));
    return links(withoutOurs(orEmpty(devices.getConstraints()), pin))
        .filter(_ -> isPlain)
        .map(links -> request(exactly, pin.isPresent(), links));
  }

  private static List<DeviceConstraint> withoutOurs(
      List<DeviceConstraint> constraints, Optional<Claim.Pin> pin) {
    return hasOurConstraint(pin) && !constraints.isEmpty()
        ? constraints.subList(0, constraints.size() - 1)
        : constraints;
  }

  /** A pin to several cards adds a constraint, the last one, that says nothing that it does not. */
  static boolean hasOurConstraint(Optional<Claim.Pin> pin) {
    return pin.filter(it -> it.uuids().size() > 1).isPresent();
  }

  /** What constraints require; empty if that is not understood. */
  private static Optional<LinkRequirement> links(List<DeviceConstraint> constraints) {
    if (constraints.isEmpty()) {
      return Optional.of(LinkRequirement.NONE);
    }
    boolean isOfOneRoot =
        constraints.size() == 1 && PCIE_ROOT.equals(constraints.getFirst().getMatchAttribute());
    return isOfOneRoot
        ? Optional.of(LinkRequirement.required(LinkScope.PCIE_HOST_BRIDGE))
        : Optional.empty();
  }

  private static Claim.Request request(
      ExactDeviceRequest exactly, boolean isOurs, LinkRequirement links) {
    // A pin adds a selector, the last one, too.
    var selectors = expressions(exactly.getSelectors());
    var asked = new HashMap<String, BigDecimal>();
    if (exactly.getCapacity() != null) {
      orEmpty(exactly.getCapacity().getRequests())
          .forEach((name, amount) -> asked.put(name, BoundedQuantity.amount(amount)));
    }
    long count = exactly.getCount() == null ? 1 : exactly.getCount();
    return new Claim.Request(
        exactly.getDeviceClassName(),
        (int) Math.min(count, Integer.MAX_VALUE),
        isOurs && !selectors.isEmpty() ? selectors.subList(0, selectors.size() - 1) : selectors,
        asked,
        orEmpty(exactly.getTolerations()).stream().map(ClaimFacts::toleration).toList(),
        links);
  }

  /** The operator Exists tolerates any value. */
  private static Taint.Toleration toleration(DeviceToleration toleration) {
    var value = toleration.getValue() == null ? "" : toleration.getValue();
    return new Taint.Toleration(
        Optional.ofNullable(toleration.getKey()).filter(key -> !key.isEmpty()),
        "Exists".equals(toleration.getOperator()) ? Optional.empty() : Optional.of(value),
        Optional.ofNullable(toleration.getEffect()).filter(effect -> !effect.isEmpty()));
  }

  private static boolean isOrAbsent(String wanted, @Nullable String value) {
    return value == null || value.equals(wanted);
  }

  private static List<Claim.Held> held(ResourceClaim claim) {
    var allocation = claim.getStatus() == null ? null : claim.getStatus().getAllocation();
    if (allocation == null || allocation.getDevices() == null) {
      return List.of();
    }
    return orEmpty(allocation.getDevices().getResults()).stream()
        .filter(result -> !Boolean.TRUE.equals(result.getAdminAccess()))
        .map(ClaimFacts::held)
        .toList();
  }

  private static Claim.Held held(DeviceRequestAllocationResult result) {
    var consumed = new HashMap<String, BigDecimal>();
    orEmpty(result.getConsumedCapacity())
        .forEach((name, amount) -> consumed.put(name, BoundedQuantity.amount(amount)));
    return new Claim.Held(
        new Address(result.getDriver(), result.getPool(), result.getDevice()), consumed);
  }

  /**
   * The pod, if it waits for cards of ours, or could have waited for them. While another gate holds
   * it back, such as a queue's, it does not wait yet.
   *
   * @param group that it is placed with, if any; its pods count whether or not they have claims.
   *     One whose PodGroup states its size is kube-scheduler's to keep together
   */
  static Optional<ClaimPod> of(Pod pod, Optional<Group> group) {
    var gates = orEmpty(pod.getSpec().getSchedulingGates());
    if (isOver(pod, !gates.isEmpty())) {
      return Optional.empty();
    }
    if (!gates.stream().allMatch(gate -> gate.getName().equals(GATE))) {
      return Optional.empty();
    }
    boolean gated = !gates.isEmpty();
    var fromTemplate =
        orEmpty(pod.getSpec().getResourceClaims()).stream()
            .filter(claim -> claim.getResourceClaimTemplateName() != null)
            .map(PodResourceClaim::getName)
            .toList();
    var known = group.filter(it -> it.size() != Group.AS_ITS_POD_GROUP_SAYS);
    if (!gated && fromTemplate.size() != 1 && known.isEmpty()) {
      return Optional.empty();
    }
    var meta = pod.getMetadata();
    var claim =
        fromTemplate.size() == 1 ? Optional.of(fromTemplate.getFirst()) : Optional.<String>empty();
    return Optional.of(
        new ClaimPod(
            meta.getUid(),
            meta.getNamespace(),
            meta.getName(),
            pod.getSpec().getPriority() == null ? 0 : pod.getSpec().getPriority(),
            instant(meta.getCreationTimestamp()),
            claim,
            claim.flatMap(name -> current(pod, name)),
            gated,
            isUnschedulable(pod),
            pod.getSpec().getNodeName() != null && !pod.getSpec().getNodeName().isEmpty(),
            pod.getMetadata().getDeletionTimestamp() != null,
            known));
  }

  /** Whether it has ended, or leaves before it began. */
  private static boolean isOver(Pod pod, boolean gated) {
    var phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return "Succeeded".equals(phase)
        || "Failed".equals(phase)
        || (gated && pod.getMetadata().getDeletionTimestamp() != null);
  }

  private static Optional<String> current(Pod pod, String claim) {
    return pod.getStatus() == null
        ? Optional.empty()
        : orEmpty(pod.getStatus().getResourceClaimStatuses()).stream()
            .filter(status -> status.getName().equals(claim))
            .flatMap(status -> Optional.ofNullable(status.getResourceClaimName()).stream())
            .findFirst();
  }

  private static boolean isUnschedulable(Pod pod) {
    return pod.getStatus() != null
        && orEmpty(pod.getStatus().getConditions()).stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("PodScheduled")
                        && "False".equals(condition.getStatus())
                        && "Unschedulable".equals(condition.getReason()));
  }

  private static Instant instant(@Nullable String text) {
    return WrittenTime.read(text).orElse(Instant.EPOCH);
  }
}
