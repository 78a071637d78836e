package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static io.prescale.controller.lab.QueuesOnEightCards.pods;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.Checkout;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** GpuQueues on a real control plane, with eight cards of one vendor. */
class QueuesLabIT {
  private static final int CARDS = 2 * HamiVendor.CARDS;

  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final QueuesOnEightCards QUEUES = new QueuesOnEightCards(EXTENDER);

  @TempDir private Path folder;

  @BeforeAll
  static void onlyEightCards() throws IOException, InterruptedException {
    QUEUES.prepare();
  }

  @AfterEach
  void removeQueues() throws Exception {
    lab().kubectl("delete", "gpuqueues", "--all");
  }

  @Test
  void aQueueAtItsLimitWaitsWithTheReasonAndTheOtherHasWhatItIsOwed() throws Exception {
    lab().apply(queue("research", "{limit: 3}") + queue("serving", "{guarantee: 4}"));
    QUEUES.awaitReason("research", "InForce");
    lab().apply(pods("research", 8));
    awaitBound("research", 3);
    patiently()
        .untilAsserted(
            () ->
                assertThat(cluster().pods())
                    .filteredOn(pod -> pod.getSpec().getNodeName() == null)
                    .hasSize(5)
                    .allSatisfy(
                        pod ->
                            assertThat(
                                    cluster()
                                        .events(pod.getMetadata().getName(), "FailedScheduling"))
                                .anySatisfy(
                                    message ->
                                        assertThat(message)
                                            .contains(
                                                "queue research has 3 of at most 3 cards, and the"
                                                    + " pod asks for 1"))));

    lab().apply(pods("serving", 5));

    awaitBound("serving", 5);
    awaitStatus("research", "3", 5);
    awaitStatus("serving", "5", 0);
    assertThat(QUEUES.status("serving").get("borrowed").asText()).isEqualTo("1");
    assertThat(lab().kubectl("get", "gpuqueues"))
        .containsPattern("NAME +PARENT +USED +GUARANTEE +LIMIT +OWED +WAITING +OLDEST +READY +AGE")
        .containsPattern("research +3 +3 +3 +5 +\\S+ +InForce");

    var leaving =
        cluster().podsNamed("hygon-research").stream()
            .filter(pod -> pod.getSpec().getNodeName() != null)
            .findFirst()
            .orElseThrow();
    lab().kubectl("delete", "pod", leaving.getMetadata().getName(), "--grace-period=0", "--force");

    awaitBound("research", 3);
    awaitStatus("research", "3", 4);
    cluster().assertNothingIsDoubleBooked();
  }

  @Test
  void whenCardsBecomeFreeTheGuaranteedQueueComesFirstThoughItsPodsAreYounger() throws Exception {
    lab().apply(queue("research", "{}") + queue("serving", "{guarantee: 6}"));
    QUEUES.awaitReason("serving", "InForce");
    lab().apply(HamiVendor.HYGON.pods("before", CARDS, 32_768));
    awaitBound("before", CARDS);
    lab().apply(pods("research", 8));
    lab().apply(pods("serving", 6));
    awaitStatus("research", "0", 8);
    awaitStatus("serving", "0", 6);

    QUEUES.end("hygon-before");

    awaitBound("serving", 6);
    awaitBound("research", 2);
    awaitStatus("research", "2", 6);
    cluster().assertNothingIsDoubleBooked();
  }

  @Test
  void aQueueHasTheCardsOfItsModelsAndNoOtherHasAny() throws Exception {
    var node = HamiVendor.HYGON.node(1, true);
    lab().apply(node.replace("DCU-Z100", "DCU-K100"));
    try {
      lab().apply(queue("serving", "{models: [k100], guarantee: 4}") + queue("research", "{}"));
      QUEUES.awaitReason("serving", "InForce");
      lab().apply(pods("research", 6));
      awaitBound("research", 4);
      awaitStatus("research", "4", 2);

      lab().apply(pods("serving", 5));

      awaitBound("serving", 4);
      awaitStatus("serving", "4", 1);
      assertThat(QUEUES.status("serving").get("owed").asText()).isEqualTo("4");
      assertThat(QUEUES.status("research").get("owed").asText()).isEqualTo("4");
      assertThat(cluster().podsNamed("hygon-serving"))
          .extracting(pod -> pod.getSpec().getNodeName())
          .containsOnly(HamiVendor.HYGON.node(1), null);
      var waiting =
          cluster().podsNamed("hygon-research").stream()
              .filter(pod -> pod.getSpec().getNodeName() == null)
              .findFirst()
              .orElseThrow();
      assertThat(cluster().events(waiting.getMetadata().getName(), "FailedScheduling"))
          .anySatisfy(message -> assertThat(message).contains("has cards of other queues only"));
      cluster().assertNothingIsDoubleBooked();
    } finally {
      QUEUES.end("hygon-serving");
      lab().apply(node);
    }
  }

