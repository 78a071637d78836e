package io.prescale.controller.lab;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes with devices of two drivers, shared cards and whole ones, and pods that claim them. */
final class DraObjects {
  static final int SHARED_NODES = 60;
  static final int CARDS = 8;

  private static final String ROOT =
      """
      [{matchAttribute: resource.kubernetes.io/pcieRoot}]
            requests:
      """;

  private DraObjects() {}

  static String name(int number) {
    return (number < SHARED_NODES ? "shared-" : "whole-") + number;
  }

  private static String driver(String node) {
    return node.startsWith("shared") ? "share.example.com" : "card.example.com";
  }

  static String classes() {
    return """
    apiVersion: resource.k8s.io/v1
    kind: DeviceClass
    metadata: {name: share}
    spec: {selectors: [{cel: {expression: 'device.driver == "share.example.com"'}}]}
    ---
    apiVersion: resource.k8s.io/v1
    kind: DeviceClass
    metadata: {name: card}
    spec: {selectors: [{cel: {expression: 'device.driver == "card.example.com"'}}]}
    """;
  }

  static String node(String name) {
    return """
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s}}
    status:
      capacity: {cpu: "128", memory: 1Ti, pods: "250"}
      allocatable: {cpu: "128", memory: 1Ti, pods: "250"}
    """
        .formatted(name);
  }

  /** Keeps claims away from the devices that a selector names, in YAML. */
  static String taintRule(String selector) {
    return """
    apiVersion: resource.k8s.io/v1beta2
    kind: DeviceTaintRule
    metadata: {name: maintenance}
    spec:
      deviceSelector: {%s}
      taint: {key: example.com/maintenance, value: planned, effect: NoSchedule}
    """
        .formatted(selector);
  }

  /** All cards of a node in one of so many slices of its pool. */
  static String slice(String node, int generation, int slices, Set<Integer> sick) {
    var devices =
        IntStream.range(0, CARDS)
            .mapToObj(card -> device(node, card, sick.contains(card)))
            .collect(Collectors.joining());
    return """
    ---
    apiVersion: resource.k8s.io/v1
    kind: ResourceSlice
    metadata: {name: %1$s}
    spec:
      driver: %2$s
      nodeName: %1$s
      pool: {name: %1$s, generation: %3$d, resourceSliceCount: %4$d}
      devices:
    %5$s
    """
        .formatted(node, driver(node), generation, slices, devices);
  }

  private static String device(String node, int card, boolean sick) {
    var taints = sick ? "taints: [{key: example.com/xid, value: '79', effect: NoSchedule}]," : "";
    var attributes =
        "uuid: {string: %s}, productName: {string: A100}, resource.kubernetes.io/pcieRoot: {string: pci%d}"
            .formatted(uuid(node, card), card % 2);
    return node.startsWith("shared")
        ? """
          - {name: gpu-%1$d, allowMultipleAllocations: true, %3$s attributes: {%2$s}, capacity: {
             memory: {value: 80Gi, requestPolicy: {default: 80Gi, validRange: {min: 1Gi, step: 1Gi}}},
             cores: {value: "100", requestPolicy: {default: "100", validRange: {min: "1", step: "1"}}}}}
        """
            .formatted(card, attributes, taints)
        : """
          - {name: gpu-%1$d, %3$s attributes: {%2$s}, capacity: {memory: {value: 80Gi}}}
        """
            .formatted(card, attributes, taints);
  }

  static String uuid(String node, int card) {
    return "GPU-%s-%d".formatted(node, card);
  }

  /** Pods of four cards of one PCIe root, of which each node has two. */
  static String ofOnePcieRoot(String name, int pods) {
    return deployment(name, pods, "card", 4, "{}").replace("requests:\n", "constraints: " + ROOT);
  }

  static String gang(String name, int pods) {
    return deployment(name, pods, "card", 1, "{}")
        .replace(
            "metadata: {labels: {app: %s}}".formatted(name),
            "metadata: {labels: {app: %1$s}, annotations: {gpu.prescale.io/group: %1$s, gpu.prescale.io/group-size: \"%2$d\"}}"
                .formatted(name, pods));
  }

  static String deployment(
      String name, int replicas, String deviceClass, int cards, String capacity) {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaimTemplate
    metadata: {name: %1$s, namespace: default}
    spec:
      spec:
        devices:
          requests:
          - name: gpu
            exactly: {deviceClassName: %3$s, count: %4$d, capacity: {requests: %5$s}}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: %1$s, namespace: default}
    spec:
      replicas: %2$d
      selector: {matchLabels: {app: %1$s}}
      template:
        metadata: {labels: {app: %1$s}}
        spec:
          schedulingGates: [{name: gpu.prescale.io/cards}]
          resourceClaims: [{name: gpu, resourceClaimTemplateName: %1$s}]
          containers:
          - {name: model, image: model, resources: {claims: [{name: gpu}]}}
    """
        .formatted(name, replicas, deviceClass, cards, capacity);
  }
}
