package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.demand.prometheus.SelfSigned;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real KEDA whose triggers ask Prescale, on a real control plane. The first run builds KEDA from
 * its sources, which takes a quarter of an hour on two cores, so that this class runs only with
 * {@code -Plab-others}.
 */
class KedaLabIT {
  private static @Nullable Lab lab;
  private static @Nullable Gauges gauges;
  private static @Nullable PrescaleInLab prescale;
  private static @Nullable KedaInLab keda;
  private static @Nullable SelfSigned serving;
  private static @Nullable Replica replica;
  private static int port;
  private static @Nullable KedaObjects objects;

  @BeforeAll
  static void startAll(@TempDir Path folder) throws Exception {
    gauges = Gauges.start();
    lab = GaugedLab.lab(folder, gauges, "3s");
    serving = SelfSigned.create(folder, "prescale", "dns:localhost", "EC");
    prescale = PrescaleInLab.install(lab, folder);
    keda = KedaInLab.start(lab, folder);
    port = PrescaleInLab.freePort();
    objects = new KedaObjects(lab, serving, keda.certificate(), port);
    startPrescale();
  }

  private static void startPrescale() throws Exception {
    replica = keda().ask(Objects.requireNonNull(prescale), serving(), port);
  }

  @AfterAll
  static void stopAll() throws Exception {
    if (replica != null) {
      replica.close();
    }
    if (keda != null) {
      keda.close();
    }
    if (lab != null) {
      lab.close();
    }
    if (gauges != null) {
      gauges.close();
    }
  }

  @Test
  void aScaledObjectDrivesKedasHpa() throws Exception {
    gauges().set("load_driven", 20);
    objects().workload("driven");
    objects().scaledObject("driven", "type: external", "", "");

    patiently().until(() -> objects().replicas("driven"), replicas -> replicas == 5);
    patiently().until(() -> objects().scaling("driven").get("status").asText().equals("True"));
    assertThat(objects().scaling("driven").get("message").asText())
        .isEqualTo("KEDA's HorizontalPodAutoscaler keda-hpa-driven acts on the served values.");
    assertThat(lab().kubectl("get", "phpa", "--namespace=driven"))
        .containsPattern("driven +.*Active +KEDA");
    var hpa = objects().get("driven", "hpa", "keda-hpa-driven");
    assertThat(hpa.at("/spec/metrics/0/external/metric/name").asText()).isEqualTo("s0-requests");
    assertThat(hpa.at("/spec/metrics/0/external/target/averageValue").asText()).isEqualTo("4");
    patiently()
        .until(
            () ->
                objects()
                    .get("driven", "phpa", "driven")
                    .at("/status/lastDecision/hpa/gate")
                    .asText(),
            gate -> gate.equals("None"));

    gauges().set("load_driven", 60);
    patiently()
        .until(
            () -> objects().replicas("driven"), replicas -> replicas == 10); // of the ScaledObject
    patiently()
        .until(
            () -> objects().get("driven", "phpa", "driven").at("/status/desiredReplicas").asInt(),
            desired -> desired == 10);
    lab().kubectl("delete", "phpa", "driven", "--namespace=driven", "--timeout=5m");
    stays(() -> objects().replicas("driven"), 10);
    assertThat(objects().get("driven", "hpa", "keda-hpa-driven").at("/metadata/uid"))
        .isEqualTo(hpa.at("/metadata/uid"));
  }

  @Test
  void whileTheDemandIsUnknownKedasFallbackActs() throws Exception {
    gauges().set("load_unknown", 12);
    gauges().set("known_unknown", 1);
    objects().workload("unknown", "load_unknown and on() (known_unknown > 0)");
    objects()
        .scaledObject(
            "unknown",
            "type: external",
            "",
            "fallback: {failureThreshold: 2, replicas: 7, behavior: currentReplicasIfHigher}");
    patiently().until(() -> objects().replicas("unknown"), replicas -> replicas == 3);

    gauges().set("known_unknown", 0);
    patiently().until(() -> objects().replicas("unknown"), replicas -> replicas == 7);
    assertThat(
            objects()
                .get("unknown", "scaledobject", "unknown")
                .at("/status/health/s0-requests/status")
                .asText())
        .isEqualTo("Failing");
    gauges().set("known_unknown", 1);
    patiently()
        .until(
            () ->
                objects()
                    .get("unknown", "scaledobject", "unknown")
                    .at("/status/health/s0-requests/status")
                    .asText()
                    .equals("Happy"));
  }

  @Test
  void whilePrescaleIsGoneKedasFallbackActsWhereTheMetricWasPushed() throws Exception {
    for (var name : List.of("gone", "held")) {
      gauges().set("load_" + name, 12);
      objects().workload(name);
      objects().patch(name, "{\"spec\":{\"fallback\":{\"ttl\":\"1m\"}}}");
      objects().awaitDesired(name, 3); // a threshold of 0 forgives no call before there is a value
    }
    objects().scaledObject("gone", "type: external-push", "", KedaObjects.fallback(0));
    objects().scaledObject("held", "type: external", "", KedaObjects.fallback(2));
    for (var name : List.of("gone", "held")) {
      patiently().until(() -> objects().replicas(name), replicas -> replicas == 3);
    }

    Objects.requireNonNull(replica).kill();
    patiently().until(() -> objects().replicas("gone"), replicas -> replicas == 7);
    patiently()
        .until(
            () -> objects().hpaCondition("held", "keda-hpa-held", "ScalingActive"),
            reason -> reason.equals("FailedGetExternalMetric"));
    stays(() -> objects().replicas("held"), 3); // KEDA learns not even the metric's name
    assertThat(objects().replicas("gone")).isEqualTo(7);
    for (var name : List.of("gone", "held")) {
      gauges().set("load_" + name, 32);
    }
    startPrescale();
    for (var name : List.of("gone", "held")) {
      patiently().until(() -> objects().replicas(name), replicas -> replicas == 8);
    }
  }

