package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real ReplicaSet controller removes the pods with the least work in flight. */
class DeletionCostLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String COST = "controller.kubernetes.io/pod-deletion-cost";

  private static @Nullable GaugedLab lab;

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    lab = GaugedLab.start(folder, "deletion-cost");
    lab()
        .apply(
            new Helm("helm4", lab().lab(), folder)
                .template(
                    "--set=deletionCosts.enabled=true",
                    "--show-only=templates/deletion-costs.yaml"));
    lab().kubectl("create", "namespace", "policy");
    lab().kubectl("run", "kept", "--image=model", "--namespace=policy");
    // A policy takes effect a moment after its creation. What is changed before then is a change
    // once only, and stays with its manager when another one applies.
    var attempts = new AtomicInteger();
    patiently()
        .untilAsserted(
            () ->
                assertRefused(
                    "metadata: {labels: {attempt: a%d}}".formatted(attempts.incrementAndGet()),
                    "waiting"));
  }

  @AfterAll
  static void stopAll() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void aScaleInRemovesThePodsWithTheLeastWork() throws Exception {
    var pods = serving("idlest", "behavior: {scaleDown: {stabilizationWindowSeconds: 0}}");
    work(pods, 9, 0, 4, 30, 12);
    awaitReason("idlest", "NoScaleInNear");

    lab().gauges().set("load_idlest", 12);

    patiently().until(() -> lab().replicas("idlest"), replicas -> replicas == 3);
    var left = List.of(pods.get(0), pods.get(3), pods.get(4));
    patiently().untilAsserted(() -> assertThat(costs("idlest")).containsOnlyKeys(left));
    assertThat(costs("idlest").values()).as("those that stay are not marked").containsOnly("");

    work(pods, 40, 0, 0, 30, 12);
    lab().gauges().set("load_idlest", 8);
    patiently()
        .untilAsserted(
            () -> assertThat(costs("idlest")).containsOnlyKeys(pods.get(0), pods.get(3)));
  }

  @Test
  void onlyItsOwnMarksAreChangedAndRemovedInShadowMode() throws Exception {
    var pods = serving("marked", "behavior: {scaleDown: {selectPolicy: Disabled}}");
    work(pods, 9, 0, 4, 30, 12);
    lab().kubectl("annotate", "pod", pods.get(1), COST + "=7", "--namespace=marked");
    lab()
        .apply(
            GaugedLab.manifest("marked", "Shadow", "load_marked", "")
                .replace("metadata: {name: marked,", "metadata: {name: beside,"));
    patiently()
        .until(
            () -> lab().get("marked", "phpa", "beside").at("/status/desiredReplicas").asInt(),
            desired -> desired == 5);

    lab().gauges().set("load_marked", 12);

    awaitReason("marked", "Marked");
    patiently()
        .untilAsserted(
            () ->
                assertThat(costs("marked"))
                    .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                            pods.get(0),
                            "-99",
                            pods.get(1),
                            "7",
                            pods.get(2),
                            "-100",
                            pods.get(3),
                            "",
                            pods.get(4),
                            "")));
    assertThat(lab().prescale().run("explain", "marked/marked"))
        .contains("Marked. 2 of 4 serving pods could go");
    var before = resourceVersions("marked");
    stays(() -> lab().replicas("marked"), 5);
    assertThat(resourceVersions("marked")).as("written once").isEqualTo(before);

    lab().patch("marked", "{\"spec\":{\"mode\":\"Shadow\"}}");
    patiently()
        .untilAsserted(
            () -> {
              assertThat(costs("marked")).containsEntry(pods.get(1), "7");
              assertThat(costs("marked").values()).containsOnly("", "7");
            });
    awaitReason("marked", "ShadowMode");
  }

  @Test
  void podsOfATargetThatIsLeftLoseTheirMarks() throws Exception {
    var pods = marked("moved");

    lab().kubectl("create", "deployment", "next", "--namespace=moved", "--image=model");
    lab().patch("moved", "{\"spec\":{\"scaleTargetRef\":{\"name\":\"next\"}}}");

    patiently()
        .untilAsserted(
            () -> {
              assertThat(costs("moved").values()).containsOnly("");
              assertThat(costs("moved")).containsKeys(pods.toArray(String[]::new));
            });
    patiently()
        .until(
            () -> lab().phpa("moved").at("/status/scaleIn/marked/name").asText(), "next"::equals);
  }

  @Test
  void whatIsNoLongerWishedIsRemovedAlsoBesideAYoungerRival() throws Exception {
    var pods = marked("unwished");
    lab()
        .apply(
            GaugedLab.manifest("unwished", "Active", "load_unwished", "")
                .replace("metadata: {name: unwished,", "metadata: {name: rival,"));
    patiently()
        .until(
            () -> lab().condition("unwished", "rival", "ScalingActive").get("reason").asText(),
            "TargetConflict"::equals);

    lab().patch("unwished", "{\"spec\":{\"scaleIn\":null}}");

    patiently().untilAsserted(() -> assertThat(costs("unwished").values()).containsOnly(""));
    assertThat(costs("unwished")).containsOnlyKeys(pods);
  }

  /** Five pods that stay, two of them marked. */
  private static List<String> marked(String name) throws Exception {
    var pods = serving(name, "behavior: {scaleDown: {selectPolicy: Disabled}}");
    work(pods, 9, 0, 4, 30, 12);
    lab().gauges().set("load_" + name, 12);
    patiently()
        .untilAsserted(
            () ->
                assertThat(costs(name))
                    .containsEntry(pods.get(1), "-100")
                    .containsEntry(pods.get(2), "-99"));
    return pods;
  }

  @Test
  void thePolicyLetsPrescaleChangeNothingElseOfAPod() {
    assertRefused("metadata: {annotations: {example.com/x: y}}");
    assertRefused("metadata: {finalizers: [example.com/x]}");
    assertRefused("spec: {activeDeadlineSeconds: 5}");
    assertRefused("spec: {containers: [{name: kept, image: mine}]}");
    apply("metadata: {annotations: {%s: \"-5\"}}".formatted(COST), "test");
    apply("metadata: {}", "test");
  }

  @Test
  void whatCannotWorkIsRefusedWithTheReason() throws Exception {
    lab().kubectl("create", "namespace", "numbered");
    var withoutWork =
        GaugedLab.manifest(
            "numbered", "Active", "load_numbered", "scaleIn: {podDeletionCost: WorkInFlight}");

    assertThatThrownBy(() -> lab().apply(withoutWork))
        .hasMessageContaining("no metric shows how much work a pod has in flight");
    var manifest =
        GaugedLab.manifest("numbered", "Active", "load_numbered", scaleIn())
            .replace("kind: Deployment", "kind: StatefulSet");

    assertThatThrownBy(() -> lab().apply(manifest))
        .hasMessageContaining("a StatefulSet removes the pods with the highest numbers");
  }

  /** Five ready pods, in the order of their names. */
  private static List<String> serving(String name, String behavior) throws Exception {
    lab().gauges().set("load_" + name, 20);
    lab().workload(name, 5);
    patiently()
        .until(
            () -> lab().get(name, "deployment", name).at("/status/readyReplicas").asInt(),
            ready -> ready == 5);
    lab().predictiveHpa(name, "Active", "load_" + name, scaleIn() + "\n  " + behavior);
    return List.copyOf(costs(name).keySet());
  }

  private static String scaleIn() {
    return "scaleIn: {podDeletionCost: WorkInFlight, prometheus: {query: sum by (pod) (work)}}";
  }

  private static void work(List<String> pods, double... work) {
    IntStream.range(0, work.length)
        .forEach(i -> lab().gauges().set("work{pod=\"%s\"}".formatted(pods.get(i)), work[i]));
  }

  private static void awaitReason(String name, String reason) {
    patiently().until(() -> lab().phpa(name).at("/status/scaleIn/reason").asText(), reason::equals);
  }

  /** By pod that is not being deleted; empty for those without one. */
  private static Map<String, String> costs(String namespace) throws Exception {
    var costs = new TreeMap<String, String>();
    for (JsonNode pod : pods(namespace)) {
      if (!pod.at("/metadata").has("deletionTimestamp")) {
        costs.put(
            pod.at("/metadata/name").asText(),
            pod.at("/metadata/annotations").path(COST).asText(""));
      }
    }
    return costs;
  }

  private static Map<String, String> resourceVersions(String namespace) throws Exception {
    var versions = new TreeMap<String, String>();
    for (JsonNode pod : pods(namespace)) {
      versions.put(pod.at("/metadata/name").asText(), pod.at("/metadata/resourceVersion").asText());
    }
    return versions;
  }

  private static JsonNode pods(String namespace) throws Exception {
    return JSON.readTree(lab().kubectl("get", "pods", "--namespace=" + namespace, "-o", "json"))
        .get("items");
  }

  private static void assertRefused(String patch) {
    assertRefused(patch, "test");
  }

  private static void assertRefused(String patch, String manager) {
    assertThatThrownBy(() -> apply(patch, manager))
        .hasMessageContaining("ValidatingAdmissionPolicy")
        .hasMessageContaining("Prescale changes nothing of a pod but its annotation");
  }

  /** In the name of Prescale's account, which may not read a single pod, as kubectl would. */
  private static void apply(String change, String manager) {
    try (var client = LabObjects.client(lab().prescale().kubeconfig())) {
      var changed = client.getKubernetesSerialization().unmarshal(change, Pod.class);
      var pod =
          new PodBuilder(changed)
              .editOrNewMetadata()
              .withNamespace("policy")
              .withName("kept")
              .endMetadata()
              .build();
      client.resource(pod).fieldManager(manager).forceConflicts().serverSideApply();
    }
  }

  private static GaugedLab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
