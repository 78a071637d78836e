package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code prescale place --snapshot} with the options of the cluster's extender. */
class PlaceAsExtenderTest {
  @TempDir private Path folder;

  private JsonNode pods(String manifest, String... options) throws IOException {
    var program = new TestingSurroundings();
    var args = new ArrayList<>(List.of(options));
    args.add("--json");
    assertThat(new SavedCluster(folder).place(program, manifest, args.toArray(String[]::new)))
        .as(program.err())
        .isZero();
    return new ObjectMapper().readTree(program.out()).get("pods");
  }

  private static String group(int replicas) {
    return """
    apiVersion: leaderworkerset.x-k8s.io/v1
    kind: LeaderWorkerSet
    metadata: {name: llm, namespace: team}
    spec:
      replicas: %d
      leaderWorkerTemplate:
        size: 2
        workerTemplate:
          metadata: {annotations: {gpu.prescale.io/group-required-topology: zone}}
          spec: %s
    """
        .formatted(replicas, SavedCluster.TOLERANT);
  }

  /** Three cards are free, two of them in one zone. */
  @Test
  void levelsOfTheNetworkAreThoseOfTheOption() throws IOException {
    new SavedCluster(folder).save("");

    assertThat(pods(group(1)).findValuesAsText("outcome")).containsExactly("waits", "waits");
    var pods = pods(group(1), "--topology-levels", "zone");
    assertThat(pods.findValuesAsText("outcome")).containsExactly("bound", "bound");
    assertThat(pods.findValuesAsText("node")).containsExactly("b", "b");
  }

  private static final String KUEUE =
      """
      ,{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
        "metadata": {"name": "research"}, "spec": {"resourceGroups": [{"flavors": [{"resources": [
          {"name": "nvidia.com/gpu", "nominalQuota": "2"}]}]}]}},
      {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
        "metadata": {"name": "own", "namespace": "team"}, "spec": {"clusterQueue": "research"}}
      """;

  @Test
  void queuesAreThoseOfTheSystemThatIsNamed() throws IOException {
    new SavedCluster(folder).save(KUEUE);
    var chat =
        SavedCluster.deployment("chat", 3, SavedCluster.TOLERANT)
            .replace("app: x", "kueue.x-k8s.io/queue-name: own");

    assertThat(pods(chat).findValuesAsText("outcome")).containsExactly("bound", "bound", "bound");
    var pods = pods(chat, "--queue-system", "kueue");
    assertThat(pods.findValuesAsText("outcome")).containsExactly("bound", "bound", "waits");
    assertThat(pods.get(2).get("reason").asText())
        .contains("queue research has 2 of at most 2 cards");
  }

  private static String queue(String group, String spec) {
    return """
    ,{"apiVersion": "%s", "kind": "Queue", "metadata": {"name": "research"}, "spec": %s}
    """
        .formatted(group, spec);
  }

  @Test
  void kaisAndVolcanosQueuesAreToldApart() throws IOException {
    new SavedCluster(folder)
        .save(
            queue(
                    "scheduling.run.ai/v2",
                    "{\"resources\": {\"gpu\": {\"quota\": 1, \"limit\": 1}}}")
                + queue(
                    "scheduling.volcano.sh/v1beta1",
                    "{\"capability\": {\"nvidia.com/gpu\": \"2\"}}"));
    var chat =
        SavedCluster.deployment("chat", 3, SavedCluster.TOLERANT)
            .replace(
                "{labels: {app: x}}",
                "{labels: {kai.scheduler/queue: research},"
                    + " annotations: {scheduling.volcano.sh/queue-name: research}}");

    assertThat(pods(chat, "--queue-system", "kai").findValuesAsText("outcome"))
        .containsExactly("bound", "waits", "waits");
    assertThat(pods(chat, "--queue-system", "volcano").findValuesAsText("outcome"))
        .containsExactly("bound", "bound", "waits");
  }
}
