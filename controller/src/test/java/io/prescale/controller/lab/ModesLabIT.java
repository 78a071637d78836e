package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
 * What a PredictiveHPA does to a workload and to the user's HPA in each mode, on a real control
 * plane: nothing that was not asked for, and everything back when it goes.
 */
class ModesLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static @Nullable Lab lab;
  private static @Nullable Gauges gauges;
  private static @Nullable PrescaleInLab prescale;
  private static @Nullable Replica replica;

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    gauges = Gauges.start();
    var prometheus =
        Files.writeString(
            folder.resolve("prometheus.yaml"),
            """
            global: {scrape_interval: 1s}
            scrape_configs: [{job_name: load, static_configs: [{targets: ["%s"]}]}]
            """
                .formatted(gauges.address()));
    lab =
        Lab.start(
            "--nodes=3",
            "--hpa-sync-period=2s",
            "--pod-start-delay=3s",
            "--prometheus-config=" + prometheus);
    prescale = PrescaleInLab.install(lab, folder);
    replica = prescale.start("modes");
  }

  @AfterAll
  static void stopAll() {
    if (replica != null) {
      replica.close();
    }
    if (lab != null) {
      lab.close();
    }
    if (gauges != null) {
      gauges.close();
    }
  }

  @Test
  void shadowRecordsAndChangesNothingActiveScalesAndGoingLeavesTheSize() throws Exception {
    gauges().set("load_modes", 20);
    workload("modes", 2);
    predictiveHpa("modes", "Shadow", "load_modes", "");

    patiently().until(() -> phpa("modes"), phpa -> phpa.at("/status/desiredReplicas").asInt() == 5);
    stays(() -> replicas("modes"), 2);
    assertThat(hpas("modes")).isEmpty();
    assertThat(condition("modes", "ScalingActive").get("reason").asText()).isEqualTo("ShadowMode");

    patch("modes", "{\"spec\":{\"mode\":\"Active\"}}");
    patiently().until(() -> replicas("modes"), replicas -> replicas == 5);
    patiently()
        .until(
            () -> condition("modes", "ScalingActive"),
            condition -> condition.get("status").asText().equals("True"));
    assertThat(
            get("modes", "hpa", "prescale-modes").at("/spec/behavior/scaleUp/tolerance").asText())
        .isEqualTo("0");

    patch("modes", "{\"spec\":{\"mode\":\"Shadow\"}}");
    patiently().until(() -> hpas("modes").size(), count -> count == 0);
    gauges().set("load_modes", 32);
    stays(() -> replicas("modes"), 5);

    patch("modes", "{\"spec\":{\"mode\":\"Active\"}}");
    patiently().until(() -> replicas("modes"), replicas -> replicas == 8);
    lab().kubectl("delete", "phpa", "modes", "--namespace=modes", "--timeout=5m");
    assertThat(hpas("modes")).isEmpty();
    gauges().set("load_modes", 1);
    stays(() -> replicas("modes"), 8);
  }

  @Test
  void anAdoptedHpaGetsItsRulesBackAndNobodysFieldsStayOurs() throws Exception {
    gauges().set("load_adopted", 12);
    workload("adopted", 1);
    var users = usersHpa("adopted");
    lab().kubectl("apply", "--server-side", "--field-manager=gitops", "-f", write(users));
    var before = get("adopted", "hpa", "by-cpu").get("spec");
    predictiveHpa("adopted", "Active", "load_adopted", "adopt: by-cpu");

    patiently().until(() -> replicas("adopted"), replicas -> replicas == 3);
    var adopted = get("adopted", "hpa", "by-cpu");
    assertThat(adopted.at("/spec/metrics")).hasSize(2);
    assertThat(adopted.at("/spec/maxReplicas").asInt()).isEqualTo(9);
    assertThat(hpas("adopted")).containsExactly("by-cpu");

    lab().kubectl("delete", "phpa", "adopted", "--namespace=adopted", "--timeout=5m");
    var after =
        JSON.readTree(
            lab()
                .kubectl(
                    "get",
                    "hpa",
                    "by-cpu",
                    "--namespace=adopted",
                    "--show-managed-fields",
                    "-o",
                    "json"));
    assertThat(after.get("spec")).isEqualTo(before);
    assertThat(after.at("/metadata/annotations").isMissingNode()).isTrue();
    assertThat(after.at("/metadata/managedFields"))
        .noneSatisfy(entry -> assertThat(entry.get("manager").asText()).isEqualTo("prescale"));
    stays(() -> replicas("adopted"), 3);
    lab().kubectl("apply", "--server-side", "--field-manager=gitops", "-f", write(users));
  }

  @Test
  void fightsNoOtherHpaAndSaysHowToGoOn() throws Exception {
    gauges().set("load_taken", 12);
    workload("taken", 1);
    lab().apply(usersHpa("taken"));
    var before = get("taken", "hpa", "by-cpu").get("spec");
    predictiveHpa("taken", "Active", "load_taken", "");

    patiently()
        .until(
            () -> condition("taken", "ScalingActive"),
            condition -> condition.get("reason").asText().equals("TargetConflict"));
    assertThat(condition("taken", "ScalingActive").get("message").asText())
        .contains("set spec.adopt: by-cpu");
    assertThat(hpas("taken")).containsExactly("by-cpu");
    assertThat(get("taken", "hpa", "by-cpu").get("spec")).isEqualTo(before);
  }

  @Test
  void aQueryThatGivesNoDemandIsToldAndNothingIsTouched() throws Exception {
    gauges().set("load_many{pod=\"a\"}", 1);
    gauges().set("load_many{pod=\"b\"}", 2);
    unusable("nothing", "load_that_nobody_has", "NoSeries");
    unusable("many", "load_many", "ManySeries");
    unusable("nan", "sum(load_many) * NaN", "NotANumber");
    unusable("text", "\\\"twelve\\\"", "QueryRefused");
    unusable("broken", "sum(load_many", "QueryRefused");
  }

  private static void unusable(String name, String query, String reason) throws Exception {
    workload(name, 2);
    predictiveHpa(name, "Active", query, "");
    patiently()
        .until(
            () -> condition(name, "MetricsAvailable"),
            condition -> condition.get("reason").asText().equals(reason));
    assertThat(condition(name, "ScalingActive").get("reason").asText()).isEqualTo("HpaPending");
    assertThat(hpas(name)).isEmpty();
    assertThat(replicas(name)).isEqualTo(2);
  }

  @Test
  void aTargetThatIsNotThereOrCannotBeScaledIsTold() throws Exception {
    lab().kubectl("create", "namespace", "gone");
    predictiveHpa("gone", "Active", "vector(1)", "");
    patiently()
        .until(
            () -> condition("gone", "Ready"),
            condition -> condition.get("reason").asText().equals("TargetNotFound"));

    patch("gone", "{\"spec\":{\"scaleTargetRef\":{\"apiVersion\":\"v1\",\"kind\":\"Secret\"}}}");
    patiently()
        .until(
            () -> condition("gone", "Ready"),
            condition -> condition.get("reason").asText().equals("TargetNotScalable"));

    lab()
        .apply(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: gone, namespace: gone}
            spec:
              replicas: 3
              serviceName: gone
              podManagementPolicy: Parallel
              selector: {matchLabels: {app: gone}}
              template:
                metadata: {labels: {app: gone}}
                spec: {containers: [{name: c, image: i}]}
            """);
    patch(
        "gone",
        "{\"spec\":{\"scaleTargetRef\":{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\"}}}");
    patiently().until(() -> phpa("gone"), phpa -> phpa.at("/status/currentReplicas").asInt() == 3);
  }

  @Test
  void explainTellsTheDecisionAsTheServiceAccountMayReadIt() throws Exception {
    gauges().set("load_explained", 14);
    workload("explained", 1);
    predictiveHpa("explained", "Shadow", "load_explained", "");
    patiently()
        .until(() -> phpa("explained"), phpa -> phpa.at("/status/desiredReplicas").asInt() == 4);

    var text = installed().run("explain", "explained/explained");
    assertThat(text)
        .contains("explained/explained: Deployment/explained, Shadow, decided at ")
        .contains("observed    14 of requests")
        .contains("4 replicas")
        .contains("ScalingActive False (ShadowMode)");
    var json = JSON.readTree(installed().run("explain", "explained/explained", "--json"));
    assertThat(json.at("/lastDecision/desiredReplicas").asInt()).isEqualTo(4);
    assertThat(installed().run("explain", "explained/explained", "--at", "0s"))
        .contains("in force since");
  }

  private static void workload(String name, int replicas) throws Exception {
    lab().kubectl("create", "namespace", name);
    lab()
        .kubectl(
            "create",
            "deployment",
            name,
            "--namespace=" + name,
            "--image=model",
            "--replicas=" + replicas);
  }

  private static void predictiveHpa(String name, String mode, String query, String more)
      throws Exception {
    lab()
        .apply(
            """
            apiVersion: autoscaling.prescale.io/v1alpha1
            kind: PredictiveHPA
            metadata: {name: %1$s, namespace: %1$s}
            spec:
              scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %1$s}
              maxReplicas: 9
              mode: %2$s
              metrics:
              - name: requests
                prometheus: {query: "%3$s"}
                target: {averageValue: "4"}
              forecast: {step: 2s, history: 6h}
              %4$s
            """
                .formatted(name, mode, query, more));
  }

  private static String usersHpa(String name) {
    return """
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: by-cpu, namespace: %1$s}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %1$s}
      minReplicas: 1
      maxReplicas: 4
      metrics:
      - type: Resource
        resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
    """
        .formatted(name);
  }

  private static String write(String manifest) throws IOException {
    var file = Files.createTempFile("manifest", ".yaml");
    file.toFile().deleteOnExit();
    return Files.writeString(file, manifest).toString();
  }

  private static void patch(String name, String merge) throws Exception {
    lab().kubectl("patch", "phpa", name, "--namespace=" + name, "--type=merge", "--patch=" + merge);
  }

  private static JsonNode phpa(String name) throws Exception {
    return get(name, "phpa", name);
  }

  private static JsonNode condition(String name, String type) throws Exception {
    for (JsonNode condition : phpa(name).at("/status/conditions")) {
      if (condition.get("type").asText().equals(type)) {
        return condition;
      }
    }
    return JSON.readTree("{\"status\":\"\",\"reason\":\"\",\"message\":\"\"}");
  }

  private static int replicas(String name) throws Exception {
    return get(name, "deployment", name).at("/spec/replicas").asInt();
  }

  private static List<String> hpas(String namespace) throws Exception {
    return lab()
        .kubectl("get", "hpa", "--namespace=" + namespace, "-o", "name")
        .lines()
        .map(line -> line.substring(line.indexOf('/') + 1))
        .toList();
  }

  private static JsonNode get(String namespace, String kind, String name) throws Exception {
    return JSON.readTree(
        lab().kubectl("get", kind, name, "--namespace=" + namespace, "-o", "json"));
  }

  private static Lab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }

  private static Gauges gauges() {
    return Objects.requireNonNull(gauges, "the gauges were not started");
  }

  private static PrescaleInLab installed() {
    return Objects.requireNonNull(prescale, "Prescale was not installed");
  }
}
