package io.prescale.controller.plan.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.controller.scheduler.whatif.ReplicaPods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A cluster made by hand, of nodes with two cards of 40 GiB that HAMi registers. */
final class PlannedObjects {
  private static final String ONE = "{nvidia.com/gpu: 1}";

  private final KubernetesSerialization yaml = new KubernetesSerialization();
  private final List<HasMetadata> objects = new ArrayList<>();
  private final Map<String, HasMetadata> targets = new HashMap<>();
  private String queue = "";
  private int used;

  PlannedObjects nodes(int number) {
    add("apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n");
    return nodes(0, number, "NVIDIA A100");
  }

  /** Nodes named by number. */
  PlannedObjects nodes(int from, int to, String model) {
    for (int node = from; node < to; node++) {
      add(
          """
          apiVersion: v1
          kind: Node
          metadata:
            name: n%1$d
            annotations:
              hami.io/node-nvidia-register: '[%2$s,%3$s]'
          status:
            allocatable: {nvidia.com/gpu: 20}
            conditions: [{type: Ready, status: "True"}]
          """
              .formatted(node, card(node, 0, model), card(node, 1, model)));
    }
    return this;
  }

  private static String card(int node, int card, String model) {
    return """
    {"id":"GPU-%d-%d","count":10,"devmem":40960,"devcore":100,"type":"%s",\
    "mode":"hami-core","health":true}\
    """
        .formatted(node, card, model)
        .strip();
  }

  private void add(String text) {
    objects.add(yaml.unmarshal(text));
  }

  PlannedObjects queue(String name, String spec) {
    add(
        """
        apiVersion: placement.prescale.io/v1alpha1
        kind: GpuQueue
        metadata: {name: %s}
        spec: %s
        """
            .formatted(name, spec));
    return this;
  }

  /** What is made meanwhile is of a queue. */
  PlannedObjects inQueue(String name, Consumer<PlannedObjects> making) {
    queue = ", gpu.prescale.io/queue: " + name;
    making.accept(this);
    queue = "";
    return this;
  }

  /** Pods of an application, each on the next whole card. */
  PlannedObjects running(String app, int pods) {
    for (int pod = 0; pod < pods; pod++) {
      add(
          """
          apiVersion: v1
          kind: Pod
          metadata:
            name: %1$s-%2$d
            namespace: team
            uid: %1$s-uid-%2$d
            creationTimestamp: "2026-11-23T00:00:0%2$dZ"
            labels: {app: %1$s%5$s}
            annotations: {hami.io/vgpu-devices-allocated: "GPU-%3$d-%4$d,NVIDIA,40960,100:;"}
          spec:
            nodeName: n%3$d
            containers: [{name: m, resources: {limits: {nvidia.com/gpu: 1}}}]
          status: {phase: Running}
          """
              .formatted(app, pod, used / 2, used % 2, queue));
      used++;
    }
    return this;
  }

  List<String> uids(String app) {
    return IntStream.range(0, 10).mapToObj(i -> app + "-uid-" + i).toList();
  }

  PlannedObjects target(String app) {
    return target(app, ONE);
  }

  /** What an application's replicas ask for; one card if nothing is said. */
  PlannedObjects target(String app, String limits) {
    targets.put(
        "team/" + app,
        yaml.unmarshal(
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: %1$s, namespace: team}
            spec:
              replicas: 2
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s%3$s}}
                spec: {containers: [{name: m, resources: {limits: %2$s}}]}
            """
                .formatted(app, limits, queue)));
    return this;
  }

  /** By namespace and name. */
  Map<String, HasMetadata> targets() {
    return targets;
  }

  ReplicaPods pods(String app, Instant now) {
    if (!targets.containsKey("team/" + app)) {
      target(app);
    }
    return ReplicaPods.of(Objects.requireNonNull(targets.get("team/" + app)), objects(), now)
        .orElseThrow();
  }

  ClusterObjects objects() {
    return new ClusterObjects(objects);
  }
}
