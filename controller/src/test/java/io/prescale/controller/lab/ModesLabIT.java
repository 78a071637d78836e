package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;

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
 * What a PredictiveHPA does to a workload and to the user's HPA in each mode, on a real control
 * plane: nothing that was not asked for, and everything back when it goes.
 */
class ModesLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static @Nullable GaugedLab lab;

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    lab = GaugedLab.start(folder, "modes");
  }

  @AfterAll
  static void stopAll() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void shadowRecordsAndChangesNothingActiveScalesAndGoingLeavesTheSize() throws Exception {
    lab().gauges().set("load_modes", 20);
    lab().workload("modes", 2);
    lab().predictiveHpa("modes", "Shadow", "load_modes", "");

    patiently()
        .until(() -> lab().phpa("modes"), phpa -> phpa.at("/status/desiredReplicas").asInt() == 5);
    stays(() -> lab().replicas("modes"), 2);
    assertThat(lab().hpas("modes")).isEmpty();
    assertThat(lab().condition("modes", "ScalingActive").get("reason").asText())
        .isEqualTo("ShadowMode");

    lab().patch("modes", "{\"spec\":{\"mode\":\"Active\"}}");
    patiently().until(() -> lab().replicas("modes"), replicas -> replicas == 5);
    patiently()
        .until(
            () -> lab().condition("modes", "ScalingActive"),
            condition -> condition.get("status").asText().equals("True"));
    assertThat(
            lab()
                .get("modes", "hpa", "prescale-modes")
                .at("/spec/behavior/scaleUp/tolerance")
                .asText())
        .isEqualTo("0");

    lab().patch("modes", "{\"spec\":{\"fallback\":null}}"); // a quarter more, by default
    patiently().until(() -> lab().replicas("modes"), replicas -> replicas == 7);

    lab().patch("modes", "{\"spec\":{\"mode\":\"Shadow\"}}");
    patiently().until(() -> lab().hpas("modes").size(), count -> count == 0);
    lab().gauges().set("load_modes", 32);
    stays(() -> lab().replicas("modes"), 7);

    lab()
        .patch("modes", "{\"spec\":{\"mode\":\"Active\",\"fallback\":{\"utilization\":\"100%\"}}}");
    patiently().until(() -> lab().replicas("modes"), replicas -> replicas == 8);
    lab().kubectl("delete", "phpa", "modes", "--namespace=modes", "--timeout=5m");
    assertThat(lab().hpas("modes")).isEmpty();
    lab().gauges().set("load_modes", 1);
    stays(() -> lab().replicas("modes"), 8);
  }

  @Test
  void anAdoptedHpaGetsItsRulesBackAndNobodysFieldsStayOurs() throws Exception {
    lab().gauges().set("load_adopted", 12);
    lab().workload("adopted", 1);
    var users = usersHpa("adopted");
    lab().kubectl("apply", "--server-side", "--field-manager=gitops", "-f", write(users));
    var before = lab().get("adopted", "hpa", "by-cpu").get("spec");
    lab().predictiveHpa("adopted", "Active", "load_adopted", "adopt: by-cpu");

    patiently().until(() -> lab().replicas("adopted"), replicas -> replicas == 3);
    var adopted = lab().get("adopted", "hpa", "by-cpu");
    assertThat(adopted.at("/spec/metrics")).hasSize(2);
    assertThat(adopted.at("/spec/maxReplicas").asInt()).isEqualTo(9);
    assertThat(lab().hpas("adopted")).containsExactly("by-cpu");

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
    stays(() -> lab().replicas("adopted"), 3);
    lab().kubectl("apply", "--server-side", "--field-manager=gitops", "-f", write(users));
  }

  @Test
  @Tag("long")
  void fightsNoOtherHpaAndSaysHowToGoOn() throws Exception {
    lab().gauges().set("load_taken", 12);
    lab().workload("taken", 1);
    lab().apply(usersHpa("taken"));
    var before = lab().get("taken", "hpa", "by-cpu").get("spec");
    lab().predictiveHpa("taken", "Active", "load_taken", "");

    patiently()
        .until(
            () -> lab().condition("taken", "ScalingActive"),
            condition -> condition.get("reason").asText().equals("TargetConflict"));
    assertThat(lab().condition("taken", "ScalingActive").get("message").asText())
        .contains("set spec.adopt: by-cpu");
    assertThat(lab().hpas("taken")).containsExactly("by-cpu");
    assertThat(lab().get("taken", "hpa", "by-cpu").get("spec")).isEqualTo(before);
  }

  @Test
  void aQueryThatGivesNoDemandIsToldAndNothingIsTouched() throws Exception {
    lab().gauges().set("load_many{pod=\"a\"}", 1);
    lab().gauges().set("load_many{pod=\"b\"}", 2);
    unusable("nothing", "load_that_nobody_has", "NoSeries");
    unusable("many", "load_many", "ManySeries");
    unusable("nan", "sum(load_many) * NaN", "NotANumber");
    unusable("text", "\\\"twelve\\\"", "QueryRefused");
    unusable("broken", "sum(load_many", "QueryRefused");
  }

  private static void unusable(String name, String query, String reason) throws Exception {
    lab().workload(name, 2);
    lab().predictiveHpa(name, "Active", query, "");
    patiently()
        .until(
            () -> lab().condition(name, "MetricsAvailable"),
            condition -> condition.get("reason").asText().equals(reason));
    assertThat(lab().condition(name, "ScalingActive").get("reason").asText())
        .isEqualTo("HpaPending");
    assertThat(lab().hpas(name)).isEmpty();
    assertThat(lab().replicas(name)).isEqualTo(2);
  }

  @Test
  void aTargetThatIsNotThereOrCannotBeScaledIsTold() throws Exception {
    lab().kubectl("create", "namespace", "gone");
    lab().predictiveHpa("gone", "Active", "vector(1)", "");
    patiently()
        .until(
            () -> lab().condition("gone", "Ready"),
            condition -> condition.get("reason").asText().equals("TargetNotFound"));

    lab()
        .patch(
            "gone", "{\"spec\":{\"scaleTargetRef\":{\"apiVersion\":\"v1\",\"kind\":\"Secret\"}}}");
    patiently()
        .until(
            () -> lab().condition("gone", "Ready"),
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
    lab()
        .patch(
            "gone",
            "{\"spec\":{\"scaleTargetRef\":{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\"}}}");
    patiently()
        .until(() -> lab().phpa("gone"), phpa -> phpa.at("/status/currentReplicas").asInt() == 3);
  }

  @Test
  void explainTellsTheDecisionAsTheServiceAccountMayReadIt() throws Exception {
    lab().gauges().set("load_explained", 14);
    lab().workload("explained", 1);
    lab().predictiveHpa("explained", "Shadow", "load_explained", "");
    patiently()
        .until(
            () -> lab().phpa("explained"), phpa -> phpa.at("/status/desiredReplicas").asInt() == 4);

    var text = lab().prescale().run("explain", "explained/explained");
    assertThat(text)
        .contains("explained/explained: Deployment/explained, Shadow, decided at ")
        .contains("observed    14 of requests")
        .contains("4 replicas")
        .contains("ScalingActive False (ShadowMode)");
    var json = JSON.readTree(lab().prescale().run("explain", "explained/explained", "--json"));
    assertThat(json.at("/lastDecision/desiredReplicas").asInt()).isEqualTo(4);
    assertThat(lab().prescale().run("explain", "explained/explained", "--at", "0s"))
        .contains("in force since");
  }

  @Test
  @Tag("long")
  void ofTwoWithOneTargetTheOlderScalesAndBothSaySo() throws Exception {
    lab().gauges().set("load_twice", 12);
    lab().gauges().set("load_younger", 36);
    lab().workload("twice", 1);
    lab().predictiveHpa("twice", "Active", "load_twice", "");
    patiently().until(() -> lab().replicas("twice"), replicas -> replicas == 3);
    lab()
        .apply(
            GaugedLab.manifest("twice", "Active", "load_younger", "")
                .replace("metadata: {name: twice,", "metadata: {name: younger,"));

    patiently()
        .until(
            () -> lab().condition("twice", "younger", "ScalingActive"),
            condition -> condition.get("reason").asText().equals("TargetConflict"));
    assertThat(lab().condition("twice", "younger", "ScalingActive").get("message").asText())
        .contains("twice");
    patiently()
        .until(
            () -> lab().condition("twice", "ScalingActive").get("message").asText(),
            message ->
                message.contains("PredictiveHPA younger, which is younger, has the same target"));
    stays(() -> lab().replicas("twice"), 3);
    assertThat(lab().hpas("twice")).containsExactly("prescale-twice");

    lab().kubectl("delete", "phpa", "twice", "--namespace=twice", "--timeout=5m");
    patiently().until(() -> lab().replicas("twice"), replicas -> replicas == 9);
    assertThat(lab().hpas("twice")).containsExactly("prescale-younger");
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

  private static GaugedLab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