  @Test
  void pausingTakesTheHpaAwayAndThatIsTold() throws Exception {
    gauges().set("load_paused", 12);
    objects().workload("paused");
    objects().scaledObject("paused", "type: external", "", "");
    patiently().until(() -> objects().replicas("paused"), replicas -> replicas == 3);

    objects().annotate("paused", "autoscaling.keda.sh/paused=true");
    patiently()
        .until(
            () -> objects().scaling("paused").get("reason").asText(),
            it -> it.equals("HpaNotReading"));
    assertThat(objects().scaling("paused").get("message").asText())
        .contains("or end its pause (autoscaling.keda.sh/paused)");
    gauges().set("load_paused", 24);
    stays(() -> objects().replicas("paused"), 3);

    objects().annotate("paused", "autoscaling.keda.sh/paused-");
    patiently().until(() -> objects().replicas("paused"), replicas -> replicas == 6);
    patiently().until(() -> objects().scaling("paused").get("status").asText().equals("True"));
  }

  @Test
  void aThresholdOfTheTriggerLetsKedaScaleToZeroAndWake() throws Exception {
    gauges().set("load_zero", 12);
    objects().workload("zero");
    objects()
        .scaledObject(
            "zero",
            "type: external-push",
            "activationThreshold: \"5\"",
            "minReplicaCount: 0\n  cooldownPeriod: 5");
    patiently().until(() -> objects().replicas("zero"), replicas -> replicas == 3);
    gauges().set("load_zero", 3);
    patiently().until(() -> objects().replicas("zero"), replicas -> replicas == 0);
    gauges().set("load_zero", 12);
    patiently().until(() -> objects().replicas("zero"), replicas -> replicas == 3);
  }

  @Test
  void withoutAThresholdNoDemandIsNotInactive() throws Exception {
    gauges().set("load_idle", 0);
    objects().workload("idle");
    objects().scaledObject("idle", "type: external", "", "minReplicaCount: 0\n  cooldownPeriod: 5");
    patiently().until(() -> objects().scaling("idle").get("status").asText().equals("True"));

    stays(() -> objects().replicas("idle"), 1);
  }

  @Test
  void unknownDemandTakesNothingToZero() throws Exception {
    gauges().set("load_away", 12);
    gauges().set("known_away", 1);
    objects().workload("away", "load_away and on() (known_away > 0)");
    objects()
        .scaledObject(
            "away",
            "type: external-push",
            "activationThreshold: \"5\"",
            "minReplicaCount: 0\n  cooldownPeriod: 5");
    patiently().until(() -> objects().replicas("away"), replicas -> replicas == 3);

    gauges().set("known_away", 0);
    patiently()
        .until(
            () -> objects().hpaCondition("away", "keda-hpa-away", "ScalingActive"),
            reason -> reason.equals("FailedGetExternalMetric"));
    stays(() -> objects().replicas("away"), 3);
  }

  @Test
  void aTriggerThatMakesNoSenseIsNamedInKedasLog() throws Exception {
    gauges().set("load_misnamed", 12);
    objects().workload("misnamed");
    objects().scaledObject("misnamed", "type: external", "metric: \"re/quests\"", "");

    patiently()
        .until(
            () -> Files.readString(Replica.logs().resolve("keda-operator.log")),
            log -> log.contains("code = InvalidArgument desc = metadata.metric is"));
    patiently()
        .until(
            () -> objects().scaling("misnamed").get("reason").asText(),
            reason -> reason.equals("HpaNotReading"));
    assertThat(objects().replicas("misnamed")).isOne();
  }

  @Test
  void anHpaOfTheUsersIsHandedToKeda() throws Exception {
    gauges().set("load_handed", 12);
    objects().workload("handed");
    lab()
        .kubectl(
            "autoscale", "deployment", "handed", "--namespace=handed", "--name=in-git", "--max=4");
    patiently()
        .until(
            () -> objects().scaling("handed").get("reason").asText(),
            it -> it.equals("HpaNotReading"));
    assertThat(objects().scaling("handed").get("message").asText())
        .startsWith("HorizontalPodAutoscaler in-git scales Deployment/handed and is not KEDA's;");

    objects()
        .scaledObject(
            "handed",
            "type: external",
            "",
            "advanced: {horizontalPodAutoscalerConfig: {name: in-git}}",
            "annotations: {scaledobject.keda.sh/transfer-hpa-ownership: \"true\"}");
    patiently().until(() -> objects().replicas("handed"), replicas -> replicas == 3);
    patiently().until(() -> objects().scaling("handed").get("status").asText().equals("True"));
    assertThat(objects().scaling("handed").get("message").asText())
        .isEqualTo("KEDA's HorizontalPodAutoscaler in-git acts on the served values.");
  }

  private static Lab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }

  private static Gauges gauges() {
    return Objects.requireNonNull(gauges, "the gauges were not started");
  }

  private static KedaInLab keda() {
    return Objects.requireNonNull(keda, "KEDA was not started");
  }

  private static KedaObjects objects() {
    return Objects.requireNonNull(objects, "KEDA was not started");
  }

  private static SelfSigned serving() {
    return Objects.requireNonNull(serving, "there is no certificate");
  }
}