  @Test
  void whatWouldBecomeOfPodsIsSaidBeforehandAndFromASavedClusterAlike() throws Exception {
    lab().apply(queue("research", "{limit: 3}"));
    QUEUES.awaitReason("research", "InForce");
    lab().apply(HamiVendor.HYGON.pods("before", CARDS - 4, 32_768));
    awaitBound("before", CARDS - 4);
    var manifest = Files.writeString(folder.resolve("new.yaml"), pods("research", 4)).toString();
    var saved = folder.resolve("cluster.json").toString();
    var program = new TestingSurroundings();

    int exit =
        program.run(
            "place",
            "--cluster",
            "--kubeconfig=" + lab().describe().kubeconfig(),
            "--manifest=" + manifest,
            "--save=" + saved);

    assertThat(exit).as(program.err()).isZero();
    assertThat(program.out())
        .startsWith("3 of 4 pods would be bound, 1 would wait.")
        .contains("waits: queue research has 3 of at most 3 cards, and the pod asks for 1");
    var later = new TestingSurroundings();
    assertThat(later.run("place", "--snapshot=" + saved, "--manifest=" + manifest)).isZero();
    assertThat(later.out()).isEqualTo(program.out());

    lab().apply(pods("research", 4));
    awaitBound("research", 3);
    awaitStatus("research", "3", 1);
  }

  @Test
  @Tag("long")
  void aMalformedQueueSaysSoAndItsLastSpecStaysInForce() throws Exception {
    lab().apply(queue("research", "{limit: 1}"));
    QUEUES.awaitReason("research", "InForce");
    lab().apply(queue("research", "{limit: 8, parent: later}"));
    QUEUES.awaitReason("research", "UnknownParent");
    lab().apply(pods("research", 2));
    awaitBound("research", 1);
    awaitStatus("research", "1", 1);

    lab().apply(queue("later", "{}"));

    QUEUES.awaitReason("research", "InForce");
    awaitBound("research", 2);
    assertThat(cluster().extender().get("/metrics"))
        .contains("prescale_gpuqueue_used_cards{gpuqueue=\"later\",} 2.0");
    assertThat(cluster().extender().get("/cards"))
        .as("what the page shows")
        .contains("{\"name\":\"research\",\"parent\":\"later\",")
        .contains("\"limitMilli\":8000,\"usedMilli\":2000,");
  }

  /** The label of the namespace counts, and the policy of the page forbids another one. */
  @Test
  @Tag("long")
  void aNamespaceIsKeptToItsOwnQueue() throws Exception {
    var page = Files.readString(Checkout.root().resolve("docs/queues.md"));
    var policy = page.substring(page.indexOf("apiVersion: admissionregistration"));
    lab().apply(queue("research", "{limit: 1}") + queue("serving", "{}"));
    lab().kubectl("label", "namespace", "default", "gpu.prescale.io/queue=research");
    lab().apply(policy.substring(0, policy.indexOf("```")));
    try {
      var foreign = Files.writeString(Files.createTempFile("pod", ".yaml"), pods("serving", 1));
      patiently()
          .untilAsserted(
              () ->
                  assertThatThrownBy(
                          () ->
                              lab().kubectl("create", "--dry-run=server", "-f", foreign.toString()))
                      .hasMessageContaining("pods are of the queue of their namespace"));

      lab().apply(HamiVendor.HYGON.pods("unlabelled", 1, 32_768));
      awaitStatus("research", "1", 0);
      awaitBound("unlabelled", 1);

      lab().apply(pods("research", 1));

      awaitStatus("research", "1", 1);
      patiently().untilAsserted(() -> assertThat(cluster().bound()).isEqualTo(1));
    } finally {
      lab().kubectl("delete", "validatingadmissionpolicybinding/own-queue");
      lab().kubectl("delete", "validatingadmissionpolicy/own-queue");
      lab().kubectl("label", "namespace", "default", "gpu.prescale.io/queue-");
    }
  }

  @Test
  void theApiServerRefusesWhatMakesNoSense() {
    assertRefused("{guarantee: 8, limit: 4}", "limit is below guarantee");
    assertRefused("{kind: Build}", "a Build queue has no guarantee");
    assertRefused("{kind: Build, guarantee: 2, weight: 2}", "exactly its guarantee");
    assertRefused("{guarantee: -1}", "not an amount of cards");
    assertRefused("{limit: 1000001}", "not an amount of cards");
    assertRefused("{guarantee: '1e999999999'}", "spec.guarantee");
    assertRefused("{parent: bad}", "the queue is its own parent");
    assertRefused("{parent: A_B}", "not a valid name");
    assertRefused("{weight: 1001}", "spec.weight");
    assertRefused("{models: ['']}", "spec.models[0]");
    assertRefused("{models: [H100], parent: other}", "remove models");
  }

  private static void assertRefused(String spec, String message) {
    assertThatThrownBy(() -> lab().apply(queue("bad", spec))).hasMessageContaining(message);
  }

  private static void awaitBound(String name, int pods) {
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .alias(name)
        .untilAsserted(() -> assertThat(cluster().bound("hygon-" + name)).isEqualTo(pods));
  }

  private static void awaitStatus(String queue, String used, int waiting) {
    patiently()
        .alias(queue)
        .untilAsserted(
            () -> {
              assertThat(QUEUES.status(queue).path("used").asText()).isEqualTo(used);
              assertThat(QUEUES.status(queue).path("waiting").asInt()).isEqualTo(waiting);
            });
  }

  private static Lab lab() {
    return QUEUES.lab();
  }

  private static ExtenderCluster cluster() {
    return QUEUES.cluster();
  }
}
