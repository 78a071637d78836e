package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static io.prescale.controller.lab.QueuesOnEightCards.pods;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Taking back with notice on a real control plane, with eight cards of one vendor. */
class ReclaimLabIT {
  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final QueuesOnEightCards QUEUES = new QueuesOnEightCards(EXTENDER);
  private static final LentCards LENT = new LentCards(QUEUES);

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
    lab().apply(queue("serving", "{guarantee: 4}") + LentCards.lender("20s"));
    QUEUES.awaitReason("training", "InForce");
    lab().apply(LentCards.jobs(4, 2));
    LENT.awaitBound("train-", 8);

    long asked = System.nanoTime();
    lab().apply(pods("serving", 4));
    LENT.awaitNotices(4);
    assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(10));
    assertThat(LENT.suspended()).isEmpty();
    assertThat(LENT.bound("train-")).isEqualTo(8);
    patiently()
        .untilAsserted(
            () -> assertThat(QUEUES.status("training").path("notified").asInt()).isEqualTo(4));
    assertThat(cluster().extender().get("/cards"))
        .as("what the page shows")
        .contains("{\"name\":\"serving\",\"parent\":\"\",\"guaranteeMilli\":4000,")
        .containsPattern("\"pod\":\"default/train-[^}]*\"queue\":\"training\",\"until\":");

    LENT.awaitBound("hygon-serving", 4);
    assertThat(LENT.suspended()).hasSize(2);
    assertThat(LENT.bound("train-")).isEqualTo(4);
    patiently().untilAsserted(() -> assertThat(LENT.noticed()).isEmpty());
    cluster().assertNothingIsDoubleBooked();

    QUEUES.end("hygon-serving");
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(LENT.suspended()).isEmpty());
    LENT.awaitBound("train-", 8);
    cluster().assertNothingIsDoubleBooked();
    assertThat(cluster().extender().get("/metrics"))
        .contains("prescale_reclaim_pods_total{gpuqueue=\"training\",how=\"suspended\",} 4.0")
        .contains("prescale_reclaim_cards_total{gpuqueue=\"training\",} 4.0")
        .contains("prescale_reclaim_resumed_total{gpuqueue=\"training\",} 2.0");
  }

  @Test
  void aClaimThatIsWithdrawnWithdrawsTheNotices() throws Exception {
    lab().apply(queue("serving", "{guarantee: 4}") + LentCards.lender("1h"));
    QUEUES.awaitReason("training", "InForce");
    lab().apply(LentCards.jobs(4, 2));
    LENT.awaitBound("train-", 8);
    lab().apply(pods("serving", 2));
    LENT.awaitNotices(2);
    patiently()
        .untilAsserted(
            () ->
                assertThat(cluster().extender().get("/cards"))
                    .as("what the page shows")
                    .contains("{\"name\":\"serving\",\"parent\":\"\",\"guaranteeMilli\":4000,")
                    .containsPattern(
                        "\"pod\":\"default/train-[^}]*\"queue\":\"training\",\"until\":"));
    var notified = LENT.noticed().getFirst().getMetadata().getName();
    assertThat(cluster().events(notified, "ReclaimNotice"))
        .anySatisfy(message -> assertThat(message).contains("queue serving is owed them"));

    QUEUES.end("hygon-serving");

    patiently().untilAsserted(() -> assertThat(LENT.noticed()).isEmpty());
    assertThat(LENT.suspended()).isEmpty();
    assertThat(LENT.bound("train-")).isEqualTo(8);
    assertThat(cluster().events(notified, "ReclaimWithdrawn")).hasSize(1);
  }

  @Test
  void anEvictionWaitsForThePodDisruptionBudgetAndTheExtenderMayRestart() throws Exception {
    lab().apply(queue("serving", "{guarantee: 4}") + LentCards.lender("5s") + NOTHING_ALLOWED);
    QUEUES.awaitReason("training", "InForce");
    lab()
        .apply(
            HamiVendor.HYGON.pods(
                "single", 8, 32_768, ", labels: {gpu.prescale.io/queue: training, app: guarded}"));
    LENT.awaitBound("hygon-single", 8);
    lab().apply(pods("serving", 1));
    LENT.awaitNotices(1);
    var notified = LENT.noticed().getFirst().getMetadata().getName();
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(cluster().events(notified, "ReclaimWaits")).isNotEmpty());
    assertThat(cluster().bound("hygon-single")).isEqualTo(8);

    EXTENDER.startAgain("ReclaimLabIT-restarted");
    lab().kubectl("delete", "poddisruptionbudgets", "--all");

    LENT.awaitBound("hygon-serving", 1);
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

  private static Lab lab() {
    return QUEUES.lab();
  }

  private static ExtenderCluster cluster() {
    return QUEUES.cluster();
  }
}
