package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.operator.status.Conditions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the lead passes to another replica, and a target to another PredictiveHPA. */
class HandOverLabIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration HISTORY = Duration.ofHours(7);

  @Test
  void aReplicaThatIsStoppedReleasesTheLeaseBeforeItEnds(@TempDir Path folder) throws Exception {
    try (var lab = Lab.start("--nodes=1")) {
      var prescale = PrescaleInLab.install(lab, folder);
      var stopped = prescale.start("stopped");
      patiently().until(() -> lease(lab, "holderIdentity"), "stopped"::equals);
      stopped.close();
      // The client library patches, and leaves the holder's name where it was.
      assertThat(lease(lab, "leaseDurationSeconds")).as("free after a second").isEqualTo("1");

      try (var next = prescale.start("next")) {
        patiently().until(() -> lease(lab, "holderIdentity"), "next"::equals);
        assertThat(next.process().isAlive()).isTrue();
      }
    }
  }

  /** Its peaks are foreseen, so that more is served than there is between them. */
  private static final class Visits implements Load {
    static final double QUIET = 20;
    static final double BUSY = 100;

    @Override
    public Duration step() {
      return Duration.ofSeconds(1);
    }

    @Override
    public double at(Instant time) {
      return time.getEpochSecond() % 180 < 60 ? BUSY : QUIET;
    }
  }

  /** With a state, models go on; before one is saved, what the leader before planned stands. */
  @Test
  @Tag("long")
  void nothingThatWasTrustedIsServedLowerBecauseTheLeaderChanged(@TempDir Path folder)
      throws Exception {
    changeLeaders(true, folder);
  }

  @Test
  @Tag("long")
  void norIsItBeforeAStateIsSaved(@TempDir Path folder) throws Exception {
    changeLeaders(false, folder);
  }

  private static void changeLeaders(boolean saved, Path folder) throws Exception {
    var load = new Visits();
    var prometheus = LabPrometheus.in(folder);
    try (var exporter = LoadExporter.start(load, CLOCK);
        var lab =
            Lab.start(
                "--nodes=4",
                "--hpa-sync-period=2s",
                "--pod-start-delay=2s",
                "--prometheus-config=" + prometheus.config());
        var client = LabObjects.client(lab)) {
      var now = CLOCK.instant();
      prometheus.fill(lab, exporter, load, now.minus(HISTORY), now);
      var prescale = PrescaleInLab.install(lab, folder);
      lab.apply(LabObjects.deployment("chat", Duration.ofSeconds(2)));
      lab.apply(
          LabObjects.predictiveHpa(
              "chat", 10, "step: 10s, history: 6h, models: [RecentPeak]", "  leadTime: 10s"));
      try (var leader = prescale.startBeside("before")) {
        patiently().until(() -> lease(lab, "holderIdentity"), "before"::equals);
        try (var follower = prescale.start("after");
            var sampler = MetricSampler.of(lab, LabObjects.METRIC, "chat")) {
          patiently()
              .until(
                  () -> LabObjects.predictiveHpa(client, "chat").orElseThrow(),
                  HandOverLabIT::isTrusted);
          patiently().until(sampler::ask, MetricSampler.Answer.Value.class::isInstance);
          patiently().until(() -> !saved || hasState(client));
          leader.kill();
          var served = servedUntilTrusted(client, sampler, CLOCK.instant(), saved);

          assertThat(follower.process().isAlive()).isTrue();
          assertThat(served).isNotEmpty().allMatch(value -> value >= 0.9 * Visits.BUSY);
        }
      }
    }
  }

  private static boolean hasState(KubernetesClient client) {
    return client.configMaps().inAnyNamespace().list().getItems().stream()
        .filter(page -> page.getMetadata().getName().startsWith("prescale-states-"))
        .anyMatch(page -> !page.getBinaryData().isEmpty());
  }

  /**
   * What is served until the next leader trusts its own forecasts, which it does from its first
   * decision on if there is a state.
   */
  private static List<Double> servedUntilTrusted(
      KubernetesClient client, MetricSampler sampler, Instant killed, boolean atOnce) {
    var served = new ArrayList<Double>();
    patiently()
        .until(
            () -> {
              if (sampler.ask() instanceof MetricSampler.Answer.Value value) {
                served.add(value.value());
              }
              var chat = LabObjects.predictiveHpa(client, "chat").orElseThrow();
              assertThat(isTrusted(chat) || !atOnce).isTrue();
              return chat;
            },
            it -> isTrusted(it) && decidedAfter(it, killed));
    return served;
  }

  private static boolean isTrusted(PredictiveHPA resource) {
    return resource.getStatus() != null
        && Conditions.of(resource.getStatus().conditions(), ConditionType.ForecastTrusted)
            .filter(it -> it.status() == ConditionStatus.True)
            .isPresent();
  }

  private static boolean decidedAfter(PredictiveHPA resource, Instant time) {
    var decision = resource.getStatus().lastDecision();
    return decision != null && decision.at().isAfter(time);
  }

  @Test
  void ofTwoPredictiveHpasOfOneTargetTheOlderScalesIt(@TempDir Path folder) throws Exception {
    var config = Files.writeString(folder.resolve("prometheus.yaml"), "scrape_configs: []\n");
    try (var lab =
        Lab.start("--nodes=1", "--hpa-sync-period=2s", "--prometheus-config=" + config)) {
      var prescale = PrescaleInLab.install(lab, folder);
      lab.apply(LabObjects.deployment("chat", Duration.ofSeconds(2)));
      lab.apply(rival("a-second") + "---\n" + rival("b-third"));
      try (var replica = prescale.start("rivals")) {
        patiently().until(() -> replicas(lab), "3"::equals);
        assertThat(hpas(lab)).isEqualTo("prescale-a-second");
        patiently().until(() -> reason(lab, "b-third"), "TargetConflict"::equals);

        lab.kubectl("delete", "phpa", "a-second", "--timeout=2m");
        patiently().until(() -> hpas(lab), "prescale-b-third"::equals);
        assertThat(replica.process().isAlive()).isTrue();
      }
    }
  }

  private static String rival(String name) {
    return """
    apiVersion: autoscaling.prescale.io/v1alpha1
    kind: PredictiveHPA
    metadata: {name: %s, namespace: default}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
      mode: Active
      maxReplicas: 9
      forecast: {step: 5s, history: 6h}
      fallback: {utilization: 100%%}
      metrics:
      - {name: load, prometheus: {query: vector(30)}, target: {averageValue: "10"}}
    """
        .formatted(name);
  }

  private static String replicas(Lab lab) throws IOException, InterruptedException {
    return lab.kubectl("get", "deployment", "chat", "-o=jsonpath={.spec.replicas}");
  }

  private static String hpas(Lab lab) throws IOException, InterruptedException {
    return lab.kubectl("get", "hpa", "-o=jsonpath={.items[*].metadata.name}");
  }

  private static String reason(Lab lab, String name) throws IOException, InterruptedException {
    return lab.kubectl(
        "get",
        "phpa",
        name,
        "-o=jsonpath={.status.conditions[?(@.type==\"ScalingActive\")].reason}");
  }

  private static String lease(Lab lab, String field) throws IOException, InterruptedException {
    return lab.kubectl(
        "get", "lease", "prescale", "--namespace=prescale", "-o=jsonpath={.spec." + field + "}");
  }
}
