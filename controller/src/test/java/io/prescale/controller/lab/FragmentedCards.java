package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.placement.inventory.IndependentDecoder;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Two nodes of four cards each, with ReplicaSets whose pods have a whole card. */
record FragmentedCards(ExtenderOnCluster extender) {
  static final HamiVendor VENDOR = HamiVendor.NVIDIA;

  /** A woken pod waits for the scheduler's back-off, and so does the next. */
  private static final Duration LONG = Duration.ofMinutes(4);

  /** Removes the nodes of the other vendors. */
  void prepare() throws IOException, InterruptedException {
    for (var vendor : HamiVendor.values()) {
      if (vendor != VENDOR) {
        lab().kubectl("delete", "node", vendor.node(0), vendor.node(1));
      }
    }
  }

  /** Removes what a test has made, and has all cards well. */
  void clear() throws IOException, InterruptedException {
    lab().kubectl("delete", "replicasets", "--all", "--cascade=foreground");
    // Pods of several tests have one name.
    lab().kubectl("delete", "events", "--all");
    register(0, true);
    register(1, true);
  }

  /** Fills all cards, and frees half of those of each node. */
  void fragment() throws IOException, InterruptedException {
    fill(2 * HamiVendor.CARDS);
    var left = new HashMap<String, Integer>();
    for (var pod : bound("r")) {
      if (left.merge(pod.getSpec().getNodeName(), 1, Integer::sum) > HamiVendor.CARDS / 2) {
        var owner = pod.getMetadata().getOwnerReferences().getFirst().getName();
        lab().kubectl("delete", "replicaset", owner, "--cascade=foreground");
      }
    }
    awaitBound("r", HamiVendor.CARDS);
  }

  /** Runs so many ReplicaSets of a pod. */
  void fill(int sets) throws IOException, InterruptedException {
    for (int set = 0; set < sets; set++) {
      lab().apply(replicaSet("r" + set));
    }
    awaitBound("r", sets);
    awaitRunning(sets);
  }

  /** The pod that has a card. */
  Optional<Pod> on(String uuid) {
    return bound("r").stream()
        .filter(pod -> annotation(pod, VENDOR.record).startsWith(uuid + ","))
        .findFirst();
  }

  private static String replicaSet(String name) {
    return """
    ---
    apiVersion: apps/v1
    kind: ReplicaSet
    metadata: {name: %1$s, namespace: default}
    spec:
      replicas: 1
      selector: {matchLabels: {app: %1$s}}
      template:
        metadata: {labels: {app: %1$s, kind: served}}
        spec:
          terminationGracePeriodSeconds: 1
          containers: [{name: main, image: model, resources: {limits: {%2$s: "1", %3$s: "%4$d"}}}]
    """
        .formatted(name, VENDOR.count, VENDOR.memory, VENDOR.cardMib);
  }

  /** A pod that needs all cards of a node. */
  static String large() {
    return """
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: large, namespace: default}
    spec:
      containers: [{name: main, image: model, resources: {limits: {%s: "%d", %s: "%d"}}}]
    """
        .formatted(VENDOR.count, HamiVendor.CARDS, VENDOR.memory, VENDOR.cardMib);
  }

  /** Registers a node's cards anew, with or without its first one being well. */
  void register(int node, boolean isHealthy) throws IOException, InterruptedException {
    var annotation = VENDOR.annotation(VENDOR.node(node), isHealthy).split(": ", 2);
    var json = annotation[1].substring(1, annotation[1].length() - 1);
    lab().kubectl("annotate", "--overwrite", "node", VENDOR.node(node), annotation[0] + "=" + json);
  }

  List<Pod> bound(String prefix) {
    return cluster().pods().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(prefix))
        .filter(pod -> pod.getSpec().getNodeName() != null)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  void awaitBound(String prefix, int pods) {
    patiently()
        .atMost(LONG)
        .alias(prefix)
        .untilAsserted(() -> assertThat(bound(prefix)).hasSize(pods));
  }

  private void awaitRunning(int pods) {
    patiently()
        .atMost(LONG)
        .alias("running")
        .untilAsserted(
            () ->
                assertThat(bound("r"))
                    .filteredOn(pod -> "Running".equals(pod.getStatus().getPhase()))
                    .hasSize(pods));
  }

  /** Pods with a notice. */
  List<Pod> noticed() {
    return cluster().pods().stream()
        .filter(pod -> !annotation(pod, "gpu.prescale.io/move-to").isEmpty())
        .toList();
  }

  void awaitNotice() {
    patiently()
        .atMost(LONG)
        .alias("notice")
        .untilAsserted(() -> assertThat(noticed()).isNotEmpty());
  }

  /** Pods that have replaced one that moved. */
  List<Pod> moved() {
    return cluster().pods().stream()
        .filter(pod -> !annotation(pod, "gpu.prescale.io/moved-at").isEmpty())
        .toList();
  }

  void awaitMoved(int pods) {
    patiently().atMost(LONG).alias("moved").untilAsserted(() -> assertThat(moved()).hasSize(pods));
  }

  static String annotation(Pod pod, String key) {
    var annotations = pod.getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(key, "");
  }

  /** Messages of all events of a kind. */
  List<String> events(String reason) {
    return cluster().pods().stream()
        .flatMap(pod -> cluster().events(pod.getMetadata().getName(), reason).stream())
        .toList();
  }

  /** Each card has one pod at most, also of those that leave, since all ask for whole cards. */
  void assertNothingIsDoubleBooked() {
    var cards =
        cluster().pods().stream()
            .filter(pod -> pod.getSpec().getNodeName() != null)
            .flatMap(pod -> IndependentDecoder.decode(annotation(pod, VENDOR.record)).stream())
            .map(IndependentDecoder.Device::uuid)
            .toList();
    assertThat(cards).isNotEmpty().doesNotHaveDuplicates();
  }

  Lab lab() {
    return cluster().lab();
  }

  ExtenderCluster cluster() {
    return extender.cluster();
  }
}
