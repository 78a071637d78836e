package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.demand.prometheus.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prescale before Kubernetes' example of an adapter, which served the cluster's metrics first. Its
 * first run builds the example.
 */
class PassThroughLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String THEIRS =
      SharedMetricsApi.metric("default", "my-external-metric", "foo=bar");
  private static final String OURS =
      SharedMetricsApi.metric("default", LabObjects.METRIC, "predictivehpa=ours");
  private static final String UNKNOWN =
      SharedMetricsApi.metric("default", "nothing-of-the-kind", "foo=bar");
  private static final String HPA = "prescale-ours";
  private static final String SERVICE = "sample-adapter.custom-metrics.svc";

  /** The example's, with the roles that Kubernetes has for adapters. */
  private static final String ACCOUNT =
      """
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: sample-adapter, namespace: custom-metrics}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: sample-adapter}
      roleRef:
        {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "system:auth-delegator"}
      subjects: [{kind: ServiceAccount, name: sample-adapter, namespace: custom-metrics}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: sample-adapter, namespace: kube-system}
      roleRef:
        apiGroup: rbac.authorization.k8s.io
        kind: Role
        name: extension-apiserver-authentication-reader
      subjects: [{kind: ServiceAccount, name: sample-adapter, namespace: custom-metrics}]
      """;

  @Test
  void noReadOfEitherFailsWhileTheApiIsTakenOverAndGivenBack(@TempDir Path folder)
      throws Exception {
    var config = folder.resolve("prometheus.yml");
    try (var exporter = LoadExporter.start(new Steady(), Clock.systemUTC());
        var lab =
            Lab.start(
                "--nodes=3",
                "--hpa-sync-period=5s",
                "--pod-start-delay=2s",
                "--prometheus-config=" + Files.writeString(config, exporter.prometheusConfig()))) {
      var prescale = PrescaleInLab.install(lab, folder);
      var port = PrescaleInLab.freePort();
      var certificate = SelfSigned.create(folder, "sample", "dns:" + SERVICE, "EC");
      lab.apply(ForeignAdapter.registration("custom-metrics", "sample-adapter", port, certificate));
      lab.apply(LabObjects.deployment("theirs", Duration.ofSeconds(2)));
      lab.apply(hpa());
      lab.apply(ACCOUNT);
      var account = PrescaleInLab.kubeconfig(lab, folder, "custom-metrics", "sample-adapter");
      var api = new SharedMetricsApi(lab);
      try (var sample = start(lab, port, certificate, account);
          var autoscaler = api.autoscaler()) {
        patiently().until(() -> replicas(lab, "theirs"), it -> it == 2);
        int failedBefore = api.failedReads("default", "theirs");
        var unknown = autoscaler.raw(UNKNOWN);

        try (var theirs = MetricReads.start(autoscaler, THEIRS);
            var replica = SharedMetricsApi.passing(prescale, folder, SERVICE)) {
          lab.apply(LabObjects.deployment("ours", Duration.ofSeconds(2)));
          patiently().until(() -> api.holder(), "prescale"::equals);
          lab.apply(predictiveHpa());
          patiently().until(() -> autoscaler.raw(OURS).contains("\"value\""));
          var ours = MetricReads.start(autoscaler, OURS);
          patiently().until(() -> api.active("default"), it -> it == 2);
          int failedOfBoth = api.failedReads("default", HPA); // before the first value
          patiently().until(() -> replicas(lab, "ours"), it -> it == 6); // by their metric
          patiently().until(ours::count, count -> count > 150);
          assertThat(theirs.failures()).isEmpty();
          assertThat(api.failedReads("default", "theirs")).isEqualTo(failedBefore);
          assertThat(api.failedReads("default", HPA)).as("reads both").isEqualTo(failedOfBoth);
          assertThat(autoscaler.raw(UNKNOWN)).as("word for word").isEqualTo(unknown);

          sample.kill();
          patiently().until(() -> !theirs.failures().isEmpty());
          assertThat(theirs.failures().getFirst())
              .contains("custom-metrics/sample-adapter, which serves this metric, did not answer");
          assertThat(ours.failures()).as("only its own metrics fail").isEmpty();
          assertThat(autoscaler.raw(SharedMetricsApi.PATH)).contains("externalmetrics");

          try (var again = start(lab, port, certificate, account)) {
            patiently().until(() -> autoscaler.raw(THEIRS).contains("\"42\""));
            theirs.forget();
            ours.close();
            assertThat(prescale.run("give-back"))
                .contains("custom-metrics/sample-adapter serves external metrics again");
            assertThat(api.holder()).isEqualTo("sample-adapter");
            int before = theirs.count();
            patiently().until(() -> theirs.count() > before + 100);
            assertThat(theirs.failures()).isEmpty();
            assertThat(api.holder()).as("replicas leave it").isEqualTo("sample-adapter");
            assertThat(again.process().isAlive()).isTrue();
            assertThat(UsedPermissions.seen(lab).used())
                .as("the example asks whether Prescale may call it in the reader's name")
                .contains(
                    "prescale-horizontal-pod-autoscaler: impersonate serviceaccounts"
                        + " horizontal-pod-autoscaler");
          }
          assertThat(replica.process().isAlive()).isTrue();
        }
        assertThat(replicas(lab, "theirs")).isEqualTo(2);
      }
    }
  }

  /** Its HPA reads a metric of the example's, too, which asks for six replicas. */
  private static String predictiveHpa() {
    return LabObjects.predictiveHpa("ours", 10, "step: 5s, history: 6h", "  leadTime: 10s")
        .replace(
            "  forecast:",
            """
              - name: theirs
                native:
                  type: External
                  external:
                    metric: {name: my-external-metric, selector: {matchLabels: {foo: bar}}}
                    target: {type: AverageValue, averageValue: "7"}
              forecast:\
            """);
  }

  /** For five replicas of ten. */
  private static final class Steady implements Load {
    @Override
    public Duration step() {
      return Duration.ofSeconds(5);
    }

    @Override
    public double at(Instant time) {
      return 45;
    }
  }

  private static int replicas(Lab lab, String deployment) throws Exception {
    return JSON.readTree(lab.kubectl("get", "deployment", deployment, "-o", "json"))
        .at("/spec/replicas")
        .asInt();
  }

  private static Replica start(Lab lab, int port, SelfSigned certificate, Path account)
      throws IOException, InterruptedException {
    var kubeconfig = lab.describe().kubeconfig().toString();
    return Replica.start(
        "sample-adapter",
        List.of(
            Lab.sampleAdapter().toString(),
            "--secure-port=" + port,
            "--bind-address=127.0.0.1",
            "--tls-cert-file=" + certificate.certificate(),
            "--tls-private-key-file=" + certificate.key(),
            "--lister-kubeconfig=" + kubeconfig,
            "--authentication-kubeconfig=" + account,
            "--authorization-kubeconfig=" + account),
        Map.of("KUBECONFIG", kubeconfig));
  }

  /** By the example's constant 42. */
  private static String hpa() {
    return """
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: theirs, namespace: default}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: theirs}
      minReplicas: 1
      maxReplicas: 5
      metrics:
      - type: External
        external:
          metric: {name: my-external-metric, selector: {matchLabels: {foo: bar}}}
          target: {type: AverageValue, averageValue: "21"}
    """;
  }
}
