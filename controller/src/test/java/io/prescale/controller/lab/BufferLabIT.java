package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.JSON;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * On a real control plane with four cards, a forecast of six replicas becomes a booking, what the
 * scheduler's extender misses for it a CapacityBuffer by Karpenter's definition, and a node that
 * comes is learned from. The autoscaler is played by the test.
 */
class BufferLabIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration HISTORY = Duration.ofDays(5);
  private static final Duration UNTIL_TRUSTED = Duration.ofMinutes(8);
  private static final String BUFFER = "capacitybuffers.autoscaling.x-k8s.io";

  private static final LabPrometheus PROMETHEUS = prometheus();

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER =
      new ExtenderOnCluster(1, "--prometheus-config=" + PROMETHEUS.config());

  @TempDir private static Path folder;

  /** In 40 minutes, and so it was on each day before: the extender looks an hour ahead. */
  private final Instant morning =
      CLOCK.instant().truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(40));

  private static LabPrometheus prometheus() {
    try {
      return LabPrometheus.in(Files.createTempDirectory(Replica.logs(), "buffer-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeAll
  static void fourCardsAndTheDefinition() throws IOException, InterruptedException {
    for (var vendor : HamiVendor.values()) {
      if (vendor != HamiVendor.HYGON) {
        lab().kubectl("delete", "node", vendor.node(0));
      }
    }
    var definition = Lab.platforms().resolve("karpenter-autoscaling.x-k8s.io_capacitybuffers.yaml");
    lab().kubectl("apply", "--server-side", "-f", definition.toString());
  }

  @Test
  void nodesAreAskedForWhereABookingLacksCardsAndNoLonger() throws Exception {
    var load = new OfficeDays(morning);
    try (var exporter = LoadExporter.start(load, CLOCK);
        var client = LabObjects.client(lab())) {
      PROMETHEUS.fill(lab(), exporter, load, CLOCK.instant().minus(HISTORY), CLOCK.instant());
      var prescale = PrescaleInLab.install(lab(), folder);
      EXTENDER.startAgain("BufferLabIT-extender"); // with the definition of GpuBookings
      lab()
          .apply(
              new Helm("helm4", lab(), folder)
                  .template(
                      "--set=bookings.enabled=true,bookings.buffers.enabled=true",
                      "--show-only=templates/bookings-rbac.yaml"));
      lab().apply(service());
      patiently().untilAsserted(() -> assertThat(cluster().bound("chat")).isEqualTo(2));
      lab()
          .apply(
              LabObjects.predictiveHpa(
                  "chat",
                  10,
                  "step: 60s, history: 72h",
                  "  leadTime: 2m\n  booking: {mode: Book}"));
      try (var _ =
          prescale.start(
              "BufferLabIT",
              "--bookings",
              "--bookings-every=2s",
              "--buffers",
              "--plan-node-lead=1h")) {
        assertAskedFor(client);
        System.out.println(prescale.run("explain", "default/chat"));
        assertLearnedFromTheNodeThatCame(client);
        assertGoneOnceThePodsAreThere(client);
        assertWithdrawnWithTheForecast(client);
        assertThatAnothersIsLeftAlone(client);
      }
      assertThatOthersBuffersAreForbidden();
    }
  }

  /** Two run, two more fit, and for two of six cards are missing. */
  private static void assertAskedFor(KubernetesClient client) throws Exception {
    awaitBuffer(client, 4);
    var buffer = buffer();
    System.out.println("Buffer: " + buffer);
    assertThat(buffer.at("/spec/replicas").asInt()).isEqualTo(4);
    assertThat(buffer.at("/spec/scalableRef/name").asText()).isEqualTo("chat");
    assertThat(buffer.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("GpuBooking");
    assertThat(status(client).orElseThrow().message())
        .contains("A CapacityBuffer asks for nodes for 4 replicas.");
  }

  /** Without its buffer an autoscaler would remove the node, which is empty still. */
  private static void assertLearnedFromTheNodeThatCame(KubernetesClient client) throws Exception {
    var file = Files.writeString(folder.resolve("node.yaml"), HamiVendor.HYGON.node(1, true));
    lab().kubectl("create", "--validate=false", "-f", file.toString());
    patiently()
        .untilAsserted(() -> assertThat(status(client).orElseThrow().nodeLeadSeconds()).hasSize(1));
    var learned = status(client).orElseThrow();
    System.out.println("Node lead: " + learned.nodeLeadSeconds());
    assertThat(learned.buffer()).isEqualTo(4);
    assertThat(buffer().at("/metadata/annotations").isMissingNode()).isTrue();
  }

  private static void assertGoneOnceThePodsAreThere(KubernetesClient client) throws Exception {
    lab().apply(HamiVendor.HYGON.pods("one", 1, 32_768, ", labels: {app: chat}"));
    awaitBuffer(client, 3);
    lab().apply(HamiVendor.HYGON.pods("three", 3, 32_768, ", labels: {app: chat}"));
    awaitNoBuffer(client);
    assertThat(cluster().bound("hygon")).isEqualTo(4);
  }

  private static void assertWithdrawnWithTheForecast(KubernetesClient client) throws Exception {
    for (var pod : cluster().podsNamed("hygon")) {
      lab().kubectl("delete", "pod", pod.getMetadata().getName(), "--grace-period=0", "--force");
    }
    var empty =
        cluster().podsNamed("chat").stream()
            .noneMatch(pod -> HamiVendor.HYGON.node(1).equals(pod.getSpec().getNodeName()));
    assertThat(empty).as("the service runs on the first node").isTrue();
    lab().kubectl("delete", "node", HamiVendor.HYGON.node(1));
    awaitBuffer(client, 4);

    mode("Shadow");

    awaitNoBuffer(client);
  }

  private static void assertThatAnothersIsLeftAlone(KubernetesClient client) throws Exception {
    lab().apply(anothers("chat"));
    mode("Active");
    patiently()
        .atMost(UNTIL_TRUSTED)
        .untilAsserted(
            () ->
                assertThat(status(client).orElseThrow().message())
                    .contains("A CapacityBuffer of this name exists"));
    lab().kubectl("delete", "predictivehpa", "chat");
    patiently()
        .untilAsserted(
            () -> assertThat(lab().kubectl("get", "gpubookings", "-o", "name")).isEmpty());
    assertThat(buffer().at("/spec/replicas").asInt()).isEqualTo(7);
  }

  private static void assertThatOthersBuffersAreForbidden() {
    assertThatThrownBy(
            () ->
                lab()
                    .kubectl(
                        "delete", BUFFER, "chat", "--as=system:serviceaccount:prescale:prescale"))
        .hasMessageContaining("Prescale changes no CapacityBuffer but those of its GpuBookings");
  }

  private static void mode(String mode) throws Exception {
    lab()
        .kubectl(
            "patch",
            "predictivehpa",
            "chat",
            "--type=merge",
            "--patch={\"spec\": {\"mode\": \"%s\"}}".formatted(mode));
  }

  private static void awaitBuffer(KubernetesClient client, int replicas) {
    patiently()
        .alias("a buffer for " + replicas)
        .atMost(UNTIL_TRUSTED)
        .untilAsserted(
            () -> assertThat(status(client).map(BookingStatus::buffer)).contains(replicas));
  }

  private static void awaitNoBuffer(KubernetesClient client) {
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(lab().kubectl("get", BUFFER, "-o", "name")).isEmpty());
    patiently().untilAsserted(() -> assertThat(status(client).orElseThrow().buffer()).isNull());
  }

  private static JsonNode buffer() throws Exception {
    return JSON.readTree(lab().kubectl("get", BUFFER, "chat", "-o", "json"));
  }

  private static Optional<BookingStatus> status(KubernetesClient client) {
    return LabObjects.predictiveHpa(client, "chat")
        .map(PredictiveHPA::getStatus)
        .map(PredictiveHPAStatus::booking);
  }

  private static String service() {
    return """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: chat, namespace: default}
    spec:
      replicas: 2
      selector: {matchLabels: {app: chat}}
      template:
        metadata: {labels: {app: chat}}
        spec:
          containers:
          - {name: main, image: model, resources: {limits: {%s: "1", %s: "32768"}}}
    """
        .formatted(HamiVendor.HYGON.count, HamiVendor.HYGON.memory);
  }

  private static String anothers(String name) {
    return """
    apiVersion: autoscaling.x-k8s.io/v1beta1
    kind: CapacityBuffer
    metadata: {name: %1$s, namespace: default}
    spec:
      replicas: 7
      scalableRef: {apiGroup: apps, kind: Deployment, name: %1$s}
    """
        .formatted(name);
  }

  private static Lab lab() {
    return cluster().lab();
  }

  private static ExtenderCluster cluster() {
    return EXTENDER.cluster();
  }
}
