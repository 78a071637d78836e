package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code prescale place --snapshot}: two nodes of two cards each, one of them tainted. */
class PlaceOnClusterTest {
  private static final String POD =
      "{containers: [{name: m, resources: {limits: {nvidia.com/gpu: 1}}}]}";

  private static final String TOLERANT =
      """
      {tolerations: [{key: gpu, operator: Exists}], containers: [{name: m, resources: {limits: \
      {nvidia.com/gpu: 1}}}]}\
      """;

  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  @BeforeEach
  void saveCluster() throws IOException {
    saveCluster("");
  }

  private void saveCluster(String more) throws IOException {
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
            .formatted(node("a", ""), node("b", TAINT), more);
    write("cluster.json", cluster);
  }

  private static final String TAINT =
      ", \"spec\": {\"taints\": [{\"key\": \"gpu\", \"effect\": \"NoSchedule\"}]}";

  private static String node(String name, String spec) {
    var register =
        "[%s,%s]"
            .formatted(card("GPU-" + name + "-0"), card("GPU-" + name + "-1"))
            .replace("\"", "\\\"");
    return """
    {"apiVersion": "v1", "kind": "Node",
     "metadata": {"name": "%s", "labels": {"zone": "%s"},
       "annotations": {"hami.io/node-nvidia-register": "%s"}}%s,
     "status": {"allocatable": {"nvidia.com/gpu": "20"},
       "conditions": [{"type": "Ready", "status": "True"}]}}
    """
        .formatted(name, name, register, spec);
  }

  private static String card(String uuid) {
    return """
    {"id":"%s","count":10,"devmem":40960,"devcore":100,"type":"NVIDIA A100","mode":"hami-core",\
    "health":true}\
    """
        .formatted(uuid);
  }

  private static String queue(String name, String spec) {
    return """
    ,{"apiVersion": "placement.prescale.io/v1alpha1", "kind": "GpuQueue",
      "metadata": {"name": "%s"}, "spec": %s}
    """
        .formatted(name, spec);
  }

