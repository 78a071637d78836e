package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.JSON;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cards are there before the replicas: GpuBookings on a real control plane, with eight cards. */
class BookingLabIT {
  private static final String LLM = ", labels: {gpu.prescale.io/queue: serving, app: llm}";
  private static final String TRAINING = ", labels: {gpu.prescale.io/queue: training}";

  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final QueuesOnEightCards QUEUES = new QueuesOnEightCards(EXTENDER);
  private static final LentCards LENT = new LentCards(QUEUES);

  @BeforeAll
  static void onlyEightCards() throws IOException, InterruptedException {
    var file = "charts/prescale/crds/gpubookings.placement.prescale.io.yaml";
    lab().apply(Files.readString(Checkout.root().resolve(file)));
    QUEUES.prepare();
  }

  @AfterEach
  void removeAll() throws Exception {
    lab().kubectl("delete", "gpubookings", "--all");
    lab().kubectl("delete", "jobs", "--all", "--cascade=foreground");
    lab().kubectl("delete", "gpuqueues", "--all");
  }

  @Test
  void borrowedCardsAreFreeWhenTheReplicasComeAndGoBackAfterwards() throws Exception {
    trainingHasAllCards("20s");
    var from = Instant.now().plusSeconds(40);
    lab().apply(booking(4, from, from.plus(Duration.ofMinutes(10))));

    LENT.awaitNotices(4);
    assertThat(LENT.suspended()).isEmpty();
    assertThat(LENT.bound("train-")).isEqualTo(8);
    awaitStatus(4, "booked");
    assertThat(Instant.now()).isAfterOrEqualTo(from);
    assertThat(LENT.suspended()).hasSize(2);
    assertThat(LENT.bound("train-")).isEqualTo(4);

    lab().apply(HamiVendor.HYGON.pods("greedy", 1, 32_768, TRAINING));
    patiently()
        .untilAsserted(
            () ->
                assertThat(QUEUES.cluster().events("hygon-greedy-0", "FailedScheduling"))
                    .anySatisfy(it -> assertThat(it).contains("keeps cards for other pods")));

    lab().apply(HamiVendor.HYGON.pods("llm", 4, 32_768, LLM));
    LENT.awaitBound("hygon-llm", 4);
    for (int pod = 0; pod < 4; pod++) {
      assertThat(QUEUES.cluster().events("hygon-llm-" + pod, "FailedScheduling"))
          .as("bound at the first attempt")
          .isEmpty();
    }
    awaitStatus(0, "expected");
    assertThat(LENT.bound("hygon-greedy")).isZero();
    QUEUES.cluster().assertNothingIsDoubleBooked();

    lab().kubectl("delete", "gpubooking", "llm");
    QUEUES.end("hygon-llm");
    QUEUES.end("hygon-greedy");
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(LENT.suspended()).isEmpty());
    LENT.awaitBound("train-", 8);
  }

  @Test
  @Tag("long")
  void aBookingThatIsWithdrawnInTheNoticeCostsNothing() throws Exception {
    trainingHasAllCards("1h");
    var from = Instant.now().plus(Duration.ofMinutes(30));
    lab().apply(booking(4, from, from.plus(Duration.ofHours(1))));
    LENT.awaitNotices(4);
    var notified = LENT.noticed().getFirst().getMetadata().getName();
    patiently()
        .untilAsserted(
            () ->
                assertThat(QUEUES.cluster().events(notified, "ReclaimNotice"))
                    .anySatisfy(
                        message -> assertThat(message).contains("for booking default/llm")));

    lab().apply(booking(2, from, from.plus(Duration.ofHours(1))));
    LENT.awaitNotices(2);
    lab().kubectl("delete", "gpubooking", "llm");

    LENT.awaitNotices(0);
    assertThat(LENT.suspended()).isEmpty();
    assertThat(LENT.bound("train-")).isEqualTo(8);
  }

  @Test
  @Tag("long")
  void anExtenderThatIsKilledInTheNoticeTakesNothingTwice() throws Exception {
    trainingHasAllCards("30s");
    var from = Instant.now().plusSeconds(30);
    lab().apply(booking(2, from, from.plus(Duration.ofMinutes(10))));
    LENT.awaitNotices(2);
    var notified = LENT.noticed().stream().map(pod -> pod.getMetadata().getUid()).toList();

    EXTENDER.startAgain("BookingLabIT-restarted");

    assertThat(LENT.noticed().stream().map(pod -> pod.getMetadata().getUid()))
        .hasSameElementsAs(notified);
    awaitStatus(2, "booked");
    assertThat(LENT.suspended()).hasSize(1);
    assertThat(LENT.bound("train-")).isEqualTo(6);
    QUEUES.cluster().assertNothingIsDoubleBooked();
  }

  @Test
  void withoutQueuesFreeCardsAreKeptAndWhatMakesNoSenseIsRefused() throws Exception {
    var now = Instant.now();
    lab().apply(booking(3, now.minusSeconds(5), now.plus(Duration.ofHours(1))));
    awaitStatus(3, "booked");
    lab().apply(HamiVendor.HYGON.pods("other", 8, 32_768));
    LENT.awaitBound("hygon-other", 5);

    lab().apply(HamiVendor.HYGON.pods("first", 3, 32_768, LLM));

    LENT.awaitBound("hygon-first", 3);
    assertThat(LENT.bound("hygon-other")).isEqualTo(5);
    assertThat(lab().kubectl("get", "gpubookings"))
        .containsPattern("NAME +EXPECTED +BOOKED +ASKED +MISSING +READY +AGE");
    assertThatThrownBy(() -> lab().apply(booking(3, now, now.minusSeconds(9))))
        .hasMessageContaining("until is not after from; write a later time");
    assertThatThrownBy(
            () -> lab().apply(booking(3, now, now.plusSeconds(9)).replace("app: llm}", "}")))
        .hasMessageContaining("selector is empty");
  }

  /** Of eight cards training has all, and two gangs of two are expected. */
  @Test
  @Tag("long")
  void gangsHaveTheCardsOfAllTheirPodsAndThoseThatLeaveForThemLeaveTogether() throws Exception {
    trainingHasAllCards("20s");
    var from = Instant.now().plusSeconds(30);
    lab()
        .apply(
            booking(2, from, from.plus(Duration.ofMinutes(10)))
                .replace("  template:", "  size: 2\n  template:"));
    LENT.awaitNotices(4);
    awaitStatus(2, "booked");
    assertThat(LENT.suspended()).hasSize(2);

    lab().apply(gang("first") + gang("second"));

    LENT.awaitBound("hygon-first", 2);
    LENT.awaitBound("hygon-second", 2);
    awaitStatus(0, "expected");
    assertThat(LENT.bound("train-")).isEqualTo(4);
    QUEUES.cluster().assertNothingIsDoubleBooked();
  }

  private static String gang(String name) {
    return HamiVendor.HYGON.pods(
        name,
        2,
        32_768,
        LLM
            + ", annotations: {gpu.prescale.io/group: %s, gpu.prescale.io/group-size: \"2\"}"
                .formatted(name));
  }

  private static void trainingHasAllCards(String grace) throws Exception {
    lab().apply(queue("serving", "{guarantee: 4}") + LentCards.lender(grace));
    QUEUES.awaitReason("training", "InForce");
    lab().apply(LentCards.jobs(4, 2));
    LENT.awaitBound("train-", 8);
  }

  static String booking(int replicas, Instant from, Instant until) {
    return """
    apiVersion: placement.prescale.io/v1alpha1
    kind: GpuBooking
    metadata: {name: llm, namespace: default}
    spec:
      selector: {app: llm}
      template:
        metadata: {labels: {gpu.prescale.io/queue: serving, app: llm}}
        spec:
          containers:
          - {name: main, image: model, resources: {limits: {%s: "1", %s: "32768"}}}
      needs: [{from: "%s", until: "%s", replicas: %d, percent: 95}]
      shortagePrice: 20
    """
        .formatted(
            HamiVendor.HYGON.count,
            HamiVendor.HYGON.memory,
            from.truncatedTo(ChronoUnit.SECONDS),
            until.truncatedTo(ChronoUnit.SECONDS),
            replicas);
  }

  private static void awaitStatus(int replicas, String field) {
    awaitStatus(QUEUES, replicas, field);
  }

  static void awaitStatus(QueuesOnEightCards queues, int replicas, String field) {
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .alias(field)
        .untilAsserted(
            () -> {
              var booking = queues.lab().kubectl("get", "gpubooking", "llm", "-o", "json");
              assertThat(JSON.readTree(booking).path("status").path(field).asInt(-1))
                  .isEqualTo(replicas);
            });
  }

  private static Lab lab() {
    return QUEUES.lab();
  }
}
