package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
 * The kinds of serving platforms, by their real definitions: what has a scale subresource is scaled
 * by the stock HPA, and of what has none it is said what to name instead. The platforms'
 * controllers do not run, so that what they would write to a status is written by the test; {@link
 * ArgoRolloutsLabIT}, {@link LeaderWorkerSetLabIT} and {@link VerticalPodAutoscalerLabIT} have
 * three of them.
 */
class PlatformsLabIT {
  private static @Nullable GaugedLab lab;

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    var definitions = Lab.platforms();
    lab = GaugedLab.start(folder, "platforms");
    lab.kubectl("apply", "--server-side", "-f", definitions.toString());
    lab.awaitDefinitions();
  }

  @AfterAll
  static void stopAll() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void aLeaderWorkerSetScalesByItsGroups() throws Exception {
    scales(
        "groups",
        "leaderworkerset.x-k8s.io/v1",
        "LeaderWorkerSet",
        """
        spec:
          replicas: 1
          leaderWorkerTemplate:
            size: 2
            workerTemplate: {spec: {containers: [{name: model, image: model}]}}
        """,
        "{\"replicas\": 1, \"hpaPodSelector\": \"app=groups\"}");
  }

  @Test
  void anArgoRolloutScalesAsADeploymentDoes() throws Exception {
    scales(
        "rollout",
        "argoproj.io/v1alpha1",
        "Rollout",
        """
        spec:
          replicas: 1
          selector: {matchLabels: {app: rollout}}
          template:
            metadata: {labels: {app: rollout}}
            spec: {containers: [{name: model, image: model}]}
        """,
        "{\"HPAReplicas\": 1, \"selector\": \"app=rollout\"}");
  }

  @Test
  void theDeploymentThatKserveMakesInRawModeScales() throws Exception {
    lab().gauges().set("load_raw", 12);
    lab().workload("raw-predictor", 1);
    predictiveHpa("raw-predictor", "apps/v1", "Deployment", "load_raw");

    patiently().until(() -> lab().replicas("raw-predictor"), replicas -> replicas == 3);
  }

  @Test
  void whatTheDocumentationWritesForKedaAndKserveIsAsTheirDefinitionsSay() throws Exception {
    for (var group : List.of("keda.sh", "serving.kserve.io")) {
      var manifests = DocumentedManifests.of(group);
      assertThat(manifests).as(group).isNotEmpty();
      for (var manifest : manifests) {
        var file = Files.createTempFile("documented", ".yaml");
        Files.writeString(file, manifest);
        lab().kubectl("create", "--dry-run=server", "--validate=strict", "-f", file.toString());
        Files.delete(file);
      }
    }
  }

  @Test
  void aStatefulSetScalesOutAndIn() throws Exception {
    lab().gauges().set("load_numbered", 12);
    lab().kubectl("create", "namespace", "numbered");
    lab()
        .apply(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: numbered, namespace: numbered}
            spec:
              serviceName: numbered
              selector: {matchLabels: {app: numbered}}
              template:
                metadata: {labels: {app: numbered}}
                spec: {containers: [{name: model, image: model}]}
            """);
    lab()
        .apply(
            GaugedLab.manifest("numbered", "Active", "load_numbered", fastDown())
                .replace("kind: Deployment", "kind: StatefulSet"));

    patiently().until(() -> readyNumbers(), ready -> ready == 3);
    assertThat(lab().get("numbered", "pod", "numbered-2").at("/metadata/name").asText())
        .isEqualTo("numbered-2");
    patiently()
        .until(() -> lab().phpa("numbered").at("/status/readyReplicas").asInt(), it -> it == 3);
    lab().gauges().set("load_numbered", 4);
    patiently().until(() -> readyNumbers(), ready -> ready == 1);
  }

  private static int readyNumbers() throws Exception {
    return lab().get("numbered", "statefulset", "numbered").at("/status/readyReplicas").asInt();
  }

  /** Its updater's eviction is played here; {@link VerticalPodAutoscalerLabIT} runs the updater. */
  @Test
  void aVerticalPodAutoscalerOfTheTargetIsNoneOfPrescalesBusiness() throws Exception {
    lab().gauges().set("load_vertical", 12);
    lab().workload("vertical", 1);
    lab()
        .apply(
            """
            apiVersion: autoscaling.k8s.io/v1
            kind: VerticalPodAutoscaler
            metadata: {name: vertical, namespace: vertical}
            spec:
              targetRef: {apiVersion: apps/v1, kind: Deployment, name: vertical}
              updatePolicy: {updateMode: Recreate}
            """);
    var before = lab().get("vertical", "vpa", "vertical");
    lab().predictiveHpa("vertical", "Active", "load_vertical", fastDown());
    patiently().until(() -> lab().replicas("vertical"), replicas -> replicas == 3);
    patiently().until(() -> readyOf("vertical"), ready -> ready == 3);

    var pod =
        lab()
            .kubectl("get", "pods", "--namespace=vertical", "-o", "name")
            .lines()
            .findFirst()
            .orElseThrow()
            .replace("pod/", "");
    var eviction =
        Files.writeString(
            Files.createTempFile("eviction", ".json"),
            "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"%s\"}}"
                .formatted(pod));
    lab()
        .kubectl(
            "create",
            "--raw=/api/v1/namespaces/vertical/pods/%s/eviction".formatted(pod),
            "-f",
            eviction.toString());

    patiently()
        .until(
            () -> lab().kubectl("get", "pods", "--namespace=vertical", "-o", "name"),
            names -> names.lines().count() == 3 && !names.contains(pod));
    stays(() -> lab().replicas("vertical"), 3);
    assertThat(lab().get("vertical", "vpa", "vertical")).isEqualTo(before);
    assertThat(lab().condition("vertical", "ScalingActive").get("reason").asText())
        .isEqualTo("Scaling");
  }

  private static int readyOf(String name) throws Exception {
    return lab().get(name, "deployment", name).at("/status/readyReplicas").asInt();
  }

  private static String fastDown() {
    return "behavior: {scaleDown: {stabilizationWindowSeconds: 0}}";
  }

  @Test
  void ofWhatAPlatformScalesItselfItIsSaidWhatToNameInstead() throws Exception {
    refused(
        "isvc", "serving.kserve.io/v1beta1", "InferenceService", "its Deployment, isvc-predictor");
    refused(
        "llm", "serving.kserve.io/v1alpha1", "LLMInferenceService", "its Deployment, llm-kserve");
    refused("ray", "ray.io/v1", "RayService", "Ray's own autoscaler decides");
    refused("ksvc", "serving.knative.dev/v1", "Service", "Knative scales Service ksvc");
  }

  @Test
  void theDeploymentOfAKnativeRevisionIsLeftAlone() throws Exception {
    lab().gauges().set("load_revision", 12);
    lab().kubectl("create", "namespace", "revision");
    lab()
        .apply(
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: revision, namespace: revision}
            spec:
              selector: {matchLabels: {serving.knative.dev/revisionUID: 6a1f}}
              template:
                metadata: {labels: {serving.knative.dev/revisionUID: 6a1f}}
                spec: {containers: [{name: model, image: model}]}
            """);
    predictiveHpa("revision", "apps/v1", "Deployment", "load_revision");

    patiently()
        .until(
            () -> lab().condition("revision", "Ready"),
            condition -> condition.get("message").asText().startsWith("Knative scales Deployment"));
    assertThat(lab().hpas("revision")).isEmpty();
  }

  private static void scales(String name, String version, String kind, String spec, String status)
      throws Exception {
    lab().gauges().set("load_" + name, 12);
    lab().kubectl("create", "namespace", name);
    lab()
        .apply(
            """
            apiVersion: %s
            kind: %s
            metadata: {name: %s, namespace: %3$s}
            %s
            """
                .formatted(version, kind, name, spec));
    lab()
        .kubectl(
            "patch",
            kind,
            name,
            "--namespace=" + name,
            "--subresource=status",
            "--type=merge",
            "--patch={\"status\": %s}".formatted(status));
    pod(name);
    predictiveHpa(name, version, kind, "load_" + name);

    patiently()
        .until(() -> lab().get(name, kind, name), it -> it.at("/spec/replicas").asInt() == 3);
    patiently()
        .until(
            () -> lab().condition(name, "ScalingActive"),
            condition -> condition.get("reason").asText().equals("Scaling"));
  }

  private static void refused(String name, String version, String kind, String sentence)
      throws Exception {
    lab().kubectl("create", "namespace", name);
    predictiveHpa(name, version, kind, "vector(1)");
    patiently()
        .until(
            () -> lab().condition(name, "Ready"),
            condition -> condition.get("reason").asText().equals("TargetNotScalable"));
    assertThat(lab().condition(name, "Ready").get("message").asText()).contains(sentence);
    assertThat(lab().hpas(name)).isEmpty();
  }

  private static void predictiveHpa(String name, String version, String kind, String query)
      throws Exception {
    var deployment = "{apiVersion: apps/v1, kind: Deployment, name: %s}".formatted(name);
    var target = "{apiVersion: %s, kind: %s, name: %s}".formatted(version, kind, name);
    lab().apply(GaugedLab.manifest(name, "Active", query, "").replace(deployment, target));
  }

  private static void pod(String name) throws Exception {
    lab()
        .apply(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %1$s-0, namespace: %1$s, labels: {app: %1$s}}
            spec: {containers: [{name: model, image: model}]}
            """
                .formatted(name));
  }

  private static GaugedLab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
