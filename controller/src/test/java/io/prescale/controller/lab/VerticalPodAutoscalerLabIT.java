package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.demand.prometheus.SelfSigned;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A VerticalPodAutoscaler's own updater evicts the pods of a target, and its own webhook gives
 * those that come back other requests. What its recommender would say is written by the test. Its
 * first run builds them.
 */
class VerticalPodAutoscalerLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RECOMMENDATION =
      """
      {"status": {
        "conditions": [{"type": "RecommendationProvided", "status": "True",
          "lastTransitionTime": "2026-01-01T00:00:00Z"}],
        "recommendation": {"containerRecommendations": [{
          "containerName": "model",
          "lowerBound": {"cpu": "400m"}, "target": {"cpu": "500m"}, "upperBound": {"cpu": "1"}}]}}}
      """;

  @Test
  void podsAreReplacedByItsUpdaterAndNoReplicaTooManyIsAskedFor(@TempDir Path folder)
      throws Exception {
    var programs = Lab.verticalPodAutoscaler();
    try (var lab = GaugedLab.start(folder, "vertical-pod-autoscaler")) {
      lab.kubectl("apply", "--server-side", "-f", programs.resolve("crds").toString());
      lab.awaitDefinitions();
      try (var webhook = webhook(lab, programs, folder);
          var updater = updater(lab, programs)) {
        lab.gauges().set("load_vertical", 12);
        lab.kubectl("create", "namespace", "vertical");
        lab.apply(target());
        lab.predictiveHpa("vertical", "Active", "load_vertical", "");
        patiently().until(() -> requests(lab), Collections.nCopies(3, "100m")::equals);
        var decided = lab.phpa("vertical").at("/status/desiredReplicas").asInt();

        lab.kubectl(
            "patch",
            "vpa",
            "vertical",
            "--namespace=vertical",
            "--subresource=status",
            "--type=merge",
            "--patch=" + RECOMMENDATION);

        var counts = new TreeSet<Integer>();
        patiently()
            .until(
                () -> {
                  counts.add(lab.replicas("vertical"));
                  return requests(lab);
                },
                Collections.nCopies(3, "500m")::equals);
        assertThat(counts).containsExactly(3);
        stays(() -> lab.replicas("vertical"), 3);
        assertThat(lab.phpa("vertical").at("/status/desiredReplicas").asInt()).isEqualTo(decided);
        assertThat(lab.condition("vertical", "ScalingActive").get("reason").asText())
            .isEqualTo("Scaling");
        lab.gauges().set("load_vertical", 20);
        patiently().until(() -> requests(lab), Collections.nCopies(5, "500m")::equals);
        assertThat(List.of(webhook, updater)).allMatch(it -> it.process().isAlive());
      }
    }
  }

  private static Replica webhook(GaugedLab lab, Path programs, Path folder) throws Exception {
    var certificate = SelfSigned.create(folder, "vpa-webhook", "dns:localhost", "EC");
    int port = PrescaleInLab.freePort();
    return start(
        lab,
        programs,
        "admission-controller",
        "--client-ca-file=" + certificate.certificate(),
        "--tls-cert-file=" + certificate.certificate(),
        "--tls-private-key=" + certificate.key(),
        "--register-by-url",
        "--webhook-address=https://localhost",
        "--webhook-port=" + port,
        "--port=" + port);
  }

  private static Replica updater(GaugedLab lab, Path programs) throws Exception {
    return start(lab, programs, "updater", "--updater-interval=5s");
  }

  private static Replica start(GaugedLab lab, Path programs, String name, String... options)
      throws Exception {
    var kubeconfig = lab.lab().describe().kubeconfig();
    var command = new ArrayList<>(List.of(programs.resolve(name).toString()));
    command.add("--kubeconfig=" + kubeconfig);
    command.add("--address=127.0.0.1:" + PrescaleInLab.freePort());
    command.addAll(List.of(options));
    return Replica.start("vpa-" + name, command, Map.of("NAMESPACE", "kube-system"));
  }

  /** What the pods that are ready request, and that are not about to go. */
  private static List<String> requests(GaugedLab lab) throws Exception {
    var requests = new ArrayList<String>();
    var pods = JSON.readTree(lab.kubectl("get", "pods", "--namespace=vertical", "-o", "json"));
    for (JsonNode pod : pods.get("items")) {
      if (pod.at("/metadata/deletionTimestamp").isMissingNode()
          && pod.at("/status/phase").asText().equals("Running")) {
        requests.add(pod.at("/spec/containers/0/resources/requests/cpu").asText());
      }
    }
    return requests;
  }

  private static String target() {
    return """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: vertical, namespace: vertical}
    spec:
      selector: {matchLabels: {app: vertical}}
      template:
        metadata: {labels: {app: vertical}}
        spec: {containers: [{name: model, image: model, resources: {requests: {cpu: 100m}}}]}
    ---
    apiVersion: autoscaling.k8s.io/v1
    kind: VerticalPodAutoscaler
    metadata: {name: vertical, namespace: vertical}
    spec:
      targetRef: {apiVersion: apps/v1, kind: Deployment, name: vertical}
      updatePolicy: {updateMode: Recreate}
    """;
  }
}
