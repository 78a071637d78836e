package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Beside others that write: a GitOps tool that applies the same manifests again and again, the
 * owner of the cluster's metrics API, and kubectl, which is warned.
 */
class GitOpsLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String API_SERVICE = "v1beta1.external.metrics.k8s.io";

  private static @Nullable GaugedLab lab;

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    lab = GaugedLab.start(folder, "gitops");
  }

  @AfterAll
  static void stopAll() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void manifestsThatAreAppliedAgainAndAgainComeToRestWithWhatPrescaleWrites() throws Exception {
    lab().gauges().set("load_rest", 20);
    lab().workload("rest", 2);
    var deployment = file(deployment("rest", ""));
    var predictiveHpa = file(GaugedLab.manifest("rest", "Active", "load_rest", ""));
    lab().kubectl("apply", "-f", predictiveHpa);
    patiently().until(() -> lab().replicas("rest"), replicas -> replicas == 5);
    apply(predictiveHpa, deployment);
    var hpa = managed("hpa", "prescale-rest");
    long generation = lab().phpa("rest").at("/metadata/generation").asLong();

    for (int round = 0; round < 10; round++) {
      apply(predictiveHpa, deployment);
    }

    stays(() -> lab().replicas("rest"), 5);
    assertThat(lab().phpa("rest").at("/metadata/generation").asLong()).isEqualTo(generation);
    assertThat(lab().phpa("rest").at("/metadata/finalizers")).hasSize(1);
    assertThat(managed("hpa", "prescale-rest")).as("not written again").isEqualTo(hpa);
    assertThat(lab().condition("rest", "ScalingActive").get("reason").asText())
        .isEqualTo("Scaling");
  }

  @Test
  @Tag("long")
  void replicasInAManifestAreNoticedAndSaid() throws Exception {
    lab().gauges().set("load_fought", 20);
    lab().workload("fought", 1);
    lab().predictiveHpa("fought", "Active", "load_fought", "");
    patiently().until(() -> lab().replicas("fought"), replicas -> replicas == 5);
    var manifest = file(deployment("fought", "replicas: 2"));

    patiently()
        .until(
            () -> {
              lab()
                  .kubectl(
                      "apply",
                      "--server-side",
                      "--force-conflicts",
                      "--field-manager=argocd-controller",
                      "-f",
                      manifest);
              patiently().until(() -> lab().replicas("fought"), replicas -> replicas > 2);
              return lab().condition("fought", "ScalingActive");
            },
            condition -> condition.get("reason").asText().equals("ReplicasContested"));

    assertThat(lab().condition("fought", "ScalingActive").get("message").asText())
        .startsWith("Another tool sets the replicas: ")
        .contains("found other replicas of Deployment/fought than it had asked for, at last 2");
  }

  @Test
  @Tag("long")
  void aPausedDeploymentAndOneWithADisruptionBudgetScaleAsAnyOther() throws Exception {
    lab().gauges().set("load_paused", 12);
    lab().workload("paused", 1);
    lab().kubectl("rollout", "pause", "deployment/paused", "--namespace=paused");
    lab()
        .apply(
            """
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: all, namespace: paused}
            spec: {maxUnavailable: 0, selector: {matchLabels: {app: paused}}}
            """);
    lab().predictiveHpa("paused", "Active", "load_paused", fastDown());
    patiently().until(() -> lab().replicas("paused"), replicas -> replicas == 3);

    lab().gauges().set("load_paused", 4);

    patiently().until(() -> lab().replicas("paused"), replicas -> replicas == 1);
  }

  @Test
  void kubectlWarnsOfGivingAnHpaBackThatAllowsFewerReplicas() throws Exception {
    var policy =
        new Helm("helm3", lab().lab(), Files.createTempDirectory("helm"))
            .template("--show-only=templates/warnings.yaml");
    lab().apply(policy);
    lab().gauges().set("load_many", 24);
    lab().workload("many", 1);
    lab()
        .apply(
            """
            apiVersion: autoscaling/v2
            kind: HorizontalPodAutoscaler
            metadata: {name: own, namespace: many}
            spec:
              scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: many}
              minReplicas: 1
              maxReplicas: 4
              metrics:
              - type: Resource
                resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
            """);
    lab().predictiveHpa("many", "Active", "load_many", "adopt: own");

    patiently()
        .until(
            () -> lab().condition("many", "ScalingActive"),
            condition -> condition.get("reason").asText().equals("ScalingAboveOwnMaximum"));

    patiently()
        .untilAsserted(
            () ->
                assertThatThrownBy(
                        () ->
                            lab()
                                .kubectl(
                                    "delete",
                                    "phpa",
                                    "many",
                                    "--namespace=many",
                                    "--dry-run=server",
                                    "--warnings-as-errors"))
                    .hasMessageContaining("There are 6 replicas")
                    .hasMessageContaining("its own maximum of 4 holds again"));
    assertThatThrownBy(
            () ->
                lab()
                    .kubectl(
                        "patch",
                        "phpa",
                        "many",
                        "--namespace=many",
                        "--type=merge",
                        "--patch={\"spec\":{\"mode\":\"Shadow\"}}",
                        "--dry-run=server",
                        "--warnings-as-errors"))
        .hasMessageContaining("its own maximum of 4 holds again");
    lab().kubectl("annotate", "phpa", "many", "--namespace=many", "note=x", "--warnings-as-errors");
  }

  @Test
  @Tag("long")
  void noHpaIsMadeWhileAnotherAdapterHasTheMetricsApi() throws Exception {
    var before = lab().kubectl("get", "apiservice", API_SERVICE, "-o", "json");
    pointTo("theirs");
    try {
      lab().gauges().set("load_unserved", 12);
      lab().workload("unserved", 1);
      patiently()
          .until(
              () -> Files.readString(lab().replica().log()),
              log -> log.contains("points to prescale/theirs"));
      lab().predictiveHpa("unserved", "Active", "load_unserved", "");

      patiently()
          .untilAsserted(
              () ->
                  assertThat(lab().phpa("unserved").at("/status/conditions").toString())
                      .contains("MetricsServedByOthers"));
      assertThat(lab().condition("unserved", "ScalingActive").get("message").asText())
          .startsWith("APIService " + API_SERVICE + " points to prescale/theirs, so that an HPA");
      assertThat(lab().hpas("unserved")).isEmpty();
    } finally {
      pointTo(JSON.readTree(before).at("/spec/service/name").asText());
    }
    patiently().until(() -> lab().replicas("unserved"), replicas -> replicas == 3);
  }

  private static void pointTo(String service) throws Exception {
    lab()
        .kubectl(
            "patch",
            "apiservice",
            API_SERVICE,
            "--type=merge",
            "--patch={\"spec\":{\"service\":{\"name\":\"%s\"}}}".formatted(service));
  }

  /** As Argo CD's self-heal and Flux apply them: in the name of one, then of the other. */
  private static void apply(String predictiveHpa, String deployment) throws Exception {
    lab().kubectl("apply", "-f", predictiveHpa);
    for (var file : new String[] {predictiveHpa, deployment}) {
      lab()
          .kubectl(
              "apply",
              "--server-side",
              "--force-conflicts",
              "--field-manager=kustomize-controller",
              "-f",
              file);
    }
  }

  private static JsonNode managed(String kind, String name) throws Exception {
    var object =
        lab().kubectl("get", kind, name, "--namespace=rest", "--show-managed-fields", "-o", "json");
    for (JsonNode entry : JSON.readTree(object).at("/metadata/managedFields")) {
      if (entry.get("manager").asText().equals("prescale")) {
        return entry;
      }
    }
    throw new AssertionError("Prescale manages nothing of " + kind + " " + name);
  }

  private static String fastDown() {
    return "behavior: {scaleDown: {stabilizationWindowSeconds: 0}}";
  }

  private static String deployment(String name, String replicas) {
    return """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: %1$s, namespace: %1$s}
    spec:
      %2$s
      selector: {matchLabels: {app: %1$s}}
      template:
        metadata: {labels: {app: %1$s}}
        spec: {containers: [{name: model, image: model}]}
    """
        .formatted(name, replicas);
  }

  private static String file(String manifest) throws IOException {
    var file = Files.createTempFile("manifest", ".yaml");
    file.toFile().deleteOnExit();
    return Files.writeString(file, manifest).toString();
  }

  private static GaugedLab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
