package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.BookingReason;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * On a real control plane, the leader writes what a forecast needs to a GpuBooking, with the
 * permissions of the chart: a service with a morning in its history and ahead of it.
 */
class BookingsAheadLabIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration HISTORY = Duration.ofDays(5);
  private static final Duration UNTIL_TRUSTED = Duration.ofMinutes(8);

  @TempDir private Path folder;

  /** Two to three hours ahead, and so it was on each day before. */
  private final Instant morning =
      CLOCK.instant().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(3));

  @Test
  void whatTheForecastNeedsIsBookedAndLetGoWithIt() throws Exception {
    var load = new OfficeDays(morning);
    var prometheus = LabPrometheus.in(folder);
    try (var lab = Lab.start("--nodes=2", "--prometheus-config=" + prometheus.config());
        var exporter = LoadExporter.start(load, CLOCK);
        var client = LabObjects.client(lab)) {
      prometheus.fill(lab, exporter, load, CLOCK.instant().minus(HISTORY), CLOCK.instant());
      var prescale = PrescaleInLab.install(lab, folder);
      lab.apply(
          new Helm("helm4", lab, folder)
              .template("--set=bookings.enabled=true", "--show-only=templates/bookings-rbac.yaml"));
      asIfItHadAskedForNodes(lab);
      lab.apply(service());
      applyOtherKinds(lab);
      lab.apply(
          LabObjects.predictiveHpa(
              "chat", 10, "step: 60s, history: 72h", "  leadTime: 2m\n  booking: {mode: Book}"));
      try (var _ = prescale.start("BookingsAheadLabIT", "--bookings", "--bookings-every=2s")) {
        assertBooked(client);
        assertOtherKindsAreBooked(client);
        assertThat(lab.kubectl("get", BookedMorning.BUFFER, "-o", "name"))
            .as("buffers are switched off")
            .isEmpty();
        System.out.println(prescale.run("explain", "default/chat"));
        assertLetGoInShadowMode(lab, client);
        assertDeletedWhenSwitchedOff(lab, client);
        assertThatAnothersIsLeftAlone(lab, client);
        lab.kubectl("delete", "predictivehpa", "chat");
        patiently().untilAsserted(() -> assertThat(booking(client)).isEmpty());
      }
    }
  }

  /** A booking with a buffer that a controller left which has asked for nodes. */
  private static void asIfItHadAskedForNodes(Lab lab) throws Exception {
    var definition = Lab.platforms().resolve("karpenter-autoscaling.x-k8s.io_capacitybuffers.yaml");
    lab.kubectl("apply", "--server-side", "-f", definition.toString());
    lab.awaitDefinitions();
    lab.apply(anothers().replace("name: chat", "name: left"));
    var uid = lab.kubectl("get", "gpubooking", "left", "-o", "jsonpath={.metadata.uid}");
    lab.apply(
        """
        apiVersion: autoscaling.x-k8s.io/v1beta1
        kind: CapacityBuffer
        metadata:
          name: left
          namespace: default
          labels: {app.kubernetes.io/managed-by: prescale}
          ownerReferences:
          - {apiVersion: placement.prescale.io/v1alpha1, kind: GpuBooking, name: left, uid: %s}
        spec: {replicas: 3, podTemplateRef: {name: prescale-%s}}
        """
            .formatted(uid, uid));
  }

  private void assertBooked(KubernetesClient client) {
    awaitReason(client, BookingReason.Booked, UNTIL_TRUSTED);
    var booking = booking(client).orElseThrow();
    System.out.println("Booked: " + booking.getSpec());
    assertThat(booking.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(it -> assertThat(it.getName()).isEqualTo("chat"));
    var spec = booking.getSpec();
    assertThat(spec.selector()).containsExactlyEntriesOf(Map.of("app", "chat"));
    assertThat(spec.needs())
        .filteredOn(it -> it.replicas() >= 6) // or 7, as the noise of the hour's load is
        .first()
        .satisfies(
            it -> {
              assertThat(it.percent()).isGreaterThan(50);
              assertThat(it.from())
                  .isBetween(morning.minus(Duration.ofMinutes(17)), morning.plusSeconds(900));
              assertThat(it.until())
                  .isBetween(
                      morning.plus(Duration.ofMinutes(105)), morning.plus(Duration.ofMinutes(135)));
            });
  }

  /** The second version of the spec: rounds without news wrote nothing. */
  private static void assertLetGoInShadowMode(Lab lab, KubernetesClient client) throws Exception {
    patch(lab, "{\"spec\": {\"mode\": \"Shadow\"}}");
    awaitReason(client, BookingReason.ShadowMode, UNTIL_TRUSTED);
    var booking = booking(client).orElseThrow();
    assertThat(booking.getSpec().needs()).isEmpty();
    assertThat(booking.getMetadata().getGeneration()).isEqualTo(2);
    patch(lab, "{\"spec\": {\"mode\": \"Active\"}}");
    awaitReason(client, BookingReason.Booked, UNTIL_TRUSTED);
    assertThat(booking(client).orElseThrow().getSpec().needs()).isNotEmpty();
  }

  private static void assertDeletedWhenSwitchedOff(Lab lab, KubernetesClient client)
      throws Exception {
    patch(lab, "{\"spec\": {\"booking\": {\"mode\": \"Off\"}}}");
    patiently().untilAsserted(() -> assertThat(booking(client)).isEmpty());
    patiently().untilAsserted(() -> assertThat(status(client)).isEmpty());
  }

  private static void assertThatAnothersIsLeftAlone(Lab lab, KubernetesClient client)
      throws Exception {
    lab.apply(anothers());
    patch(lab, "{\"spec\": {\"booking\": {\"mode\": \"Book\"}}}");
    awaitReason(client, BookingReason.Refused, UNTIL_TRUSTED);
    assertThat(booking(client).orElseThrow().getSpec().needs()).hasSize(1);
    lab.kubectl("delete", "gpubooking", "chat");
    awaitReason(client, BookingReason.Booked, UNTIL_TRUSTED);
  }

  private static void patch(Lab lab, String change) throws Exception {
    lab.kubectl("patch", "predictivehpa", "chat", "--type=merge", "--patch=" + change);
  }

  private static void awaitReason(KubernetesClient client, BookingReason reason, Duration most) {
    patiently()
        .atMost(most)
        .untilAsserted(
            () -> assertThat(status(client).map(BookingStatus::reason)).contains(reason));
  }

  private static Optional<BookingStatus> status(KubernetesClient client) {
    return LabObjects.predictiveHpa(client, "chat")
        .map(PredictiveHPA::getStatus)
        .map(PredictiveHPAStatus::booking);
  }

  private static Optional<GpuBooking> booking(KubernetesClient client) {
    return booking(client, "chat");
  }

  private static Optional<GpuBooking> booking(KubernetesClient client, String name) {
    return Optional.ofNullable(
        client.resources(GpuBooking.class).inNamespace("default").withName(name).get());
  }

  private static void applyOtherKinds(Lab lab) throws Exception {
    TargetKind.define(lab);
    for (var kind : TargetKind.values()) {
      kind.create(lab, kind.example(), "", "nvidia.com/gpu: \"1\"");
      var booking = "  leadTime: 2m\n  booking: {mode: Book}";
      lab.apply(
          kind.scaledBy(
              LabObjects.predictiveHpa(kind.example(), 10, "step: 60s, history: 72h", booking)));
    }
  }

  /** Of a LeaderWorkerSet, for whole groups. */
  private static void assertOtherKindsAreBooked(KubernetesClient client) {
    for (var kind : TargetKind.values()) {
      patiently()
          .alias(kind.example())
          .atMost(UNTIL_TRUSTED)
          .untilAsserted(
              () ->
                  assertThat(booking(client, kind.example()).map(GpuBooking::getSpec))
                      .hasValueSatisfying(
                          spec -> {
                            assertThat(spec.needs()).isNotEmpty();
                            assertThat(Objects.requireNonNullElse(spec.size(), 1))
                                .isEqualTo(kind.size);
                            assertThat(spec.selector()).containsValue(kind.example());
                          }));
    }
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
          - name: main
            image: model
            env: [{name: TOKEN, value: secret}]
            resources: {limits: {nvidia.com/gpu: "1"}}
    """;
  }

  private static String anothers() {
    return """
    apiVersion: placement.prescale.io/v1alpha1
    kind: GpuBooking
    metadata: {name: chat, namespace: default}
    spec:
      selector: {app: chat}
      template:
        spec: {containers: [{name: main, image: model, resources: {limits: {nvidia.com/gpu: "1"}}}]}
      needs: [{from: "2026-11-24T09:00:00Z", until: "2099-11-24T11:00:00Z", replicas: 1, percent: 100}]
      shortagePrice: 20
    """;
  }
}
