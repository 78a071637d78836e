package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What kube-scheduler preempts by the extender's answers, with two nodes of four cards that are not
 * shared. By itself it would choose other pods in each of these tests.
 */
class PreemptionLabIT {
  private static final String ANYWHERE = "";
  private static final String NEVER = "gpu.prescale.io/reclaim: never";
  private static final String[] NODES = {"first", "second"};

  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(0);

  @BeforeAll
  static void eightCards() throws IOException, InterruptedException {
    QueuesOnEightCards.define(lab());
    for (var node : NODES) {
      lab().apply(node(node));
    }
    lab().apply(priority("low", 1) + priority("middle", 2) + priority("high", 3));
  }

  @AfterEach
  void removeAll() throws Exception {
    lab().kubectl("delete", "poddisruptionbudgets", "--all");
    lab().kubectl("delete", "gpuqueues", "--all");
    cluster().deletePods();
    patiently().until(() -> cluster().pods().isEmpty());
  }

  @Test
  void aGangLeavesWholeWhereAllOfItIsAndOneThatSpansTheNodesStays() throws Exception {
    lab().apply(gang("spanning", 5, "low", ANYWHERE));
    awaitRunning("spanning", 5);
    lab().apply(gang("whole", 3, "low", ANYWHERE));
    awaitRunning("whole", 3);
    var node = cluster().podsNamed("whole").getFirst().getSpec().getNodeName();

    lab().apply(pod("important-0", "high", ANYWHERE, "", ""));

    awaitBound("important", 1);
    assertThat(nodesOf("important")).containsExactly(node);
    awaitBound("whole", 0);
    assertThat(cluster().bound("spanning")).isEqualTo(5);
  }

  @Test
  void aNodeIsPreferredWhereTheWholeGangViolatesNoDisruptionBudget() throws Exception {
    for (int pod = 0; pod < 2; pod++) {
      for (var node : NODES) {
        lab().apply(pod("stays-%s%d".formatted(node, pod), "middle", node, NEVER, ""));
      }
    }
    awaitRunning("stays", 4);
    lab().apply(gang("guarded", 2, "low", NODES[0]) + gang("free", 2, "middle", NODES[1]));
    awaitRunning("guarded", 2);
    awaitRunning("free", 2);
    lab().apply(NOT_ONE_MAY_LEAVE);
    patiently()
        .untilAsserted(
            () ->
                assertThat(lab().kubectl("get", "pdb", "one", "-o", "jsonpath={.status}"))
                    .contains("\"currentHealthy\":1"));

    lab().apply(pod("important-0", "high", ANYWHERE, "", ""));

    awaitBound("important", 1);
    assertThat(nodesOf("important")).containsExactly(NODES[1]);
    awaitBound("free", 0);
    assertThat(cluster().bound("guarded")).isEqualTo(2);
    assertThat(cluster().bound("stays")).isEqualTo(4);
  }

  @Test
  @Tag("long")
  void ofAnotherQueueOnlyWhatItHasBeyondItsGuaranteeIsPreempted() throws Exception {
    lab()
        .apply(
            queue("lender", "{guarantee: 4}")
                + queue("borrower", "{guarantee: 2}")
                + queue("serving", "{guarantee: 2}"));
    lab().apply(ofQueue("lender", "low", NODES[0]) + ofQueue("borrower", "middle", NODES[1]));
    awaitRunning("lender", 4);
    awaitRunning("borrower", 4);

    lab()
        .apply(
            IntStream.range(0, 3)
                .mapToObj(it -> pod("important-" + it, "high", ANYWHERE, "", "serving"))
                .collect(Collectors.joining()));

    awaitBound("important", 2);
    Patience.stays(() -> cluster().bound("borrower"), 2);
    assertThat(cluster().bound("important")).isEqualTo(2);
    assertThat(nodesOf("important")).containsOnly(NODES[1]);
    assertThat(cluster().bound("lender")).isEqualTo(4);
  }

  private static String ofQueue(String queue, String priority, String node) {
    return IntStream.range(0, HamiVendor.CARDS)
        .mapToObj(it -> pod(queue + "-" + it, priority, node, "", queue))
        .collect(Collectors.joining());
  }

  private static String gang(String name, int size, String priority, String node) {
    var metadata =
        "gpu.prescale.io/group: %s, gpu.prescale.io/group-size: \"%d\"".formatted(name, size);
    return IntStream.range(0, size)
        .mapToObj(it -> pod(name + "-" + it, priority, node, metadata, ""))
        .collect(Collectors.joining());
  }

  /**
   * A pod that asks for a whole card.
   *
   * @param node on which it has to be, if it is not empty
   * @param annotations in YAML's flow style
   * @param queue none if it is empty
   */
  private static String pod(
      String name, String priority, String node, String annotations, String queue) {
    var labels = queue.isEmpty() ? "name: " + name : "gpu.prescale.io/queue: " + queue;
    return """
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: %s, namespace: default, labels: {%s}, annotations: {%s}}
    spec:
      priorityClassName: %s
      terminationGracePeriodSeconds: 1
      nodeSelector: {%s}
      containers:
      - {name: main, image: model, resources: {limits: {nvidia.com/gpu: "1", nvidia.com/gpumem: "40960"}}}
    """
        .formatted(
            name,
            labels,
            annotations,
            priority,
            node.isEmpty() ? "" : "kubernetes.io/hostname: " + node);
  }

  private static String node(String name) {
    var cards =
        IntStream.range(0, HamiVendor.CARDS)
            .mapToObj(
                it ->
                    """
                    {"id":"CARD-%s-%d","count":1,"devmem":40960,"devcore":100,\
                    "type":"NVIDIA A100-SXM4-40GB","mode":"hami-core","health":true}\
                    """
                        .formatted(name, it))
            .collect(Collectors.joining(",", "[", "]"));
    return """
    ---
    apiVersion: v1
    kind: Node
    metadata:
      name: %1$s
      labels: {kubernetes.io/hostname: %1$s}
      annotations: {hami.io/node-nvidia-register: '%2$s'}
    status:
      capacity: {cpu: "128", memory: 1Ti, pods: "250", nvidia.com/gpu: "4"}
      allocatable: {cpu: "128", memory: 1Ti, pods: "250", nvidia.com/gpu: "4"}
    """
        .formatted(name, cards);
  }

  private static String priority(String name, int value) {
    return """
    ---
    apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata: {name: %s}
    value: %d
    """
        .formatted(name, value);
  }

  private static final String NOT_ONE_MAY_LEAVE =
      """
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: one, namespace: default}
      spec: {minAvailable: 1, selector: {matchLabels: {name: guarded-1}}}
      """;

  private static void awaitBound(String prefix, int pods) {
    patiently()
        .alias(prefix)
        .untilAsserted(() -> assertThat(cluster().bound(prefix)).isEqualTo(pods));
  }

  private static List<String> nodesOf(String prefix) {
    return cluster().podsNamed(prefix).stream()
        .map((Pod pod) -> pod.getSpec().getNodeName())
        .filter(node -> node != null)
        .toList();
  }

  /** Of pods that are equal otherwise, kube-scheduler preempts those that started last. */
  private static void awaitRunning(String prefix, int pods) {
    patiently()
        .alias(prefix)
        .untilAsserted(
            () ->
                assertThat(cluster().podsNamed(prefix))
                    .filteredOn(pod -> "Running".equals(pod.getStatus().getPhase()))
                    .hasSize(pods));
  }

  private static Lab lab() {
    return cluster().lab();
  }

  private static ExtenderCluster cluster() {
    return EXTENDER.cluster();
  }
}
