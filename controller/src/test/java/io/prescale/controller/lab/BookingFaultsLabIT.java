package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.JSON;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.Checkout;
import io.prescale.controller.lab.Lab.Verb;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What carries a booking dies or goes away between the notice and the resumption. In the end all is
 * as without the fault, and each Job was suspended and resumed at most once.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BookingFaultsLabIT {
  private static final String LLM = ", labels: {gpu.prescale.io/queue: serving, app: llm}";
  private static final String STAYS = "lab.prescale.io/stays";

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
  void theExtenderIsKilledAfterTheSuspensionAndBeforeThePodsAreGone() throws Exception {
    trainingHasAllCards();
    lab().apply(booking(2, Instant.now().plusSeconds(30)));
    LENT.awaitNotices(2);
    var leaving = LENT.noticed().stream().map(pod -> pod.getMetadata().getName()).toList();
    for (var pod : leaving) {
      change(
          pod,
          "{\"op\": \"add\", \"path\": \"/metadata/finalizers/-\", \"value\": \"%s\"}"
              .formatted(STAYS));
    }
    awaitSuspended(1);
    EXTENDER.running().kill();
    patiently().until(() -> ending().size(), it -> it == 2);
    EXTENDER.startAgain("BookingFaultsLabIT-while-pods-end");
    awaitStatus(2, "asked");

    for (var pod : ending()) {
      int stays = pod.getMetadata().getFinalizers().indexOf(STAYS);
      change(
          pod.getMetadata().getName(),
          "{\"op\": \"remove\", \"path\": \"/metadata/finalizers/%d\"}".formatted(stays));
    }

    awaitStatus(2, "booked");
    assertThat(LENT.bound("train-")).isEqualTo(6);
    replicasComeAndGo(2);
    assertHappened("Suspended", 1);
    assertHappened("Resumed", 1);
  }

  @Test
  void theExtenderIsKilledBeforeTheResumption() throws Exception {
    trainingHasAllCards();
    lab().apply(booking(4, Instant.now().plusSeconds(20)));
    awaitStatus(4, "booked");
    assertThat(LENT.suspended()).hasSize(2);
    lab().apply(HamiVendor.HYGON.pods("llm", 4, 32_768, LLM));
    LENT.awaitBound("hygon-llm", 4);

    EXTENDER.running().kill();
    lab().kubectl("delete", "gpubooking", "llm");
    QUEUES.end("hygon-llm");
    assertThat(LENT.suspended()).as("by what is written").hasSize(2);
    EXTENDER.startAgain("BookingFaultsLabIT-before-resumption");

    awaitTraining(8);
    assertHappened("Suspended", 2);
    assertHappened("Resumed", 2);
  }

  /** From after the notice until after it has run out. */
  @Test
  void theApiServerIsAwayWhenTheReplicasAreNeeded() throws Exception {
    trainingHasAllCards();
    var from = Instant.now().plusSeconds(60);
    lab().apply(booking(4, from));
    LENT.awaitNotices(4);
    lab().command("kube-apiserver", Verb.STOP);
    try {
      Thread.sleep(Duration.between(Instant.now(), from.plusSeconds(10)));
    } finally {
      lab().command("kube-apiserver", Verb.START);
    }

    awaitStatus(4, "booked");
    assertThat(LENT.bound("train-")).isEqualTo(4);
    replicasComeAndGo(4);
    assertHappened("Suspended", 2);
    assertHappened("Resumed", 2);
  }

  /** The last one, since four of the cards are gone with it. */
  @Test
  @Order(Integer.MAX_VALUE)
  void theBookedNodeIsDeleted() throws Exception {
    trainingHasAllCards();
    lab().apply(booking(2, Instant.now().plusSeconds(30)));
    LENT.awaitNotices(2);
    var booked = LENT.noticed().getFirst().getSpec().getNodeName();
    assertThat(LENT.noticed()).allMatch(pod -> pod.getSpec().getNodeName().equals(booked));
    awaitStatus(2, "booked");

    lab().kubectl("delete", "node", booked);
    for (var pod : QUEUES.cluster().podsNamed("train")) {
      if (booked.equals(pod.getSpec().getNodeName())) {
        // As the garbage collector does after a while.
        var name = pod.getMetadata().getName();
        lab().kubectl("delete", "pod", name, "--grace-period=0", "--force");
      }
    }

    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(LENT.bound("train-")).isEqualTo(2));
    awaitStatus(2, "booked");
    lab().apply(HamiVendor.HYGON.pods("llm", 2, 32_768, LLM));
    LENT.awaitBound("hygon-llm", 2);
    QUEUES.cluster().assertNothingIsDoubleBooked();
    assertThat(LENT.suspended()).hasSize(2);
    // There is room for two Jobs: the suspended ones.
    lab().kubectl("delete", "jobs", "-l", "!gpu.prescale.io/suspended", "--cascade=foreground");
    lab().kubectl("delete", "gpubooking", "llm");
    QUEUES.end("hygon-llm");

    LENT.awaitBound("train-", 4);
    patiently().untilAsserted(() -> assertThat(LENT.suspended()).isEmpty());
    assertHappened("Suspended", 2);
    assertHappened("Resumed", 2);
  }

  private static void trainingHasAllCards() throws Exception {
    lab().apply(queue("serving", "{guarantee: 4}") + LentCards.lender("10s"));
    QUEUES.awaitReason("training", "InForce");
    lab().apply(LentCards.jobs(4, 2));
    LENT.awaitBound("train-", 8);
  }

  private static String booking(int replicas, Instant from) {
    return BookingLabIT.booking(replicas, from, from.plus(Duration.ofMinutes(20)));
  }

  /** As without a fault: they bind to what is booked, and afterwards training has all again. */
  private static void replicasComeAndGo(int replicas) throws Exception {
    lab().apply(HamiVendor.HYGON.pods("llm", replicas, 32_768, LLM));
    LENT.awaitBound("hygon-llm", replicas);
    QUEUES.cluster().assertNothingIsDoubleBooked();
    assertThat(LENT.bound("train-")).isEqualTo(8 - replicas);
    lab().kubectl("delete", "gpubooking", "llm");
    QUEUES.end("hygon-llm");
    awaitTraining(8);
  }

  private static void awaitTraining(int pods) {
    awaitSuspended(0);
    LENT.awaitBound("train-", pods);
    assertThat(LENT.noticed()).isEmpty();
    QUEUES.cluster().assertNothingIsDoubleBooked();
  }

  private static void awaitSuspended(int jobs) {
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(LENT.suspended()).hasSize(jobs));
  }

  private static void change(String pod, String patch) throws Exception {
    lab().kubectl("patch", "pod", pod, "--type=json", "-p=[" + patch + "]");
  }

  private static List<Pod> ending() {
    return QUEUES.cluster().podsNamed("train").stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
        .filter(pod -> pod.getMetadata().getFinalizers().contains(STAYS))
        .toList();
  }

  /** By the events of the Job controller, of which equal ones are counted. */
  private static void assertHappened(String what, int jobs) {
    patiently()
        .alias(what)
        .untilAsserted(() -> assertThat(counts(what).values()).hasSize(jobs).containsOnly(1));
  }

  private static Map<String, Integer> counts(String reason) throws Exception {
    var now = new HashMap<String, Integer>();
    var uids = json("jobs").findValuesAsText("uid");
    for (var event : json("events", "--field-selector=reason=" + reason)) {
      var job = event.at("/involvedObject/uid").asText();
      if (uids.contains(job)) {
        now.merge(job, event.path("count").asInt(1), Integer::sum);
      }
    }
    return now;
  }

  private static JsonNode json(String kind, String... options) throws Exception {
    var arguments = new ArrayList<>(List.of("get", kind, "-o=json"));
    arguments.addAll(List.of(options));
    return JSON.readTree(lab().kubectl(arguments.toArray(String[]::new))).path("items");
  }

  private static void awaitStatus(int replicas, String field) {
    BookingLabIT.awaitStatus(QUEUES, replicas, field);
  }

  private static Lab lab() {
    return QUEUES.lab();
  }
}
