package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rollouts of Argo's own controller, scaled while both revisions run. Its first run builds it. */
class ArgoRolloutsLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static @Nullable GaugedLab lab;
  private static @Nullable Replica controller;

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    var programs = Lab.argoRollouts();
    lab = GaugedLab.start(folder, "argo-rollouts");
    lab.kubectl("apply", "--server-side", "-f", programs.resolve("crds").toString());
    lab.awaitDefinitions();
    controller =
        Replica.start(
            "rollouts-controller",
            List.of(
                programs.resolve("rollouts-controller").toString(),
                "--leader-elect=false",
                "--metricsport=" + PrescaleInLab.freePort(),
                "--healthzPort=" + PrescaleInLab.freePort()),
            Map.of("KUBECONFIG", lab.lab().describe().kubeconfig().toString()));
  }

  @AfterAll
  static void stopAll() {
    if (controller != null) {
      controller.close();
    }
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void aCanaryUnderWayScalesWithItsStable() throws Exception {
    lab().gauges().set("load_canary", 16);
    rollout("canary", "canary: {steps: [{setWeight: 50}, {pause: {}}]}");
    patiently().until(() -> ready("canary"), ready -> ready.equals(List.of(4)));
    patiently().until(() -> readyReplicas("canary"), ready -> ready == 4);
    var stable = revision("canary");

    newRevision("canary");
    patiently().until(() -> ready("canary"), ready -> ready.equals(List.of(2, 2)));
    lab().gauges().set("load_canary", 32);

    patiently().until(() -> ready("canary"), ready -> ready.equals(List.of(4, 4)));
    patiently().until(() -> readyReplicas("canary"), ready -> ready == 8);
    assertThat(lab().condition("canary", "ScalingActive").get("reason").asText())
        .isEqualTo("Scaling");

    promote("canary");
    patiently().until(() -> ready("canary"), ready -> ready.equals(List.of(8)));
    patiently().until(() -> revision("canary"), revision -> !revision.equals(stable));
    var label = "--selector=rollouts-pod-template-hash=" + revision("canary");
    assertThat(lab().kubectl("get", "pods", "--namespace=canary", label, "-o", "name").lines())
        .as("status.rollout names the revision of all pods")
        .hasSize(8);
    stays(() -> lab().get("canary", "rollout", "canary").at("/spec/replicas").asInt(), 8);
  }

  @Test
  void ofBlueAndGreenThosePodsCountThatServe() throws Exception {
    lab().gauges().set("load_colours", 12);
    lab().kubectl("create", "namespace", "colours");
    lab().kubectl("create", "service", "clusterip", "colours", "--tcp=80", "--namespace=colours");
    rollout("colours", "blueGreen: {activeService: colours, autoPromotionEnabled: false}");
    patiently().until(() -> ready("colours"), ready -> ready.equals(List.of(3)));
    patiently().until(() -> readyReplicas("colours"), ready -> ready == 3);

    newRevision("colours");
    patiently().until(() -> ready("colours"), ready -> ready.equals(List.of(3, 3)));
    stays(() -> readyReplicas("colours"), 3);
    lab().gauges().set("load_colours", 20);
    patiently().until(() -> ready("colours"), ready -> ready.equals(List.of(5, 5)));
    patiently().until(() -> readyReplicas("colours"), ready -> ready == 5);

    promote("colours");
    lab().gauges().set("load_colours", 28);
    patiently().until(() -> readyReplicas("colours"), ready -> ready == 7);
    assertThat(lab().condition("colours", "ScalingActive").get("reason").asText())
        .isEqualTo("Scaling");
  }

  /** Of a namespace's name, with a PredictiveHPA. */
  private static void rollout(String name, String strategy) throws Exception {
    lab()
        .apply(
            """
            apiVersion: v1
            kind: Namespace
            metadata: {name: %1$s}
            ---
            apiVersion: argoproj.io/v1alpha1
            kind: Rollout
            metadata: {name: %1$s, namespace: %1$s}
            spec:
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec: {containers: [{name: model, image: "model:1"}]}
              strategy: {%2$s}
            """
                .formatted(name, strategy));
    lab()
        .apply(
            GaugedLab.manifest(name, "Active", "load_" + name, "")
                .replace("apiVersion: apps/v1", "apiVersion: argoproj.io/v1alpha1")
                .replace("kind: Deployment", "kind: Rollout"));
  }

  private static void newRevision(String name) throws Exception {
    patch(
        name,
        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"model\",\"image\":\"model:2\"}]}}}}");
  }

  /** What {@code kubectl argo rollouts promote --full} does. */
  private static void promote(String name) throws Exception {
    patch(name, "{\"status\":{\"promoteFull\":true}}", "--subresource=status");
  }

  private static void patch(String name, String merge, String... more) throws Exception {
    var arguments =
        new ArrayList<>(List.of("patch", "rollout", name, "--namespace=" + name, "--type=merge"));
    arguments.add("--patch=" + merge);
    arguments.addAll(List.of(more));
    lab().kubectl(arguments.toArray(String[]::new));
  }

  /** The ready pods of each revision that has some, the oldest first. */
  private static List<Integer> ready(String name) throws Exception {
    var sets =
        JSON.readTree(
            lab()
                .kubectl(
                    "get",
                    "replicasets",
                    "--namespace=" + name,
                    "--sort-by=.metadata.creationTimestamp",
                    "-o",
                    "json"));
    return StreamSupport.stream(sets.get("items").spliterator(), false)
        .map((JsonNode set) -> set.at("/status/readyReplicas").asInt())
        .filter(ready -> ready > 0)
        .toList();
  }

  private static int readyReplicas(String name) throws Exception {
    return lab().phpa(name).at("/status/readyReplicas").asInt();
  }

  private static String revision(String name) throws Exception {
    return lab().phpa(name).at("/status/rollout/revision").asText();
  }

  private static GaugedLab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
