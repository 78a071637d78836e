package io.prescale.controller.cli.place;

import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A saved cluster of two nodes with two cards each, one of them tainted. */
record SavedCluster(Path folder) {
  static final String POD = "{containers: [{name: m, resources: {limits: {nvidia.com/gpu: 1}}}]}";

  static final String TOLERANT =
      """
      {tolerations: [{key: gpu, operator: Exists}], containers: [{name: m, resources: {limits: \
      {nvidia.com/gpu: 1}}}]}\
      """;

  void save(String more) throws IOException {
    save(10, more);
  }

  /**
   * The same with other cards.
   *
   * @param slots of each card, as its node counts them for kube-scheduler
   */
  void save(int slots, String more) throws IOException {
    var cluster =
        """
        {"apiVersion": "v1", "kind": "List", "items": [
          %s, %s,
          {"apiVersion": "v1", "kind": "Namespace",
           "metadata": {"name": "team", "labels": {"gpu.prescale.io/queue": "research"}}},
          {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "value": 70,
           "metadata": {"name": "high"}},
          {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "not-read"}},
          {"apiVersion": "v1", "kind": "Pod",
           "metadata": {"name": "runs", "namespace": "other", "uid": "u1",
             "annotations": {"hami.io/vgpu-devices-allocated": "GPU-a-0,NVIDIA,40960,100:;"}},
           "spec": {"nodeName": "a", "containers": [
             {"name": "m", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]},
           "status": {"phase": "Running"}}%s
        ]}
        """
            .formatted(node("a", slots, ""), node("b", slots, TAINT), more);
    write("cluster.json", cluster);
  }

  private static final String TAINT =
      ", \"spec\": {\"taints\": [{\"key\": \"gpu\", \"effect\": \"NoSchedule\"}]}";

  private static String node(String name, int slots, String spec) {
    var register =
        "[%s,%s]"
            .formatted(card("GPU-" + name + "-0", slots), card("GPU-" + name + "-1", slots))
            .replace("\"", "\\\"");
    return """
    {"apiVersion": "v1", "kind": "Node",
     "metadata": {"name": "%s", "labels": {"zone": "%s"},
       "annotations": {"hami.io/node-nvidia-register": "%s"}}%s,
     "status": {"allocatable": {"nvidia.com/gpu": "%d"},
       "conditions": [{"type": "Ready", "status": "True"}]}}
    """
        .formatted(name, name, register, spec, 2 * slots);
  }

  private static String card(String uuid, int slots) {
    return """
    {"id":"%s","count":%d,"devmem":40960,"devcore":100,"type":"NVIDIA A100","mode":"hami-core",\
    "health":true}\
    """
        .formatted(uuid, slots);
  }

  /** A pod of namespace other that runs on a card. */
  static String running(String name, String card, String metadata, String spec) {
    return """
    ,{"apiVersion": "v1", "kind": "Pod",
      "metadata": {"name": "%1$s", "namespace": "other", "uid": "uid-%1$s"%3$s,
        "annotations": {"hami.io/vgpu-devices-allocated": "%2$s,NVIDIA,40960,100:;"}},
      "spec": {"nodeName": "%5$s"%4$s, "containers": [
        {"name": "m", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]},
      "status": {"phase": "Running", "startTime": "2026-01-16T00:00:00Z"}}
    """
        .formatted(name, card, metadata, spec, card.substring("GPU-".length(), "GPU-x".length()));
  }

  static String queue(String name, String spec) {
    return """
    ,{"apiVersion": "placement.prescale.io/v1alpha1", "kind": "GpuQueue",
      "metadata": {"name": "%s"}, "spec": %s}
    """
        .formatted(name, spec);
  }

  static String deployment(String name, int replicas, String podSpec) {
    return """
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: %s, namespace: team}
    spec: {replicas: %d, template: {metadata: {labels: {app: x}}, spec: %s}}
    """
        .formatted(name, replicas, podSpec);
  }

  Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  int place(TestingSurroundings program, String manifest, String... more) throws IOException {
    var args =
        new ArrayList<>(
            List.of(
                "place",
                "--snapshot",
                folder.resolve("cluster.json").toString(),
                "--manifest",
                write("manifest.yaml", manifest).toString()));
    args.addAll(List.of(more));
    return program.run(args.toArray(String[]::new));
  }
}
