package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.CapacityPlan;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanAsk;
import io.prescale.controller.api.v1alpha1.PlanStatement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What a plan reads of other kinds: StatefulSets, ReplicaSets and LeaderWorkerSets as targets, the
 * levels of the network, PodGroups, and Koordinator's Devices. On two nodes with four cards each, a
 * gang has six cards, a StatefulSet needs more than it has, and no group of five pods fits a rack.
 */
record OtherKindsInPlan(ExtenderCluster cluster, Path folder) {
  private static final Duration UNTIL_PLANNED = Duration.ofMinutes(5);
  private static final int GANG = 6;
  private static final int CARD_MIB = 40_960;
  private static final String LIMITS =
      "%s: \"1\", %s: \"%d\""
          .formatted(HamiVendor.NVIDIA.count, HamiVendor.NVIDIA.memory, CARD_MIB);

  /** Groups whose pods are to be in one rack, by whose word and by whose Topology. */
  private static final List<List<String>> GROUPS =
      List.of(
          List.of("by-kueue", "kueue.x-k8s.io/podset-required-topology", "example.com/rack"),
          List.of("by-kai", "kai.scheduler/topology-required-placement", "example.com/row"));

  private static final String TOPOLOGIES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Topology
      metadata: {name: racks}
      spec: {levels: [{nodeLabel: example.com/rack}]}
      ---
      apiVersion: kai.scheduler/v1alpha1
      kind: Topology
      metadata: {name: rows}
      spec: {levels: [{nodeLabel: example.com/row}]}
      """;

  private static final String PODGROUP =
      """
      ---
      apiVersion: scheduling.k8s.io/v1alpha2
      kind: PodGroup
      metadata: {name: crew, namespace: default}
      spec: {schedulingPolicy: {gang: {minCount: %d}}}
      """
          .formatted(GANG);

  private static final String DEVICE =
      """
      apiVersion: scheduling.koordinator.sh/v1alpha1
      kind: Device
      metadata: {name: nvidia-0}
      spec:
        devices:
        - {type: gpu, id: GPU-k0, minor: 0, health: true,
           resources: {koordinator.sh/gpu-memory: 80Gi}}
      """;

  void assertPlanned(KubernetesClient client) throws Exception {
    prepare();
    cluster.lab().apply(PODGROUP + crew());
    patiently().untilAsserted(() -> assertThat(cluster.bound("nvidia-crew")).isEqualTo(GANG));
    TargetKind.STATEFUL_SET.create(cluster.lab(), "sets", "", LIMITS);
    TargetKind.REPLICA_SET.create(cluster.lab(), "copies", "", LIMITS);
    patiently()
        .untilAsserted(
            () ->
                assertThat(List.of(cluster.bound("sets"), cluster.bound("copies")))
                    .containsExactly(1, 1));
    scale(TargetKind.STATEFUL_SET, "sets", 20);
    scale(TargetKind.REPLICA_SET, "copies", 1000);
    for (var group : GROUPS) {
      var near = ", annotations: {%s: %s}".formatted(group.get(1), group.get(2));
      TargetKind.LEADER_WORKER_SET.create(cluster.lab(), group.getFirst(), near, LIMITS);
      scale(TargetKind.LEADER_WORKER_SET, group.getFirst(), 1000);
    }

    patiently()
        .atMost(UNTIL_PLANNED)
        .untilAsserted(
            () -> {
              var plan = plan(client);
              assertThat(plan.workloads())
                  .filteredOn(it -> it.name().equals("default/copies"))
                  .singleElement()
                  .satisfies(it -> assertThat(it.problem()).isNull())
                  .satisfies(it -> assertThat(it.demand()).isNotEmpty());
              var groups = statement(plan, GROUPS.getFirst().getFirst());
              assertThat(groups.workloads())
                  .containsExactlyInAnyOrder("default/by-kueue", "default/by-kai");
              assertThat(groups.fits()).as("no rack and no row has five cards").isZero();
              var single = statement(plan, "sets");
              assertThat(single.workloads()).containsExactly("default/sets", "default/copies");
              assertThat(single.needed()).isBetween(4, 5);
              assertThat(single.fits()).as("those that run").isEqualTo(2);
              assertThat(single.asks())
                  .as("a gang is asked as a whole")
                  .hasSize(GANG)
                  .extracting(PlanAsk::pod)
                  .allMatch(pod -> pod.startsWith("default/nvidia-crew-"));
              assertThat(Objects.requireNonNull(single.nodes()).kind())
                  .as("a node as the one with a card of Koordinator's besides")
                  .contains("1 x Koordinator");
            });
  }

  private void prepare() throws Exception {
    var lab = cluster.lab();
    TargetKind.define(lab);
    MinimalDefinition.KAI_TOPOLOGY.install(lab);
    MinimalDefinition.KOORDINATOR_DEVICE.install(lab);
    try (var found = Files.newDirectoryStream(Lab.platforms(), "kueue-*topologies.yaml")) {
      for (var path : found) {
        lab.kubectl("apply", "--server-side", "-f", path.toString());
      }
    }
    lab.awaitDefinitions();
    var nodes = HamiVendor.NVIDIA.node(0, true) + HamiVendor.NVIDIA.node(1, true);
    var file = Files.writeString(folder.resolve("others.yaml"), nodes);
    lab.kubectl("create", "--validate=false", "-f", file.toString());
    for (int node = 0; node < 2; node++) {
      var place = "=place-" + node;
      var name = HamiVendor.NVIDIA.node(node);
      lab.kubectl("label", "node", name, "example.com/rack" + place, "example.com/row" + place);
    }
    lab.apply(TOPOLOGIES + "---\n" + DEVICE + queue("others", "{guarantee: 8}"));
  }

  private static String crew() {
    return HamiVendor.NVIDIA
        .pods("crew", GANG, CARD_MIB, ", labels: {gpu.prescale.io/queue: training}")
        .replace("spec:\n", "spec:\n  schedulingGroup: {podGroupName: crew}\n");
  }

  /** Only observed, so that the replicas stay as they are. */
  private void scale(TargetKind kind, String name, double capacity) throws Exception {
    var hpa =
        LabObjects.predictiveHpa(name, capacity, "step: 60s, history: 6h", "  leadTime: 2m")
            .replace("mode: Active", "mode: Shadow");
    cluster.lab().apply(kind.scaledBy(hpa));
  }

  private static CapacityPlanStatus plan(KubernetesClient client) {
    return client.resources(CapacityPlan.class).withName(CapacityPlan.NAME).get().getStatus();
  }

  private static PlanStatement statement(CapacityPlanStatus plan, String workload) {
    return plan.statements().stream()
        .filter(it -> it.workloads().contains("default/" + workload))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no shortage of " + workload));
  }
}