  private static String deployment(String name, int replicas, String podSpec) {
    return """
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: %s, namespace: team}
    spec: {replicas: %d, template: {metadata: {labels: {app: x}}, spec: %s}}
    """
        .formatted(name, replicas, podSpec);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private int place(String manifest, String... more) throws IOException {
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

  @Test
  void saysWhichCardsPodsWouldHaveAndWhyOthersWouldWait() throws IOException {
    assertThat(
            place(
                deployment("chat", 2, POD)
                    + "---\n{kind: Service, apiVersion: v1, metadata: {name: chat}}\n"))
        .isZero();

    assertThat(program.out().lines())
        .startsWith("1 of 2 pods would be bound, 1 would wait.", "Passed over: Service/chat.", "")
        .anyMatch(line -> line.matches("team/chat-0 +a, GPU-a-1 \\(1\\)"))
        .anyMatch(line -> line.matches("team/chat-1 +waits: 1 node: .*"));
  }

  @Test
  void taintsAndSelectorsApply() throws IOException {
    assertThat(place(deployment("chat", 4, TOLERANT), "--json")).isZero();
    var pods = new ObjectMapper().readTree(program.out()).get("pods");
    assertThat(pods.findValuesAsText("outcome"))
        .containsExactly("bound", "bound", "bound", "waits");
    assertThat(pods.findValuesAsText("card"))
        .containsExactlyInAnyOrder("GPU-a-1", "GPU-b-0", "GPU-b-1");

    assertThat(
            place(
                deployment(
                    "lost", 1, POD.replace("{containers", "{nodeSelector: {zone: c}, containers"))))
        .isZero();
    assertThat(program.out())
        .contains(
            "waits: no node has the labels that it selects and only taints that it tolerates");
  }

  @Test
  void queuesApplyAndSayWhatTheyWouldHave() throws IOException {
    saveCluster(queue("research", "{\"limit\": 2}"));

    assertThat(place(deployment("chat", 3, TOLERANT))).isZero();

    assertThat(program.out())
        .contains("2 of 3 pods would be bound, 1 would wait.")
        .contains("queue research has 2 of at most 2 cards")
        .contains("Queue research has 2 of 0 guaranteed cards and is owed 2; 1 pods wait.");
  }

  @Test
  void aGroupIsPlacedWholeOrNotAtAll() throws IOException {
    var set =
        """
        apiVersion: leaderworkerset.x-k8s.io/v1
        kind: LeaderWorkerSet
        metadata: {name: llm}
        spec:
          replicas: 2
          leaderWorkerTemplate: {size: 2, workerTemplate: {spec: %s}}
        """
            .formatted(TOLERANT);

    assertThat(place(set, "--json", "--namespace", "team")).isZero();

    var pods = new ObjectMapper().readTree(program.out()).get("pods");
    assertThat(pods.findValuesAsText("pod"))
        .containsExactly("team/llm-0-0", "team/llm-0-1", "team/llm-1-0", "team/llm-1-1");
    assertThat(pods.findValuesAsText("outcome"))
        .containsExactly("bound", "bound", "waits", "waits");
    assertThat(pods.findValuesAsText("reason"))
        .allMatch(reason -> reason.contains("there is no room for all pods of group llm-1"));
  }

  @Test
  void jobsRunAsManyAtOnceAsTheySayAndPodsWithoutCardsGoAnywhere() throws IOException {
    var job =
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: train}
        spec: {parallelism: 5, completions: 2, template: {spec: {priorityClassName: high, \
        containers: [{name: m}]}}}
        """;

    assertThat(place(job)).isZero();

    assertThat(program.out().lines())
        .startsWith("2 of 2 pods would be bound, 0 would wait.")
        .anyMatch(line -> line.matches("default/train-1 +anywhere: it asks for no GPU"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "~", "[]x", "just text: secret-1234", "{", "kind: Pod", "- 1\n- 2"})
  void whatIsNoManifestIsRefusedWithoutBeingQuoted(String text) throws IOException {
    assertThat(place(text)).isEqualTo(3);
    assertThat(program.errLines())
        .singleElement()
        .asString()
        .endsWith("is no Kubernetes object in YAML or JSON, with kind and metadata.")
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {replicas: -1, template: {spec: {}}}     | Deployment/x asks for -1 pods; write a number from 0 on.
          {replicas: 20000, template: {spec: {}}}  | Deployment/x has more pods than the 10000 that are placed at once; lower its replicas.
          {replicas: 1}                            | Deployment/x lacks a name, a spec or a pod's template.
          {template: {}}                           | Deployment/x lacks a name, a spec or a pod's template.
          """)
  void anObjectWithoutPodsIsNamed(String spec, String sentence) throws IOException {
    assertThat(
            place(
                "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: %s"
                    .formatted(spec)))
        .isEqualTo(3);
    assertThat(program.errLines()).singleElement().asString().endsWith(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --manifest m.yaml                           | Which cluster? Give --cluster for the running one, or --snapshot FILE for a saved one.
          --manifest m.yaml --cluster --snapshot s    | Which cluster? Give --cluster for the running one, or --snapshot FILE for a saved one.
          --cluster                                   | --manifest FILE is missing: the objects whose pods are placed.
          --manifest m.yaml --snapshot s --save t     | --save writes the running cluster; use it with --cluster.
          --manifest m.yaml --cluster --nodes n.csv   | --manifest, --cluster and --snapshot place pods as the scheduler extender does; of the options about files and decisions only --json can be combined with them.
          --manifest m.yaml --cluster --runs 3        | --runs repeats an experiment; add --arrivals 130%.
          """)
  void optionsThatDoNotBelongTogetherAreRefused(String options, String sentence) {
    assertThat(program.run(("place " + options).split(" +"))).isEqualTo(2);
    assertThat(program.errLines().getFirst()).isEqualTo(sentence);
  }
}
