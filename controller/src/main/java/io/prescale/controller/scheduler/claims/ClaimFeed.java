package io.prescale.controller.scheduler.claims;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.ClusterAccess;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.cluster.NodeStates;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.inventory.PodFacts.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reports devices, claims, nodes and pods to the ledger. */
final class ClaimFeed implements AutoCloseable {
  private static final long PAGE = 500;
  private static final ResourceDefinitionContext RULES =
      ServedKind.of("resource.k8s.io", "v1beta2", "DeviceTaintRule", "devicetaintrules", false);

  private final List<KubernetesClient> inBrief;

  private ClaimFeed(List<KubernetesClient> inBrief) {
    this.inBrief = inBrief;
  }

  /**
   * Starts watching.
   *
   * @param nodes that are watched already
   * @param pods that are watched already
   * @param group of a pod, if it is of one
   * @param changed runs after every event
   * @param watches to which its own belong, and which stops them
   */
  static ClaimFeed start(
      KubernetesClient client,
      SharedIndexInformer<Node> nodes,
      SharedIndexInformer<Pod> pods,
      Function<Pod, Optional<Group>> group,
      ClaimLedger ledger,
      Runnable changed,
      CurrentWatches watches) {
    var slices = watches.informer("ResourceSlices", client.resources(ResourceSlice.class), PAGE);
    var classesInBrief = ClusterAccess.apart(client, ClaimsInBrief.CLASSES);
    var classes =
        watches.optional("DeviceClasses", classesInBrief.resources(DeviceClass.class), PAGE);
    var inBrief = ClusterAccess.apart(client, ClaimsInBrief.JSON);
    var claims =
        watches.informer(
            "ResourceClaims", inBrief.resources(ResourceClaim.class).inAnyNamespace(), PAGE);
    slices.addEventHandler(
        events(
            slice -> ledger.sliceSeen(name(slice), DeviceFacts.of(slice)),
            slice -> ledger.sliceGone(name(slice)),
            changed));
    classes.addEventHandler(
        events(
            known -> ledger.classSeen(name(known), ClaimFacts.selectors(known)),
            known -> ledger.classGone(name(known)),
            changed));
    claims.addEventHandler(
        events(
            claim -> ledger.claimSeen(ClaimFacts.of(claim)),
            claim -> ledger.claimGone(ClaimFacts.of(claim).key()),
            changed));
    nodes.addEventHandler(
        events(
            node -> ledger.nodeSeen(name(node), readiness(node)),
            node -> ledger.nodeGone(name(node)),
            changed));
    pods.addEventHandler(
        events(
            pod -> seen(ledger, pod, group.apply(pod)),
            pod -> ledger.podGone(pod.getMetadata().getUid()),
            changed));
    List<SharedIndexInformer<?>> own = new ArrayList<>(List.of(slices, classes, claims));
    taintRules(client, ledger, changed, watches).ifPresent(own::add);
    own.forEach(SharedIndexInformer::start);
    return new ClaimFeed(List.of(classesInBrief, inBrief));
  }

  /** Rules of Kubernetes 1.36, where they are served. */
  private static Optional<SharedIndexInformer<GenericKubernetesResource>> taintRules(
      KubernetesClient client, ClaimLedger ledger, Runnable changed, CurrentWatches watches) {
    if (!ServedKind.isServed(client, RULES)) {
      return Optional.empty();
    }
    var informer =
        watches.optional("DeviceTaintRules", client.genericKubernetesResources(RULES), PAGE);
    informer.addEventHandler(
        events(
            rule ->
                DeviceFacts.rule(rule)
                    .ifPresentOrElse(
                        known -> ledger.taintRuleSeen(name(rule), known),
                        () -> ledger.taintRuleGone(name(rule))),
            rule -> ledger.taintRuleGone(name(rule)),
            changed));
    return Optional.of(informer);
  }

  private static String name(HasMetadata object) {
    return object.getMetadata().getName();
  }

  private static void seen(ClaimLedger ledger, Pod pod, Optional<Group> group) {
    ClaimFacts.of(pod, group)
        .ifPresentOrElse(ledger::podSeen, () -> ledger.podGone(pod.getMetadata().getUid()));
  }

  private static Readiness readiness(Node node) {
    if (NodeStates.isCordoned(node)) {
      return Readiness.CORDONED;
    }
    return NodeStates.isReady(node) ? Readiness.READY : Readiness.NOT_READY;
  }

  @Override
  public void close() {
    inBrief.forEach(KubernetesClient::close);
  }

  private static <T extends HasMetadata> ObjectEvents<T> events(
      Consumer<T> seen, Consumer<T> gone, Runnable changed) {
    return new ObjectEvents<>(seen.andThen(_ -> changed.run()), gone.andThen(_ -> changed.run()));
  }
}
