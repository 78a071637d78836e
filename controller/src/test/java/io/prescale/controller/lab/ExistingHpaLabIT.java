package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HPAs of the user's: one that is followed and never written, and one that is not adopted yet. */
class ExistingHpaLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static @Nullable GaugedLab lab;
  private static @Nullable Surfaces surfaces;

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    int metrics = PrescaleInLab.freePort();
    int page = PrescaleInLab.freePort();
    var options = Surfaces.options(metrics, page).toArray(String[]::new);
    lab = GaugedLab.start(folder, "existing-hpa", options);
    surfaces = Surfaces.of(lab, metrics, page);
  }

  @AfterAll
  static void stopAll() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void anHpaFromGitIsFoundFollowedAndNeverWritten() throws Exception {
    lab().gauges().set("load_git", 20);
    lab().workload("git", 1);
    lab().predictiveHpa("git", "Active", "load_git", "scaleThrough: ExistingHPA");
    patiently()
        .until(
            () -> lab().condition("git", "ScalingActive").get("reason").asText(),
            "HpaNotReading"::equals);
    assertThat(lab().condition("git", "ScalingActive").get("message").asText())
        .contains("name: requests, selector: {matchLabels: {predictivehpa: git}}");

    applyAsGitOps(inGit("git"));

    patiently().until(() -> lab().replicas("git"), replicas -> replicas == 5);
    patiently()
        .until(
            () -> lab().condition("git", "ScalingActive").get("message").asText(),
            "Your HorizontalPodAutoscaler in-git acts on the served values."::equals);
    patiently()
        .until(
            () -> lab().phpa("git").at("/status/lastDecision/hpa/gate").asText(), "None"::equals);
    assertThat(lab().kubectl("get", "phpa", "git", "--namespace=git"))
        .containsPattern("NAME +TARGET +MODE +THROUGH")
        .containsPattern("git +Deployment/git +Active +ExistingHPA");
    assertThat(lab().prescale().run("explain", "git/git"))
        .contains("Your HorizontalPodAutoscaler in-git acts on the served values.");

    lab().gauges().set("load_git", 40);
    patiently().until(() -> lab().replicas("git"), replicas -> replicas == 7); // its own maximum
    patiently().until(() -> lab().phpa("git").at("/status/desiredReplicas").asInt(), it -> it == 7);
    patiently()
        .until(() -> lab().phpa("git").at("/status/leadTime/source").asText(), "Measured"::equals);

    lab().patch("git", "{\"spec\":{\"mode\":\"Shadow\"}}");
    patiently()
        .until(
            () -> lab().condition("git", "ScalingActive").get("reason").asText(),
            "ShadowMode"::equals);
    lab().kubectl("delete", "phpa", "git", "--namespace=git", "--timeout=5m");
    stays(() -> lab().replicas("git"), 7);
    assertThat(writers("in-git")).contains("gitops").doesNotContain("prescale");
    assertThat(lab().hpas("git")).containsExactly("in-git");
  }

  @Test
  void statusPageMetricsAndExplanationAreThoseOfAnHpaOfPrescales() throws Exception {
    var surfaces = Objects.requireNonNull(ExistingHpaLabIT.surfaces);
    lab().gauges().set("load_alike", 20);
    for (var way : List.of("PrescaleHPA", "ExistingHPA")) {
      var name = way.toLowerCase(Locale.ROOT);
      lab().workload(name, 1);
      lab().predictiveHpa(name, "Active", "load_alike", "scaleThrough: " + way);
    }
    applyAsGitOps(inGit("existinghpa"));
    for (var name : List.of("prescalehpa", "existinghpa")) {
      patiently().until(() -> lab().replicas(name), replicas -> replicas == 5);
      patiently().until(() -> surfaces.isShown(name));
    }

    patiently()
        .untilAsserted(
            () -> assertThat(surfaces.told("existinghpa")).isEqualTo(surfaces.told("prescalehpa")));
    assertThat(surfaces.told("existinghpa"))
        .contains("wanted=5", "ready=5", "breaker=Learning", "prescale_desired_replicas 5.0");
  }

  @Test
  @Tag("long")
  void whileTheApiServerDoesNotReachPrescaleNoHpaIsAdopted() throws Exception {
    lab().gauges().set("load_cut", 12);
    lab().workload("cut", 1);
    lab().kubectl("autoscale", "deployment", "cut", "--namespace=cut", "--name=own", "--max=4");
    var before = lab().get("cut", "hpa", "own").get("spec");
    leadTo("unreachable.invalid");
    try {
      patiently()
          .until(
              () -> Files.readString(lab().replica().log()),
              log -> log.contains("and the API server does not reach it (FailedDiscoveryCheck"));
      lab().predictiveHpa("cut", "Active", "load_cut", "adopt: own");
      patiently()
          .until(
              () -> lab().condition("cut", "ScalingActive").get("reason").asText(),
              "MetricsServedByOthers"::equals);
      patiently()
          .until(() -> lab().phpa("cut").at("/status/desiredReplicas").asInt(), it -> it == 3);
      assertThat(lab().get("cut", "hpa", "own").get("spec")).isEqualTo(before);
      assertThat(lab().replicas("cut")).isOne();
    } finally {
      leadTo("localhost");
    }
    patiently().until(() -> lab().replicas("cut"), replicas -> replicas == 3);
  }

  @Test
  void ofTwoForecastMetricsItsHpaFollowsTheOneThatAsksForMore() throws Exception {
    lab().gauges().set("load_pair", 8);
    lab().gauges().set("tokens_pair", 450);
    lab().workload("pair", 1);
    var one = GaugedLab.manifest("pair", "Active", "load_pair", "");
    var two =
        """
          - name: tokens
            prometheus: {query: tokens_pair}
            target: {averageValue: "100"}
          forecast:\
        """;
    lab().apply(one.replace("  forecast:", two));

    patiently().until(() -> lab().replicas("pair"), replicas -> replicas == 5);
    patiently().until(() -> decidedBy("pair"), "tokens"::equals);
    lab().gauges().set("load_pair", 28);
    patiently().until(() -> lab().replicas("pair"), replicas -> replicas == 7);
    patiently().until(() -> decidedBy("pair"), "requests"::equals);
    assertThat(lab().get("pair", "hpa", "prescale-pair").at("/status/currentMetrics"))
        .as("the HPA has read both")
        .hasSize(2);
  }

  private static String decidedBy(String name) throws Exception {
    return lab().phpa(name).at("/status/lastDecision/metric").asText();
  }

  private static void leadTo(String host) throws Exception {
    lab()
        .kubectl(
            "patch",
            "service",
            "prescale",
            "--namespace=prescale",
            "--type=merge",
            "--patch={\"spec\":{\"externalName\":\"%s\"}}".formatted(host));
  }

  private static void applyAsGitOps(String manifest) throws Exception {
    var file = Files.createTempFile("in-git", ".yaml");
    file.toFile().deleteOnExit();
    Files.writeString(file, manifest);
    lab().kubectl("apply", "--server-side", "--field-manager=gitops", "-f", file.toString());
  }

  /** The field managers of an HPA. */
  private static List<String> writers(String hpa) throws Exception {
    var object =
        lab().kubectl("get", "hpa", hpa, "--namespace=git", "--show-managed-fields", "-o", "json");
    return JSON.readTree(object)
        .at("/metadata/managedFields")
        .valueStream()
        .map(entry -> entry.get("manager").asText())
        .toList();
  }

  /** An HPA that reads the metric of the PredictiveHPA of its namespace. */
  static String inGit(String name) {
    return """
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: in-git, namespace: %1$s}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %1$s}
      minReplicas: 1
      maxReplicas: 7
      metrics:
      - type: External
        external:
          metric: {name: requests, selector: {matchLabels: {predictivehpa: %1$s}}}
          target: {type: AverageValue, averageValue: "4"}
      behavior: {scaleUp: {tolerance: "0"}}
    """
        .formatted(name);
  }

  private static GaugedLab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
