package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code prescale place --snapshot}: what is decided. */
class PlaceOnClusterTest {
  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  private SavedCluster cluster() {
    return new SavedCluster(folder);
  }

  @BeforeEach
  void saveCluster() throws IOException {
    cluster().save("");
  }

  private int place(String manifest, String... more) throws IOException {
    return cluster().place(program, manifest, more);
  }

  @Test
  void saysWhichCardsPodsWouldHaveAndWhyOthersWouldWait() throws IOException {
    assertThat(
            place(
                SavedCluster.deployment("chat", 2, SavedCluster.POD)
                    + "---\n{kind: Service, apiVersion: v1, metadata: {name: chat}}\n"))
        .isZero();

    assertThat(program.out().lines())
        .startsWith("1 of 2 pods would be bound, 1 would wait.", "Passed over: Service/chat.", "")
        .anyMatch(line -> line.matches("team/chat-0 +a, GPU-a-1 \\(1\\)"))
        .anyMatch(line -> line.matches("team/chat-1 +waits: 1 node: .*"));
  }

  @Test
  void taintsAndSelectorsApply() throws IOException {
    assertThat(place(SavedCluster.deployment("chat", 4, SavedCluster.TOLERANT), "--json")).isZero();
    var pods = new ObjectMapper().readTree(program.out()).get("pods");
    assertThat(pods.findValuesAsText("outcome"))
        .containsExactly("bound", "bound", "bound", "waits");
    assertThat(pods.findValuesAsText("card"))
        .containsExactlyInAnyOrder("GPU-a-1", "GPU-b-0", "GPU-b-1");

    assertThat(
            place(
                SavedCluster.deployment(
                    "lost",
                    1,
                    SavedCluster.POD.replace(
                        "{containers", "{nodeSelector: {zone: c}, containers"))))
        .isZero();
    assertThat(program.out())
        .contains(
            "waits: no node has the labels that it selects and only taints that it tolerates");
  }

