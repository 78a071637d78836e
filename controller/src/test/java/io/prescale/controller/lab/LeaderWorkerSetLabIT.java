package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.demand.prometheus.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Groups of two pods by LeaderWorkerSet's own controllers and webhooks. Its first run builds them.
 */
class LeaderWorkerSetLabIT {
  private static final String OF_GROUPS =
      "{matchExpressions: [{key: leaderworkerset.sigs.k8s.io/name, operator: Exists}]}";

  @Test
  void groupsAreScaledWholeAndTheirLeadersCount(@TempDir Path folder) throws Exception {
    var programs = Lab.leaderWorkerSet();
    try (var lab = GaugedLab.start(folder, "leader-worker-set");
        var controllers = start(lab, programs, folder)) {
      lab.gauges().set("load_groups", 12);
      lab.kubectl("create", "namespace", "groups");
      patiently()
          .until(() -> lab.apply(groups()), said -> said.contains("created")); // by the webhooks
      lab.apply(
          GaugedLab.manifest(
                  "groups",
                  "Active",
                  "load_groups",
                  "behavior: {scaleDown: {stabilizationWindowSeconds: 0}}")
              .replace("apiVersion: apps/v1", "apiVersion: leaderworkerset.x-k8s.io/v1")
              .replace("kind: Deployment", "kind: LeaderWorkerSet"));

      patiently().until(() -> readyGroups(lab), groups -> groups == 3);
      assertThat(pods(lab)).isEqualTo(6);
      patiently().until(() -> status(lab, "readyReplicas"), ready -> ready.equals("3"));
      lab.gauges().set("load_groups", 20);
      patiently().until(() -> readyGroups(lab), groups -> groups == 5);
      patiently()
          .until(
              () -> lab.phpa("groups").at("/status/leadTime/source").asText(), "Measured"::equals);
      assertThat(pods(lab)).isEqualTo(10);

      lab.gauges().set("load_groups", 4);
      patiently().until(() -> pods(lab), pods -> pods == 2);
      assertThat(lab.condition("groups", "ScalingActive").get("reason").asText())
          .isEqualTo("Scaling");
      assertThat(controllers.process().isAlive()).isTrue();
    }
  }

  private static Replica start(GaugedLab lab, Path programs, Path folder) throws Exception {
    var certificate = SelfSigned.create(folder, "lws", "dns:localhost", "EC");
    var files = Files.createDirectories(folder.resolve("lws"));
    Files.copy(certificate.certificate(), files.resolve("tls.crt"));
    Files.copy(certificate.key(), files.resolve("tls.key"));
    int port = PrescaleInLab.freePort();
    var definitions = programs.resolve("crds");
    lab.kubectl(
        "apply",
        "--server-side",
        "-f",
        definitions.resolve("leaderworkerset.x-k8s.io_leaderworkersets.yaml").toString());
    lab.awaitDefinitions();
    lab.apply(webhooks(definitions.resolve("manifests.yaml"), port, certificate));
    var config =
        Files.writeString(
            folder.resolve("lws.yaml"),
            """
            apiVersion: config.lws.x-k8s.io/v1alpha1
            kind: Configuration
            leaderElection: {leaderElect: false}
            internalCertManagement: {enable: false}
            metrics: {bindAddress: "0"}
            health: {healthProbeBindAddress: "0"}
            webhook: {port: %d, host: 127.0.0.1, certDir: %s}
            """
                .formatted(port, files));
    return Replica.start(
        "lws",
        List.of(programs.resolve("cmd").toString(), "--config=" + config),
        Map.of("KUBECONFIG", lab.lab().describe().kubeconfig().toString()));
  }

  /** Those of the module, on this machine; those for pods see only those of groups. */
  private static String webhooks(Path manifests, int port, SelfSigned certificate)
      throws IOException {
    var authority =
        Base64.getEncoder().encodeToString(Files.readAllBytes(certificate.certificate()));
    return Files.readString(manifests)
        .replaceAll(
            "service:\\n +name: webhook-service\\n +namespace: system\\n +path: (\\S+)",
            "url: https://localhost:%d$1\n    caBundle: %s".formatted(port, authority))
        .replaceAll("name: [mv]pod\\.kb\\.io", "$0\n  objectSelector: " + OF_GROUPS);
  }

  private static int readyGroups(GaugedLab lab) throws Exception {
    return lab.get("groups", "leaderworkerset", "groups").at("/status/readyReplicas").asInt();
  }

  private static long pods(GaugedLab lab) throws Exception {
    return lab.kubectl("get", "pods", "--namespace=groups", "-o", "name").lines().count();
  }

  private static String status(GaugedLab lab, String field) throws Exception {
    return lab.phpa("groups").at("/status/" + field).asText();
  }

  private static String groups() {
    return """
    apiVersion: leaderworkerset.x-k8s.io/v1
    kind: LeaderWorkerSet
    metadata: {name: groups, namespace: groups}
    spec:
      replicas: 1
      leaderWorkerTemplate:
        size: 2
        workerTemplate: {spec: {containers: [{name: model, image: model}]}}
    """;
  }
}
