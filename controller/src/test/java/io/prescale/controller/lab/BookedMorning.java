package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.JSON;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.BookingRoom;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A service that runs two replicas on a node of four cards, and needs about six in the morning that
 * is ahead, perhaps eight: it is booked from its forecast, the scheduler's extender misses cards
 * for some of them, and an autoscaler is asked for nodes.
 *
 * @param workload that is scaled
 */
record BookedMorning(
    ExtenderOnCluster extender, LabPrometheus prometheus, Path folder, BookedWorkload workload) {
  static final String BUFFER = "capacitybuffers.autoscaling.x-k8s.io";
  static final Duration UNTIL_TRUSTED = Duration.ofMinutes(8);

  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration HISTORY = Duration.ofDays(5);
  private static final List<String> ASKING_EARLY =
      List.of(
          "--bookings",
          "--bookings-every=2s",
          "--buffers",
          "--buffers-cards=16",
          "--plan-node-lead=1h");

  /** Has pods ask for nodes where nothing else can. */
  static final String BALLOONS = "--buffers-balloons=prescale";

  /** What is seen while it goes on. */
  interface Body {
    void run(KubernetesClient client, PrescaleInLab prescale) throws Exception;
  }

  static LabPrometheus prometheusIn(String name) {
    try {
      return LabPrometheus.in(Files.createTempDirectory(Replica.logs(), name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs the service and the leader, who asks for nodes as early as it can.
   *
   * @param more options of the leader
   */
  void run(String name, Body body, String... more) throws Exception {
    onlyFourCards();
    // In 40 minutes, and so it was on each day before: the extender looks an hour ahead.
    var morning = CLOCK.instant().truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(40));
    var load = new OfficeDays(morning);
    try (var exporter = LoadExporter.start(load, CLOCK);
        var client = LabObjects.client(lab())) {
      prometheus.fill(lab(), exporter, load, CLOCK.instant().minus(HISTORY), CLOCK.instant());
      var prescale = PrescaleInLab.install(lab(), folder);
      extender.startAgain(name + "-extender"); // with the definition of GpuBookings
      lab()
          .apply(
              new Helm("helm4", lab(), folder)
                  .template(
                      "--set=bookings.enabled=true,bookings.buffers.enabled=true,"
                          + "bookings.buffers.balloons=true",
                      "--show-only=templates/bookings-rbac.yaml"));
      workload.start(lab());
      patiently()
          .untilAsserted(
              () ->
                  assertThat(extender.cluster().bound(workload.firstPods()))
                      .isEqualTo(2L * workload.podsOfReplica()));
      lab()
          .apply(
              workload.scaledBy(
                  LabObjects.predictiveHpa(
                      "chat",
                      10,
                      "step: 60s, history: 72h",
                      "  leadTime: 2m\n  booking: {mode: Book}")));
      var options = new ArrayList<>(ASKING_EARLY);
      options.addAll(List.of(more));
      try (var _ = prescale.start(name, options.toArray(String[]::new))) {
        body.run(client, prescale);
      }
    }
  }

  private void onlyFourCards() throws IOException, InterruptedException {
    for (var vendor : HamiVendor.values()) {
      if (vendor != HamiVendor.HYGON) {
        lab().kubectl("delete", "node", vendor.node(0));
      }
    }
  }

  /** The replicas for which the scheduler says that they need room, and the leader asks for it. */
  int awaitBuffer(KubernetesClient client) {
    patiently()
        .alias("a buffer")
        .atMost(UNTIL_TRUSTED)
        .untilAsserted(
            () ->
                assertThat(status(client).map(BookingStatus::buffer))
                    .contains(room(client))
                    .hasValueSatisfying(it -> assertThat(it).isGreaterThan(2)));
    return room(client);
  }

  private static int room(KubernetesClient client) {
    return client
        .resources(GpuBooking.class)
        .inNamespace("default")
        .withName("chat")
        .get()
        .getStatus()
        .room()
        .stream()
        .mapToInt(BookingRoom::replicas)
        .sum();
  }

  void awaitBuffer(KubernetesClient client, int replicas) {
    patiently()
        .alias("a buffer for " + replicas)
        .atMost(UNTIL_TRUSTED)
        .untilAsserted(
            () -> assertThat(status(client).map(BookingStatus::buffer)).contains(replicas));
  }

  void awaitNoBuffer(KubernetesClient client) {
    awaitNone(client, BUFFER);
  }

  /**
   * Until nothing is asked for any more.
   *
   * @param kind of what has asked, and arguments that select it
   */
  void awaitNone(KubernetesClient client, String... kind) {
    var arguments = new ArrayList<>(List.of("get", "-o", "name"));
    arguments.addAll(List.of(kind));
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(lab().kubectl(arguments.toArray(String[]::new))).isEmpty());
    patiently().untilAsserted(() -> assertThat(status(client).orElseThrow().buffer()).isNull());
  }

  /** It is measured how long a node took. */
  void awaitLearned(KubernetesClient client) {
    patiently()
        .untilAsserted(() -> assertThat(status(client).orElseThrow().nodeLeadSeconds()).hasSize(1));
    System.out.println("Node lead: " + status(client).orElseThrow().nodeLeadSeconds() + " s");
  }

  JsonNode buffer() throws Exception {
    return JSON.readTree(lab().kubectl("get", BUFFER, "chat", "-o", "json"));
  }

  static Optional<BookingStatus> status(KubernetesClient client) {
    return LabObjects.predictiveHpa(client, "chat")
        .map(PredictiveHPA::getStatus)
        .map(PredictiveHPAStatus::booking);
  }

  void mode(String mode) throws Exception {
    lab()
        .kubectl(
            "patch",
            "predictivehpa",
            "chat",
            "--type=merge",
            "--patch={\"spec\": {\"mode\": \"%s\"}}".formatted(mode));
  }

  /** Pods of the service, as if the HPA had created them. */
  void replicasCome(String name, int number) throws Exception {
    lab().apply(workload.replicas(name, number));
  }

  void replicasGo() throws Exception {
    for (var pod : extender.cluster().podsNamed("hygon")) {
      lab().kubectl("delete", "pod", pod.getMetadata().getName(), "--grace-period=0", "--force");
    }
  }

  Lab lab() {
    return extender.cluster().lab();
  }
}
