package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chart's scheduler beside the cluster's own: what its pods would run, with their arguments,
 * configuration and permissions. Pods that name it get cards, and the others are not touched.
 */
class ChartSchedulerLabIT {
  private static final String NAME = "prescale-scheduler";
  private static final String RECORD = "hami.io/vgpu-devices-allocated";
  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir private Path folder;

  @Test
  void placesThePodsThatNameItAndLeavesNothingBehind() throws Exception {
    int metricsPort = PrescaleInLab.freePort();
    int schedulerPort = PrescaleInLab.freePort();
    try (var lab = Lab.start("--nodes=2", "--pod-start-delay=1s")) {
      var objects = new ReleaseObjects(lab);
      var helm = new Helm("helm4", lab, folder);
      lab.apply(ReleaseObjects.restrictedNamespace());
      lab.apply(node());
      helm.run(
          "install",
          "prescale",
          Helm.CHART.toString(),
          "--namespace=" + ReleasedProgram.NAMESPACE,
          "--wait",
          "--timeout=2m",
          "--set=apiService.register=false,scheduler.enabled=true",
          "--set=metricsPort=%d,scheduler.port=%d".formatted(metricsPort, schedulerPort));

      var began = CLOCK.instant();
      var program = new ReleasedProgram(lab, folder);
      var host = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim(); // of both programs
      try (var extender = program.start(host, NAME, program.arguments(NAME, "extender"));
          var _ = scheduler(lab, program.arguments(NAME, "kube-scheduler"))) {
        lab.apply(pod("ours", NAME));
        lab.apply(pod("another", "default-scheduler"));
        patiently()
            .until(
                () -> !objects.get("pod", "ours", "default").at("/spec/nodeName").isMissingNode());

        var ours = objects.get("pod", "ours", "default");
        assertThat(ours.at("/spec/nodeName").asText()).isEqualTo("cards");
        assertThat(ours.at("/metadata/annotations").get(RECORD).asText())
            .startsWith("GPU-cards-")
            .contains(",NVIDIA,20000,");
        var another = objects.get("pod", "another", "default");
        assertThat(another.at("/metadata/annotations").has(RECORD)).isFalse();
        assertThat(objects.names("lease", ReleasedProgram.NAMESPACE)).contains("lease/" + NAME);
        patiently()
            .until(
                () -> Files.readString(extender.log()),
                log -> log.contains("The kube-scheduler beside this extender leads."));
        patiently()
            .untilAsserted(
                () ->
                    assertThat(page(metricsPort))
                        .containsPattern(
                            "prescale_extender_seconds_count\\{verb=\"bind\",} [1-9]"));
      }
      assertThat(objects.refused(NAME, began)).isEmpty();
      assertThat(UsedPermissions.add(lab).faults()).as("while the roles are there").isEmpty();

      helm.run("uninstall", "prescale", "--namespace=" + ReleasedProgram.NAMESPACE, "--wait");
      assertThat(objects.leftBehind()).containsExactlyElementsOf(ReleaseObjects.DEFINITIONS);
    }
  }

  /** The real kube-scheduler, as the release configures it, as its service account. */
  private Replica scheduler(Lab lab, List<String> arguments) throws Exception {
    var kubeconfig = PrescaleInLab.kubeconfig(lab, folder, NAME);
    var map = new ReleaseObjects(lab).get("configmap", NAME, ReleasedProgram.NAMESPACE);
    var yaml = new KubernetesSerialization();
    var configuration =
        (ObjectNode) yaml.unmarshal(map.at("/data/scheduler.yaml").asText(), JsonNode.class);
    ((ObjectNode) configuration.get("clientConnection")).put("kubeconfig", kubeconfig.toString());
    var file = Files.writeString(folder.resolve("scheduler.yaml"), yaml.asYaml(configuration));

    var command = new ArrayList<String>();
    command.add(Lab.program("kube-scheduler").toString());
    for (var argument : arguments) {
      command.add(argument.startsWith("--config=") ? "--config=" + file : argument);
    }
    command.add("--authentication-kubeconfig=" + kubeconfig);
    command.add("--authorization-kubeconfig=" + kubeconfig);
    return Replica.start("chart-scheduler", command, Map.of());
  }

  private static String page(int port) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(port)));
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
  }

  /** Two cards that HAMi registers. */
  private static String node() {
    return """
    apiVersion: v1
    kind: Node
    metadata:
      name: cards
      annotations:
        hami.io/node-nvidia-register: '[%s,%s]'
    status:
      allocatable: {cpu: "8", memory: 64Gi, pods: "20", nvidia.com/gpu: "20"}
      capacity: {cpu: "8", memory: 64Gi, pods: "20", nvidia.com/gpu: "20"}
    """
        .formatted(card("GPU-cards-0"), card("GPU-cards-1"));
  }

  private static String card(String uuid) {
    return """
    {"id":"%s","count":10,"devmem":40960,"devcore":100,"type":"NVIDIA A100","health":true}\
    """
        .formatted(uuid);
  }

  private static String pod(String name, String scheduler) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s, namespace: default}
    spec:
      schedulerName: %s
      containers:
      - name: model
        image: model
        resources: {limits: {nvidia.com/gpu: 1, nvidia.com/gpumem: 20000}}
    """
        .formatted(name, scheduler);
  }
}
