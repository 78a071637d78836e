package io.prescale.controller.scheduler.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.cluster.KubernetesJson;
import io.prescale.placement.claims.Claim;
import io.prescale.placement.claims.Device.Address;
import io.prescale.placement.claims.Step;
import io.prescale.placement.claims.Taint;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.inventory.PodFacts.Group;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimFactsTest {
  private static final String CLAIM =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: pod-gpu-x
        namespace: ns
        uid: claim-uid
        resourceVersion: "7"
        creationTimestamp: "2026-11-21T12:00:00Z"
        annotations: {resource.kubernetes.io/pod-claim-name: gpu}
        labels: {team: a}
        ownerReferences: [{apiVersion: v1, kind: Pod, name: pod, uid: pod-uid, controller: true}]
      spec:
        devices:
          config: [{opaque: {driver: d, parameters: {}}}]
          requests:
          - name: gpu
            exactly:
              deviceClassName: share
              count: 2
              selectors: [{cel: {expression: device.allowMultipleAllocations}}]
              capacity: {requests: {memory: 10Gi}}
      """;

  private static final String ONE_ROOT =
      "    constraints:\n    - {matchAttribute: resource.kubernetes.io/pcieRoot}\n";

  @Test
  void readsAClaimAndWhatItHolds() {
    var allocated =
        CLAIM
            + """
            status:
              allocation:
                devices:
                  results:
                  - {request: gpu, driver: d, pool: p, device: gpu-0, consumedCapacity: {memory: 10Gi}}
                  - {request: gpu, driver: d, pool: p, device: seen, adminAccess: true}
            """;

    var claim = ClaimFacts.of(read(ResourceClaim.class, allocated));

    assertThat(claim.owner()).contains("pod-uid");
    assertThat(claim.podClaim()).contains("gpu");
    assertThat(claim.version()).isEqualTo("7");
    assertThat(claim.pin()).isEmpty();
    assertThat(claim.request().orElseThrow().count()).isEqualTo(2);
    assertThat(claim.held()).hasSize(1);
    assertThat(claim.held().getFirst().device()).isEqualTo(new Address("d", "p", "gpu-0"));
    assertThat(claim.held().getFirst().consumed()).containsKey("memory");
  }

  @Test
  void aClaimBeyondOnePlainRequestHasNone() {
    assertThat(requestOf(CLAIM.replace("count: 2", "allocationMode: All"))).isEmpty();
    assertThat(requestOf(CLAIM.replace("count: 2", "adminAccess: true"))).isEmpty();
    var alternatives = "firstAvailable: [{name: a, deviceClassName: b}]\n";
    assertThat(requestOf(CLAIM.substring(0, CLAIM.indexOf("exactly:")) + alternatives)).isEmpty();
    assertThat(requestOf(CLAIM + "    - {name: more, exactly: {deviceClassName: nic}}\n"))
        .isEmpty();
    assertThat(requestOf(CLAIM + "    constraints: [{matchAttribute: d/numa}]\n")).isEmpty();
    assertThat(requestOf(CLAIM + ONE_ROOT + "    - {matchAttribute: d/numa}\n")).isEmpty();
    assertThat(requestOf(CLAIM.replace("count: 2", "count: 9999999999")).orElseThrow().count())
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void readsThatItsCardsAreToBeOfOnePcieRootAlsoOfOneThatIsPinned() {
    var expected = LinkRequirement.required(LinkScope.PCIE_HOST_BRIDGE);
    assertThat(requestOf(CLAIM).orElseThrow().links()).isEqualTo(LinkRequirement.NONE);
    assertThat(requestOf(CLAIM + ONE_ROOT).orElseThrow().links()).isEqualTo(expected);

    var pinned =
        CLAIM.replace(
                "{resource.kubernetes.io/pod",
                "{gpu.prescale.io/node: n, gpu.prescale.io/cards: 'a,b',"
                    + " resource.kubernetes.io/pod")
            + ONE_ROOT
            + "    - {requests: [gpu], distinctAttribute: d/uuid}\n";
    assertThat(requestOf(pinned).orElseThrow().links()).isEqualTo(expected);
  }

  @Test
  void readsWhichTaintsAClaimTolerates() {
    var tolerating =
        """
        count: 2
                tolerations:
                - {key: a, value: b, effect: NoSchedule}
                - {key: a, operator: Exists}
                - {operator: Exists}
        """;

    assertThat(requestOf(CLAIM.replace("count: 2", tolerating.strip())).orElseThrow().tolerations())
        .containsExactly(
            new Taint.Toleration(Optional.of("a"), Optional.of("b"), Optional.of("NoSchedule")),
            new Taint.Toleration(Optional.of("a"), Optional.empty(), Optional.empty()),
            new Taint.Toleration(Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private static Optional<Claim.Request> requestOf(String claim) {
    return ClaimFacts.of(read(ResourceClaim.class, claim)).request();
  }

  @Test
  void aSelectorOfAnotherLanguageIsNotUnderstood() {
    var deviceClass =
        read(
            DeviceClass.class,
            """
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: c}
            spec: {selectors: [{}]}
            """);

    assertThat(ClaimFacts.selectors(deviceClass)).containsExactly("");
    deviceClass.setSpec(null);
    assertThat(ClaimFacts.selectors(deviceClass)).isEmpty();
  }

  @Test
  void readsAGatedPodAndLeavesOthersAlone() {
    var gated =
        read(
            Pod.class,
            """
            metadata: {name: pod, namespace: ns, uid: pod-uid, creationTimestamp: nonsense}
            spec:
              schedulingGates: [{name: gpu.prescale.io/cards}]
              resourceClaims: [{name: gpu, resourceClaimTemplateName: t}, {name: own, resourceClaimName: c}]
            status:
              resourceClaimStatuses: [{name: other}, {name: gpu, resourceClaimName: pod-gpu-x}]
              conditions: [{type: PodScheduled, status: "False", reason: SchedulingGated}]
            """);

    var pod = ClaimFacts.of(gated, Optional.empty()).orElseThrow();

    assertThat(pod.claim()).contains("gpu");
    assertThat(pod.current()).contains("pod-gpu-x");
    assertThat(pod.gated()).isTrue();
    assertThat(pod.unschedulable()).isFalse();
    assertThat(pod.bound()).isFalse();
    assertThat(pod.group()).isEmpty();
    var group = new Group("train", 2);
    assertThat(ClaimFacts.of(gated, Optional.of(group)).orElseThrow().group()).contains(group);
    var podGroup = Optional.of(Group.ofPodGroup("train"));
    assertThat(ClaimFacts.of(gated, podGroup).orElseThrow().group()).isEmpty();
    gated.getStatus().getConditions().getFirst().setReason("Unschedulable");
    gated.getSpec().setNodeName("node");
    gated.getSpec().setSchedulingGates(List.of());
    assertThat(ClaimFacts.of(gated, Optional.empty()).orElseThrow().unschedulable()).isTrue();
    assertThat(ClaimFacts.of(gated, Optional.empty()).orElseThrow().bound()).isTrue();
    gated.getSpec().setResourceClaims(List.of());
    assertThat(ClaimFacts.of(gated, Optional.empty())).isEmpty();
  }

  @Test
  void aPodThatAnotherGateHoldsBackDoesNotWaitForCardsYet() {
    var queued =
        read(
            Pod.class,
            """
            metadata: {name: pod, namespace: ns, uid: pod-uid}
            spec:
              schedulingGates: [{name: kueue.x-k8s.io/admission}, {name: gpu.prescale.io/cards}]
              resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
            """);

    assertThat(ClaimFacts.of(queued, Optional.empty())).isEmpty();
    queued.getSpec().getSchedulingGates().removeFirst();
    assertThat(ClaimFacts.of(queued, Optional.empty()).orElseThrow().gated()).isTrue();
  }

  @Test
  void aPinnedClaimAsksTheSameOfFewerCardsAndIsReadBack() {
    var like = read(ResourceClaim.class, CLAIM);
    var first = pinned(like, List.of("GPU-0", "GPU-1"));

    assertThat(first.getMetadata().getName()).isEqualTo("pinned");
    assertThat(first.getMetadata().getLabels()).containsEntry("team", "a");
    assertThat(first.getMetadata().getOwnerReferences())
        .isEqualTo(like.getMetadata().getOwnerReferences());
    var devices = first.getSpec().getDevices();
    assertThat(devices.getConfig()).isEqualTo(like.getSpec().getDevices().getConfig());
    assertThat(expressions(first))
        .containsExactly(
            "device.allowMultipleAllocations",
            "device.driver == \"d\" && device.attributes[\"d\"].uuid in [\"GPU-0\", \"GPU-1\"]");
    assertThat(devices.getConstraints().getFirst().getDistinctAttribute()).isEqualTo("d/uuid");
    var known = ClaimFacts.of(first);
    assertThat(known.pin()).contains(new Claim.Pin("node", List.of("GPU-0", "GPU-1")));
    assertThat(known.request()).isEqualTo(ClaimFacts.of(like).request());

    var second = pinned(first, List.of("GPU-2"));

    assertThat(expressions(second))
        .containsExactly(
            "device.allowMultipleAllocations",
            "device.driver == \"d\" && device.attributes[\"d\"].uuid == \"GPU-2\"");
    assertThat(second.getSpec().getDevices().getConstraints()).isEmpty();
  }

  /**
   * To two cards, to one, to two others and to two again: the user's constraint stays, ours goes.
   */
  @Test
  void aPinnedClaimKeepsItsConstraint() {
    var like = read(ResourceClaim.class, CLAIM + ONE_ROOT);
    var wanted = ClaimFacts.of(like).request();
    for (var uuids :
        List.of(List.of("a", "b"), List.of("c"), List.of("d", "e"), List.of("f", "g"))) {
      like = pinned(like, uuids);
      var constraints = like.getSpec().getDevices().getConstraints();
      assertThat(constraints).hasSize(uuids.size());
      assertThat(constraints.getFirst().getMatchAttribute())
          .isEqualTo("resource.kubernetes.io/pcieRoot");
      assertThat(ClaimFacts.of(like).request()).isEqualTo(wanted);
    }
  }

  private static ResourceClaim pinned(ResourceClaim like, List<String> uuids) {
    var claim = KubernetesJson.read(KubernetesJson.of(like));
    ClaimWriter.pin(claim, step(like, uuids));
    return read(ResourceClaim.class, KubernetesJson.text(claim));
  }

  private static Step.Pinned step(ResourceClaim like, List<String> uuids) {
    var pod =
        ClaimFacts.of(
                read(
                    Pod.class,
                    """
                    metadata: {name: pod, namespace: ns, uid: pod-uid}
                    spec: {resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]}
                    """),
                Optional.empty())
            .orElseThrow();
    return new Step.Pinned(
        pod, new Claim.Key("ns", "pinned"), ClaimFacts.of(like), "d", new Claim.Pin("node", uuids));
  }

  private static List<String> expressions(ResourceClaim claim) {
    return claim
        .getSpec()
        .getDevices()
        .getRequests()
        .getFirst()
        .getExactly()
        .getSelectors()
        .stream()
        .map(selector -> selector.getCel().getExpression())
        .toList();
  }

  private static <T extends HasMetadata> T read(Class<T> type, String yaml) {
    return Serialization.unmarshal(yaml, type);
  }
}
