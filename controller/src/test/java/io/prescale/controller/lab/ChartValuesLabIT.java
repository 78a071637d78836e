package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the chart makes of values other than its own, by real Helms and a real API server. */
class ChartValuesLabIT {
  private static @Nullable Lab lab;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    lab = Lab.start("--nodes=0");
  }

  @AfterAll
  static void stop() {
    if (lab != null) {
      lab.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"helm3", "helm4"})
  void refusesValuesThatMakeNoSense(String version) {
    var helm = new Helm(version, lab(), folder);
    for (String value :
        List.of("replicas=0", "replica=3", "tls.source=none", "prometheus.url=ftp://prometheus")) {
      assertThatThrownBy(
              () -> helm.run("template", "prescale", Helm.CHART.toString(), "--set=" + value))
          .as(value)
          .hasMessageContaining("values don't meet the specifications of the schema");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"helm3", "helm4"})
  void theApiServerTakesWhatOtherValuesGive(String version) throws Exception {
    var helm = new Helm(version, lab(), folder);
    lab().apply(ReleaseObjects.restrictedNamespace());
    var values =
        Files.writeString(
            folder.resolve("values-" + version + ".yaml"),
            """
            replicas: 1
            image: {digest: "sha256:%s", pullSecrets: [{name: registry}]}
            prometheus:
              tenant: team
              tokenSecret: {name: prometheus}
              caSecret: {name: prometheus}
              secretNamespaces: [prescale]
            tls: {source: secret, secretName: own}
            networkPolicy:
              metricsFrom: [{podSelector: {matchLabels: {app: prometheus}}}]
              egress: [{ports: [{port: 443}]}]
            rbac: {aggregate: false}
            scheduler: {enabled: true, name: gpu, claims: true, replicas: 1, image: {tag: v1.36.3}}
            javaOptions: -Xlog:gc
            priorityClassName: system-cluster-critical
            podAnnotations: {team: platform}
            nodeSelector: {kubernetes.io/os: linux}
            tolerations: [{key: dedicated, operator: Exists}]
            affinity: {podAntiAffinity: {}}
            """
                .formatted("0".repeat(64)));
    var rendered =
        helm.run(
            "template",
            "prescale",
            Helm.CHART.toString(),
            "--namespace=" + ReleasedProgram.NAMESPACE,
            "--values=" + values,
            "--skip-tests");

    assertThat(rendered).doesNotContain("PodDisruptionBudget", "self-made");
    var file = Files.writeString(folder.resolve("rendered-" + version + ".yaml"), rendered);
    lab().kubectl("apply", "--server-side", "--dry-run=server", "--filename=" + file);
  }

  private static Lab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
