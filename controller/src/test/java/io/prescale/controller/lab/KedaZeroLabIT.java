package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.prescale.controller.demand.prometheus.SelfSigned;
import io.prescale.controller.lab.Lab.Verb;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** KEDA takes a target to zero and back by the forecast's word, without HPAScaleToZero. */
class KedaZeroLabIT {
  private static final Duration HISTORY = Duration.ofHours(6);
  private static final InstantSource CLOCK = InstantSource.system();
  private static final String NAME = "batch";
  private static final String LEADER = "zero-leader";

  @Test
  void itIsWokenByTheForecastAndBecauseDemandIsUnknown(@TempDir Path folder) throws Exception {
    var prometheus = LabPrometheus.in(folder);
    try (var exporter = LoadExporter.start(new BatchJob(), CLOCK);
        var lab =
            Lab.start(
                "--nodes=2",
                "--hpa-sync-period=2s",
                "--pod-start-delay=5s",
                "--feature-gates=HPAScaleToZero=false",
                "--prometheus-config=" + prometheus.config())) {
      var now = CLOCK.instant();
      prometheus.fill(lab, exporter, new BatchJob(), now.minus(HISTORY), now);
      var serving = SelfSigned.create(folder, "prescale", "dns:localhost", "EC");
      var prescale = PrescaleInLab.install(lab, folder);
      int port = PrescaleInLab.freePort();
      try (var keda = KedaInLab.start(lab, folder);
          var leader = leader(lab, prescale);
          var follower = keda.ask(prescale, serving, port)) {
        var objects = new KedaObjects(lab, serving, keda.certificate(), port);
        create(lab, objects);

        await(objects, it -> replicas(objects) == 0 && activity(it).equals("Idle"));
        var woken = await(objects, it -> replicas(objects) > 0 && activity(it).equals("Forecast"));
        assertThat(woken.at("/status/lastDecision/observed").asText()).isEqualTo("0");
        await(objects, it -> activity(it).equals("ObservedDemand"));
        assertThat(objects.get(NAME, "deployment", NAME).at("/status/readyReplicas").asInt())
            .as("no first request waited")
            .isPositive();
        assertThat(prescale.run("explain", NAME + "/" + NAME))
            .contains("KEDA's HorizontalPodAutoscaler keda-hpa-batch acts on the served values.")
            .containsPattern("activity +ObservedDemand");

        await(objects, it -> replicas(objects) == 0 && activity(it).equals("Idle"));
        lab.command("prometheus", Verb.STOP);
        patiently().until(() -> replicas(objects), replicas -> replicas > 0);
        assertThat(follower.process().isAlive()).isTrue();
        assertThat(leads(lab)).as("KEDA was answered by a replica that does not decide").isTrue();
        assertThat(leader.process().isAlive()).isTrue();
      }
    }
  }

  /** A replica that decides and that KEDA does not know. */
  private static Replica leader(Lab lab, PrescaleInLab prescale) throws Exception {
    var leader = prescale.start(LEADER, "--no-register");
    patiently().until(() -> leads(lab));
    return leader;
  }

  private static boolean leads(Lab lab) throws Exception {
    return lab.kubectl("get", "lease", "--namespace=prescale", "-o", "jsonpath={..holderIdentity}")
        .contains(LEADER);
  }

  private static void create(Lab lab, KedaObjects objects) throws Exception {
    lab.kubectl("create", "namespace", NAME);
    var manifests =
        LabObjects.deployment(NAME, Duration.ofSeconds(5))
            + "---\n"
            + LabObjects.predictiveHpa(
                    NAME,
                    10,
                    "step: 5s, history: 6h, models: [Boosting]",
                    "  leadTime: 20s\n  scaleThrough: KEDA")
                .replace("minReplicas: 1", "minReplicas: 0");
    lab.apply(manifests.replace("namespace: default", "namespace: " + NAME));
    objects.scaledObject(
        NAME, "type: external-push", "", "minReplicaCount: 0\n  cooldownPeriod: 5");
  }

  private static JsonNode await(KedaObjects objects, Predicate<JsonNode> holds) {
    return patiently()
        .atMost(Duration.ofMinutes(10))
        .until(() -> objects.get(NAME, "phpa", NAME), holds);
  }

  private static String activity(JsonNode predictiveHpa) {
    return predictiveHpa.at("/status/lastDecision/activity").asText();
  }

  private static int replicas(KedaObjects objects) {
    try {
      return objects.replicas(NAME);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