  @Test
  void queuesApplyAndSayWhatTheyWouldHave() throws IOException {
    cluster().save(SavedCluster.queue("research", "{\"limit\": 2}"));

    assertThat(place(SavedCluster.deployment("chat", 3, SavedCluster.TOLERANT))).isZero();

    assertThat(program.out())
        .contains("2 of 3 pods would be bound, 1 would wait.")
        .contains("queue research has 2 of at most 2 cards")
        .contains("Queue research has 2 of 0 guaranteed cards and is owed 2; 1 pod waits.");
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
            .formatted(SavedCluster.TOLERANT);

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
  void aJobSetIsPlacedWholeOrNotAtAll() throws IOException {
    var set =
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: %s, namespace: team}
        spec: {replicatedJobs: [{name: w, replicas: %d, template: {spec: {template: {spec: %s}}}}]}
        ---
        """;

    assertThat(
            place(
                set.formatted("three", 3, SavedCluster.TOLERANT)
                    + set.formatted("four", 4, SavedCluster.TOLERANT)
                    + "{kind: TrainJob, apiVersion: trainer.kubeflow.org/v1alpha1,"
                    + " metadata: {name: llm}}"))
        .isZero();

    assertThat(program.out().lines())
        .startsWith(
            "3 of 7 pods would be bound, 4 would wait.",
            "Passed over: TrainJob/llm (its pods are made from a runtime).")
        .anyMatch(line -> line.matches("team/three-w-2-0 +[ab], GPU-[ab]-[01] \\(1\\)"))
        .anyMatch(
            line ->
                line.matches(
                    "team/four-w-0-0 +waits: .*there is no room for all pods of group four.0.*"));
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

  @Test
  void theMoreImportantPodComesFirstAndOneThatAGateHoldsBackWaits() throws IOException {
    var low =
        SavedCluster.deployment(
            "low", 1, SavedCluster.POD.replace("{containers", "{priority: 1, containers"));
    var high =
        SavedCluster.deployment(
            "high",
            1,
            SavedCluster.POD.replace("{containers", "{priorityClassName: high, containers"));
    var gated =
        SavedCluster.deployment(
            "gated",
            1,
            SavedCluster.POD.replace("{containers", "{schedulingGates: [{name: x/y}], containers"));

    assertThat(place(low + high + gated, "--json")).isZero();

    var pods = new ObjectMapper().readTree(program.out()).get("pods");
    assertThat(pods.findValuesAsText("outcome")).containsExactly("waits", "bound", "waits");
    assertThat(pods.findValuesAsText("reason")).contains("a scheduling gate holds it back");
  }

  @Test
  void aPodThatWaitsAlreadyComesFirst() throws IOException {
    cluster()
        .save(
            """
            ,{"apiVersion": "v1", "kind": "Pod",
              "metadata": {"name": "waits", "namespace": "other", "uid": "u2"},
              "spec": {"containers": [{"name": "m", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]},
              "status": {"phase": "Pending"}}
            """);

    assertThat(place(SavedCluster.deployment("chat", 1, SavedCluster.POD))).isZero();

    assertThat(program.out()).contains("0 of 1 pods would be bound, 1 would wait.");
  }

  private static final String MOVABLE =
      """
      ,{"apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "embed-x", "namespace": "other", "uid": "u3",
          "labels": {"pod-template-hash": "7d4"},
          "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "embed",
            "uid": "u4", "controller": true}],
          "annotations": {"hami.io/vgpu-devices-allocated": "GPU-a-1,NVIDIA,40960,100:;"}},
        "spec": {"nodeName": "a", "tolerations": [{"key": "gpu", "operator": "Exists"}],%s
          "containers": [{"name": "m", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}
      """;

  /** Two cards are free on node b, which lets no pod of the manifest in. */
  @Test
  void saysWhichPodsWouldMakeRoomIfTheyMovedAndForWhomNoneIsLeft() throws IOException {
    cluster().save(MOVABLE.formatted(""));
    var three = SavedCluster.deployment("chat", 3, SavedCluster.POD);

    assertThat(place(three, "--json")).isZero();
    var pods = new ObjectMapper().readTree(program.out()).get("pods");
    assertThat(pods.get(0).get("moves"))
        .isEqualTo(
            new ObjectMapper()
                .readTree("[{\"pod\": \"other/embed-x\", \"from\": \"a\", \"to\": \"b\"}]"));
    assertThat(pods.findValues("moves")).hasSize(1);

    assertThat(place(three)).isZero();
    assertThat(program.out().lines())
        .anyMatch(
            line ->
                line.matches("team/chat-0 +waits: .*; it would fit if other/embed-x moved to b"))
        .anyMatch(line -> line.matches("team/chat-1 +waits: [^;]*"));
  }

  @Test
  void whatIsBoundToItsNodeDoesNotMove() throws IOException {
    cluster()
        .save(
            MOVABLE.formatted(
                "\"volumes\": [{\"name\": \"v\", \"persistentVolumeClaim\": {\"claimName\":"
                    + " \"c\"}}],"));

    assertThat(place(SavedCluster.deployment("chat", 1, SavedCluster.POD), "--json")).isZero();

    assertThat(new ObjectMapper().readTree(program.out()).findValues("moves")).isEmpty();
  }

  /** Both cards of node b are held by pods that are being deleted. */
  @Test
  void whatLeavesMakesRoomForWhatMoves() throws IOException {
    var leaving =
        """
        ,{"apiVersion": "v1", "kind": "Pod",
          "metadata": {"name": "old-%1$d", "namespace": "other", "uid": "o%1$d",
            "deletionTimestamp": "2026-11-25T12:00:00Z",
            "annotations": {"hami.io/vgpu-devices-allocated": "GPU-b-%1$d,NVIDIA,40960,100:;"}},
          "spec": {"nodeName": "b", "containers": [
            {"name": "m", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]},
          "status": {"phase": "Running"}}
        """;
    cluster().save(MOVABLE.formatted("") + leaving.formatted(0) + leaving.formatted(1));

    assertThat(place(SavedCluster.deployment("chat", 2, SavedCluster.POD), "--json")).isZero();

    var pods = new ObjectMapper().readTree(program.out()).get("pods");
    assertThat(pods.get(0).get("moves").findValuesAsText("to")).containsExactly("b");
    assertThat(pods.findValues("moves")).hasSize(1);
  }
}
