package io.prescale.controller.lab;

import static io.prescale.controller.lab.QueuesOnEightCards.pods;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A Deployment that declares a minimum lends its replicas, with the controllers of Kubernetes. */
class ReclaimReplicasLabIT {
  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final QueuesOnEightCards QUEUES = new QueuesOnEightCards(EXTENDER);
  private static final LentCards LENT = new LentCards(QUEUES);

  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: batch, namespace: default}
      spec:
        replicas: 8
        selector: {matchLabels: {app: batch}}
        template:
          metadata:
            labels: {app: batch, gpu.prescale.io/queue: training}
            annotations: {gpu.prescale.io/min-replicas: "2"}
          spec:
            terminationGracePeriodSeconds: 1
            containers:
            - {name: main, image: model, resources: {limits: {%s: "1", %s: "32768"}}}
      """
          .formatted(HamiVendor.HYGON.count, HamiVendor.HYGON.memory);

  private static final String AUTOSCALER =
      """
      ---
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: {name: batch, namespace: default}
      spec:
        minReplicas: 8
        maxReplicas: 9
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: batch}
      """;

  @BeforeAll
  static void onlyEightCards() throws IOException, InterruptedException {
    QUEUES.prepare();
  }

  @AfterEach
  void removeAll() throws Exception {
    lab().kubectl("delete", "hpa", "--all");
    lab().kubectl("delete", "deployments", "--all", "--cascade=foreground");
    lab().kubectl("delete", "gpuqueues", "--all");
  }

  private void lend(String grace, String more) throws Exception {
    lab().apply(queue("serving", "{guarantee: 8}") + LentCards.lender(grace));
    QUEUES.awaitReason("training", "InForce");
    lab().apply(DEPLOYMENT + more);
    LENT.awaitBound("batch-", 8);
  }

  /** The extender ends while four replicas are away, and the next one gives them back. */
  @Test
  void itKeepsWhatTheClaimLeavesAndHasAllItsReplicasWhenThereIsRoomAgain() throws Exception {
    lend("5s", "");
    assertThat(lab().kubectl("get", "pods", "-l", "gpu.prescale.io/quota=OverQuota", "-o", "name"))
        .as("told by the Binding")
        .hasLineCount(8);
    lab().apply(pods("serving", 4));
    LENT.awaitNotices(4);
    var victims = LENT.noticed().stream().map(pod -> pod.getMetadata().getName()).toList();

    LENT.awaitBound("hygon-serving", 4);

    assertThat(replicas()).isEqualTo(4);
    assertThat(annotation("replicas-before")).isEqualTo("8");
    assertThat(annotation("replicas-left")).isEqualTo("4");
    assertThat(LENT.bound("batch-")).isEqualTo(4);
    assertThat(QUEUES.cluster().podsNamed("batch"))
        .as("none is made again, and those go that had notice")
        .hasSize(4)
        .noneMatch(pod -> victims.contains(pod.getMetadata().getName()));
    cluster().assertNothingIsDoubleBooked();
    assertNothingElseIsPermitted();

    EXTENDER.startAgain("ReclaimReplicasLabIT-restarted");
    QUEUES.end("hygon-serving");

    LENT.awaitBound("batch-", 8);
    assertThat(replicas()).isEqualTo(8);
    assertThat(annotation("replicas-before")).isEmpty();
    assertThat(QUEUES.lab().kubectl("get", "deployments", "-l", "gpu.prescale.io/suspended"))
        .doesNotContain("batch");
    cluster().assertNothingIsDoubleBooked();
  }

  /** Of eight claimed cards six could be had; a claim is given all or nothing. */
  @Test
  @Tag("long")
  void itsMinimumIsNotTaken() throws Exception {
    lend("1s", "");
    lab().apply(pods("serving", 8));

    LENT.awaitBound("hygon-serving", 6);

    assertThat(replicas()).isEqualTo(2);
    assertThat(LENT.bound("batch-")).isEqualTo(2);
    cluster().assertNothingIsDoubleBooked();
  }

  @Test
  void oneThatAnAutoscalerScalesLosesItsPodsOneByOneAndSaysWhy() throws Exception {
    lend("5s", AUTOSCALER);
    lab().apply(pods("serving", 2));
    LENT.awaitNotices(2);
    var notified = LENT.noticed().getFirst().getMetadata().getName();

    LENT.awaitBound("hygon-serving", 2);

    assertThat(replicas()).isEqualTo(8);
    assertThat(cluster().events(notified, "Reclaimed"))
        .anySatisfy(
            message ->
                assertThat(message)
                    .contains("A HorizontalPodAutoscaler scales Deployment default/batch"));
    assertThat(LENT.bound("batch-")).isEqualTo(6);
  }

  /** With the account of the chart's scheduler, under its policies. */
  private static void assertNothingElseIsPermitted() {
    assertRefused("nothing of a workload but", "{\"spec\": {\"minReadySeconds\": 2}}");
    assertRefused("nothing of a workload but", "{\"metadata\": {\"labels\": {\"team\": \"a\"}}}");
    assertRefused("gives no workload more replicas", "{\"spec\": {\"replicas\": 9}}");
    assertRefused("gives no workload more replicas", "{\"spec\": {\"replicas\": 7}}");
    assertRefused("notes how many replicas", "{\"spec\": {\"replicas\": 1}}");
    assertRefused(
        "fewer replicas than each of its templates declares",
        "{\"spec\": {\"replicas\": 1}, \"metadata\": {\"annotations\": {%s: \"8\", %s: \"1\"}}}"
            .formatted("\"gpu.prescale.io/replicas-before\"", "\"gpu.prescale.io/replicas-left\""));
  }

  private static void assertRefused(String message, String patch) {
    assertThatThrownBy(
            () ->
                lab()
                    .kubectl(
                        "patch",
                        "deployment/batch",
                        "--as=system:serviceaccount:prescale:prescale-scheduler",
                        "--type=merge",
                        "--patch=" + patch))
        .hasMessageContaining(message);
  }

  private static JsonNode deployment() throws IOException, InterruptedException {
    return QueuesOnEightCards.JSON.readTree(
        lab().kubectl("get", "deployment", "batch", "-o", "json"));
  }

  private static int replicas() throws IOException, InterruptedException {
    return deployment().at("/spec/replicas").asInt();
  }

  private static String annotation(String name) throws IOException, InterruptedException {
    return deployment().at("/metadata/annotations").path("gpu.prescale.io/" + name).asText();
  }

  private static Lab lab() {
    return QUEUES.lab();
  }

  private static ExtenderCluster cluster() {
    return QUEUES.cluster();
  }
}
