package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code prescale place --snapshot}: pods that are important enough have others deleted. On node a,
 * pods of the priorities 0 and 5 have a card each.
 */
class PlacePreemptingTest {
  private static final String MIDDLE =
      SavedCluster.running("middle", "GPU-a-1", "", ", \"priority\": 5");

  private static final String NOMINATED =
      """
      ,{"apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "first", "namespace": "other", "uid": "first"},
        "spec": {"priority": 90, "containers": [
          {"name": "m", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]},
        "status": {"phase": "Pending", "nominatedNodeName": "a"}}
      """;

  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  private SavedCluster cluster() {
    return new SavedCluster(folder);
  }

  @BeforeEach
  void saveCluster() throws IOException {
    cluster().save(1, MIDDLE);
  }

  private static String deployment(String name, int replicas, String priority) {
    return SavedCluster.deployment(
        name, replicas, SavedCluster.POD.replace("{containers", "{" + priority + ", containers"));
  }

  private JsonNode pods(String manifest) throws IOException {
    assertThat(cluster().place(program, manifest, "--json")).as(program.err()).isZero();
    var lines = program.out();
    return new ObjectMapper().readTree(lines.substring(lines.lastIndexOf("\n{") + 1)).get("pods");
  }

  @Test
  void theLeastImportantLeavesAndThePodHasItsCard() throws IOException {
    var manifest = deployment("chat", 1, "priorityClassName: high");

    assertThat(cluster().place(program, manifest)).isZero();
    assertThat(program.out().lines())
        .startsWith("0 of 1 pods would be bound, 1 would preempt others, 0 would wait.")
        .anyMatch(
            line -> line.matches("team/chat-0 +preempts other/runs, then a, GPU-a-0 \\(1\\)"));
  }

  @Test
  void eachTakesItsVictimsUntilNoneIsLess() throws IOException {
    var pods = pods(deployment("chat", 3, "priorityClassName: high"));

    assertThat(pods.findValuesAsText("outcome")).containsExactly("preempts", "preempts", "waits");
    assertThat(pods.get(0))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"pod": "team/chat-0", "outcome": "preempts", "node": "a",
                     "cards": [{"card": "GPU-a-0", "milli": 1000}], "preempted": ["other/runs"]}
                    """));
    assertThat(pods.get(1).get("preempted").get(0).asText()).isEqualTo("other/middle");
  }

  @Test
  void ofTwoNodesTheOneWhoseVictimIsLessImportantGivesItsCard() throws IOException {
    var lesser =
        SavedCluster.running("lesser", "GPU-b-0", "", ", \"priority\": -1")
            + SavedCluster.running("greater", "GPU-b-1", "", ", \"priority\": 9");
    cluster().save(1, MIDDLE + lesser);

    var pods =
        pods(
            SavedCluster.deployment(
                "chat",
                1,
                SavedCluster.TOLERANT.replace("{tolerations", "{priority: 70, tolerations")));

    assertThat(pods.get(0).get("preempted").get(0).asText()).isEqualTo("other/lesser");
    assertThat(pods.get(0).get("node").asText()).isEqualTo("b");
  }

  @Test
  void oneThatMayNotPreemptWaitsAndSoDoesOneThatIsAsImportant() throws IOException {
    cluster()
        .save(
            1,
            MIDDLE
                + """
                ,{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "value": 70,
                  "preemptionPolicy": "Never", "metadata": {"name": "patient"}}
                """);

    var pods =
        pods(
            deployment("chat", 1, "priorityClassName: patient")
                + deployment("calm", 1, "priority: 70, preemptionPolicy: Never")
                + deployment("like", 1, "priority: 0"));

    assertThat(pods.findValuesAsText("outcome")).containsExactly("waits", "waits", "waits");
  }

  /** kube-scheduler counts slots: as long as some are left, it looks for no victims. */
  @Test
  void whereCardsHaveSlotsLeftNoneIsDeleted() throws IOException {
    cluster().save(10, MIDDLE);

    var pods = pods(deployment("chat", 1, "priorityClassName: high"));

    assertThat(pods.findValuesAsText("outcome")).containsExactly("waits");
  }

  /** By its slots kube-scheduler would choose the one that the extender spares. */
  @Test
  void aPodThatIsNeverTakenStays() throws IOException {
    var never = ", \"labels\": {\"x\": \"y\"}";
    var stays =
        SavedCluster.running("stays", "GPU-a-1", never, ", \"priority\": -3")
            .replace(
                "\"annotations\": {", "\"annotations\": {\"gpu.prescale.io/reclaim\": \"never\", ");
    cluster().save(1, stays);

    var pods = pods(deployment("chat", 1, "priorityClassName: high"));

    assertThat(pods.findValuesAsText("outcome")).containsExactly("waits");
  }

  @Test
  void aPodForWhichOthersAreEndingAlreadyHasNoFurtherOnesDeleted() throws IOException {
    var ending =
        SavedCluster.running(
            "ending", "GPU-a-1", ", \"deletionTimestamp\": \"2026-01-17T00:01:00Z\"", "");
    cluster().save(1, ending + NOMINATED);

    var pods = pods(deployment("chat", 1, "priorityClassName: high"));

    assertThat(pods.get(0).get("preempted"))
        .as("the card of the pod that ends is for the one that is nominated")
        .singleElement()
        .extracting(JsonNode::asText)
        .isEqualTo("other/runs");
  }

  @Test
  void aPodCountsOnceOnTheNodeForWhichItIsNominated() throws IOException {
    cluster().save(1, MIDDLE + NOMINATED);

    var pods = pods(deployment("chat", 1, "priorityClassName: high"));

    assertThat(pods.get(0).get("preempted"))
        .as("the nominated pod needed only the card of the least important")
        .singleElement()
        .extracting(JsonNode::asText)
        .isEqualTo("other/middle");
  }

  @Test
  void ofAGroupEachHasOthersDeletedUntilAllFit() throws IOException {
    var set =
        """
        apiVersion: leaderworkerset.x-k8s.io/v1
        kind: LeaderWorkerSet
        metadata: {name: llm, namespace: team}
        spec:
          replicas: 1
          leaderWorkerTemplate: {size: 2, workerTemplate: {spec: %s}}
        """
            .formatted(SavedCluster.POD.replace("{containers", "{priority: 70, containers"));

    var pods = pods(set);

    assertThat(pods.findValuesAsText("outcome")).containsExactly("preempts", "preempts");
    assertThat(pods.findValuesAsText("card")).containsExactlyInAnyOrder("GPU-a-0", "GPU-a-1");
    assertThat(pods.get(0).get("preempted").get(0).asText()).isEqualTo("other/runs");
    assertThat(pods.get(1).get("preempted").get(0).asText()).isEqualTo("other/middle");
  }
}
