package io.prescale.controller.lab;

import static io.prescale.controller.lab.QueuesOnEightCards.JSON;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/**
 * A LeaderWorkerSet by its real definition, with groups of one pod that has a card. Its controller
 * does not run: the test makes the StatefulSet of the leaders, which kube-controller-manager heeds.
 */
record PlayedGroups(QueuesOnEightCards queues) {
  static final String NAME = "groups";
  private static final String RESOURCE = "leaderworkersets.leaderworkerset.x-k8s.io";
  private static final String LABELS = "leaderworkerset.sigs.k8s.io/";

  /**
   * Makes it.
   *
   * @param minimum of groups, which it declares
   */
  void create(int groups, int minimum) throws IOException, InterruptedException {
    var template =
        """
        {metadata: {labels: {gpu.prescale.io/queue: training, %1$sname: groups}, \
        annotations: {gpu.prescale.io/min-replicas: "%2$d"}}, \
        spec: {terminationGracePeriodSeconds: 1, \
        containers: [{name: main, image: model, resources: {limits: {%3$s: "1", %4$s: "32768"}}}]}}
        """
            .formatted(LABELS, minimum, HamiVendor.HYGON.count, HamiVendor.HYGON.memory)
            .strip();
    lab()
        .apply(
            """
            apiVersion: leaderworkerset.x-k8s.io/v1
            kind: LeaderWorkerSet
            metadata: {name: groups, namespace: default}
            spec: {replicas: %d, leaderWorkerTemplate: {size: 1, workerTemplate: %s}}
            """
                .formatted(groups, template));
    lab()
        .apply(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata:
              name: groups
              namespace: default
              ownerReferences:
              - {apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, name: groups,
                 uid: %s, controller: true}
            spec:
              replicas: %d
              podManagementPolicy: Parallel
              serviceName: groups
              selector: {matchLabels: {%sname: groups}}
              template: %s
            """
                .formatted(read(RESOURCE).at("/metadata/uid").asText(), groups, LABELS, template));
  }

  /** Does what its controller and its webhook would do. */
  void reconcile() throws IOException, InterruptedException {
    int wanted = replicas();
    if (read("statefulset").at("/spec/replicas").asInt() != wanted) {
      lab().kubectl("scale", "statefulset", NAME, "--replicas=" + wanted);
    }
    for (var pod : queues.cluster().podsNamed(NAME)) {
      var name = pod.getMetadata().getName();
      var index = LABELS + "group-index=" + name.substring(name.lastIndexOf('-') + 1);
      lab().kubectl("label", "pods", "-l", "statefulset.kubernetes.io/pod-name=" + name, index);
    }
    int there = read("statefulset").at("/status/replicas").asInt();
    lab()
        .kubectl(
            "patch",
            RESOURCE,
            NAME,
            "--subresource=status",
            "--type=merge",
            "--patch={\"status\": {\"replicas\": %1$d, \"updatedReplicas\": %1$d}}"
                .formatted(there));
  }

  int replicas() throws IOException, InterruptedException {
    return read(RESOURCE).at("/spec/replicas").asInt();
  }

  /** An annotation of Prescale's; empty if it is not there. */
  String annotation(String name) throws IOException, InterruptedException {
    return read(RESOURCE).at("/metadata/annotations").path("gpu.prescale.io/" + name).asText();
  }

  private JsonNode read(String resource) throws IOException, InterruptedException {
    return JSON.readTree(lab().kubectl("get", resource, NAME, "-o=json"));
  }

  private Lab lab() {
    return queues.lab();
  }
}
