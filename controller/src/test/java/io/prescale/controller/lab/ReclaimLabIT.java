package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.JSON;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static io.prescale.controller.lab.QueuesOnEightCards.pods;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Taking back with notice on a real control plane, with eight cards of one vendor. */
class ReclaimLabIT {
  private static final String AT = "gpu.prescale.io/reclaim-at";

  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final QueuesOnEightCards QUEUES = new QueuesOnEightCards(EXTENDER);

  @BeforeAll
  static void onlyEightCards() throws IOException, InterruptedException {
    QUEUES.prepare();
  }

  @AfterEach
  void removeAll() throws Exception {
    lab().kubectl("delete", "jobs", "--all", "--cascade=foreground");
    lab().kubectl("delete", "poddisruptionbudgets", "--all");
    lab().kubectl("delete", "gpuqueues", "--all");
  }

  @Test
  void jobsAreSuspendedAfterTheirNoticeAndGoOnWhenThereIsRoomAgain() throws Exception {
    lab().apply(queue("serving", "{guarantee: 4}") + lender("20s"));
    QUEUES.awaitReason("training", "InForce");
    lab().apply(jobs(4, 2));
    awaitBound("train-", 8);

    long asked = System.nanoTime();
    lab().apply(pods("serving", 4));
    awaitNotices(4);
    assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(10));
    assertThat(suspended()).isEmpty();
    assertThat(bound("train-")).isEqualTo(8);
    patiently()
        .untilAsserted(
            () -> assertThat(QUEUES.status("training").path("notified").asInt()).isEqualTo(4));
    assertThat(cluster().extender().get("/cards"))
        .as("what the page shows")
        .contains("{\"name\":\"serving\",\"parent\":\"\",\"guaranteeMilli\":4000,")
        .containsPattern("\"pod\":\"default/train-[^}]*\"queue\":\"training\",\"until\":");

    awaitBound("hygon-serving", 4);
    assertThat(suspended()).hasSize(2);
    assertThat(bound("train-")).isEqualTo(4);
    patiently().untilAsserted(() -> assertThat(noticed()).isEmpty());
    cluster().assertNothingIsDoubleBooked();

    QUEUES.end("hygon-serving");
    patiently().atMost(UNTIL_TRIED_AGAIN).untilAsserted(() -> assertThat(suspended()).isEmpty());
    awaitBound("train-", 8);
    cluster().assertNothingIsDoubleBooked();
    assertThat(cluster().extender().get("/metrics"))
        .contains("prescale_reclaim_pods_total{gpuqueue=\"training\",how=\"suspended\",} 4.0")
        .contains("prescale_reclaim_cards_total{gpuqueue=\"training\",} 4.0")
        .contains("prescale_reclaim_resumed_total{gpuqueue=\"training\",} 2.0");
  }

  @Test
  void aClaimThatIsWithdrawnWithdrawsTheNotices() throws Exception {
    lab().apply(queue("serving", "{guarantee: 4}") + lender("1h"));
    QUEUES.awaitReason("training", "InForce");
    lab().apply(jobs(4, 2));
    awaitBound("train-", 8);
    lab().apply(pods("serving", 2));
    awaitNotices(2);
    var notified = noticed().getFirst().getMetadata().getName();
    assertThat(cluster().events(notified, "ReclaimNotice"))
        .anySatisfy(message -> assertThat(message).contains("queue serving is owed them"));

    QUEUES.end("hygon-serving");

    patiently().untilAsserted(() -> assertThat(noticed()).isEmpty());
    assertThat(suspended()).isEmpty();
    assertThat(bound("train-")).isEqualTo(8);
    assertThat(cluster().events(notified, "ReclaimWithdrawn")).hasSize(1);
  }

  @Test
  void anEvictionWaitsForThePodDisruptionBudgetAndTheExtenderMayRestart() throws Exception {
    lab().apply(queue("serving", "{guarantee: 4}") + lender("5s") + NOTHING_ALLOWED);
    QUEUES.awaitReason("training", "InForce");
    lab()
        .apply(
            HamiVendor.HYGON.pods(
                "single", 8, 32_768, ", labels: {gpu.prescale.io/queue: training, app: guarded}"));
    awaitBound("hygon-single", 8);
    lab().apply(pods("serving", 1));
    awaitNotices(1);
    var notified = noticed().getFirst().getMetadata().getName();
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(cluster().events(notified, "ReclaimWaits")).isNotEmpty());
    assertThat(cluster().bound("hygon-single")).isEqualTo(8);

    EXTENDER.startAgain("ReclaimLabIT-restarted");
    lab().kubectl("delete", "poddisruptionbudgets", "--all");

    awaitBound("hygon-serving", 1);
    assertThat(cluster().bound("hygon-single")).isEqualTo(7);
    cluster().assertNothingIsDoubleBooked();
  }

  private static final String NOTHING_ALLOWED =
      """
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: guarded, namespace: default}
      spec: {maxUnavailable: 0, selector: {matchLabels: {app: guarded}}}
      """;

  private static String lender(String grace) {
    return queue("training", "{reclaim: {mode: Act, grace: %s}}".formatted(grace));
  }

  /** Jobs whose pods ask for a whole card each. */
  private static String jobs(int number, int pods) {
    var text = new StringBuilder();
    for (int job = 0; job < number; job++) {
      text.append(
          """
          ---
          apiVersion: batch/v1
          kind: Job
          metadata: {name: train-%1$d, namespace: default}
          spec:
            parallelism: %2$d
            completions: %2$d
            template:
              metadata:
                labels: {gpu.prescale.io/queue: training}
                annotations: {lab/keeps-running: "true"}
              spec:
                restartPolicy: Never
                terminationGracePeriodSeconds: 1
                containers:
                - {name: main, image: model, resources: {limits: {%3$s: "1", %4$s: "32768"}}}
          """
              .formatted(job, pods, HamiVendor.HYGON.count, HamiVendor.HYGON.memory));
    }
    return text.toString();
  }

  private static void awaitBound(String prefix, int pods) {
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .alias(prefix)
        .untilAsserted(() -> assertThat(bound(prefix)).isEqualTo(pods));
  }

  private static long bound(String prefix) {
    return cluster().pods().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(prefix))
        .filter(pod -> pod.getSpec().getNodeName() != null)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .count();
  }

  private static void awaitNotices(int pods) {
    patiently().alias("notices").untilAsserted(() -> assertThat(noticed()).hasSize(pods));
  }

  private static List<Pod> noticed() {
    return cluster().pods().stream()
        .filter(pod -> !ExtenderCluster.annotation(pod, AT).isEmpty())
        .toList();
  }

  private static List<String> suspended() throws IOException, InterruptedException {
    var jobs =
        JSON.readTree(
            lab().kubectl("get", "jobs", "-l", "gpu.prescale.io/suspended", "-o", "json"));
    return jobs.path("items").findValuesAsText("suspend").stream()
        .filter(Boolean::parseBoolean)
        .toList();
  }

  private static Lab lab() {
    return QUEUES.lab();
  }

  private static ExtenderCluster cluster() {
    return QUEUES.cluster();
  }
}
