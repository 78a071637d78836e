package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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
        List.of(
            "replicas=0",
            "replica=3",
            "tls.source=none",
            "prometheus.url=ftp://prometheus",
            "prometheus.url=http://u:p@prometheus",
            "prometheus.enforceNamespace.when=often",
            "keda.clients=",
            "scheduler.exporters.selector=job=dcgm")) {
      assertThatThrownBy(() -> helm.template("--set=" + value))
          .as(value)
          .hasMessageContaining("values don't meet the specifications of the schema");
    }
  }

  @Test
  void kedaNeedsTheExternalMetricsAndACertificateOfItsOwn() {
    var helm = new Helm("helm4", lab(), folder);

    assertThatThrownBy(() -> helm.template("--set=keda.enabled=true,keda.caSecret.name=ca"))
        .hasMessageContaining(
            "Set apiService.register: false, or apiService.passThrough: verified");
    assertThatThrownBy(() -> helm.template("--set=keda.enabled=true,apiService.register=false"))
        .hasMessageContaining("keda.caSecret.name is empty");
  }

  /** Before KEDA, whose triggers it answers too. */
  @Test
  void whereMetricsPassThroughPrescaleMayActAsTheirReadersAndGiveTheApiBack() throws Exception {
    lab().apply(ReleaseObjects.restrictedNamespace());
    lab().kubectl("create", "namespace", "monitoring");
    var helm = new Helm("helm4", lab(), folder);
    var passes = "--set=apiService.passThrough=verified,keda.enabled=true,keda.caSecret.name=keda";
    var callers =
        "--set-json=apiService.callers="
            + "[\"kube-system/horizontal-pod-autoscaler\",\"monitoring/grafana\"]";
    var rendered = helm.template(passes, callers, "--skip-tests");

    assertThat(rendered)
        .contains("--pass-through=verified", "helm.sh/hook: pre-delete", "args: [give-back]")
        .doesNotContain("kind: APIService");
    var file = Files.writeString(folder.resolve("passing.yaml"), rendered);
    lab().kubectl("apply", "--server-side", "--dry-run=server", "--filename=" + file);
    lab().apply(helm.template(passes, callers, "--show-only=templates/rbac.yaml"));
    assertThat(mayActAs("horizontal-pod-autoscaler", "kube-system")).isTrue();
    assertThat(mayActAs("grafana", "monitoring")).isTrue();
    assertThat(mayActAs("deployment-controller", "kube-system")).isFalse();
    for (var verb : List.of("get", "update", "delete")) {
      assertThat(mayChangeApi(verb, "v1beta1.external.metrics.k8s.io")).as(verb).isTrue();
    }
    assertThat(mayChangeApi("delete", "v1.apps")).isFalse();
  }

  private static boolean mayActAs(String serviceAccount, String namespace) {
    return may(
        new ResourceAttributesBuilder()
            .withVerb("impersonate")
            .withResource("serviceaccounts")
            .withNamespace(namespace)
            .withName(serviceAccount)
            .build());
  }

  private static boolean mayChangeApi(String verb, String apiService) {
    return may(
        new ResourceAttributesBuilder()
            .withVerb(verb)
            .withGroup("apiregistration.k8s.io")
            .withResource("apiservices")
            .withName(apiService)
            .build());
  }

  /** Whether the release's service account may do something. */
  private static boolean may(ResourceAttributes attributes) {
    var review =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser("system:serviceaccount:prescale:prescale")
            .withResourceAttributes(attributes)
            .endSpec()
            .build();
    try (var client = LabObjects.client(lab())) {
      return client
          .authorization()
          .v1()
          .subjectAccessReview()
          .create(review)
          .getStatus()
          .getAllowed();
    }
  }

  @Test
  void theClientOfATokenServerHasItsSecretInAFile() throws Exception {
    var helm = new Helm("helm4", lab(), folder);
    var client = "prometheus.oauth2.tokenUrl=https://login/token,prometheus.oauth2.clientId=reader";

    assertThat(
            helm.template(
                "--set=prometheus.url=https://mimir,prometheus.oauth2.secret.name=azure," + client))
        .contains(
            "--oauth2-token-url=https://login/token",
            "--oauth2-client-id=reader",
            "--oauth2-client-secret-file=/etc/prescale/oauth2/client-secret",
            "{name: oauth2, mountPath: /etc/prescale/oauth2, readOnly: true}",
            "secret: {secretName: azure}");
    assertThatThrownBy(() -> helm.template("--set=" + client))
        .hasMessageContaining("clientId or secret.name is empty");
    assertThatThrownBy(
            () ->
                helm.template(
                    "--set=prometheus.tokenSecret.name=t,prometheus.oauth2.secret.name=azure,"
                        + client))
        .hasMessageContaining("only one can be sent");
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
            host: "::"
            image: {digest: "sha256:%s", pullSecrets: [{name: registry}]}
            prometheus:
              url: https://mimir.monitoring:8080/prometheus
              enforceNamespace: {when: always, image: {tag: v0.15.0}, port: 9000, resources: {}}
              tenant: team
              oauth2: {tokenUrl: "https://login/token", clientId: reader, secret: {name: azure}, scope: a b, audience: c, caSecret: {name: ca}}
              caSecret: {name: prometheus}
              allowedServers: ["*.monitoring.svc", "mimir:8080", "[fd00::1]:9090"]
              secretNamespaces: [prescale]
            apiService: {register: false}
            keda: {enabled: true, caSecret: {name: keda}, clients: ["spiffe://keda/operator"]}
            tls: {source: secret, secretName: own}
            networkPolicy:
              metricsFrom: [{podSelector: {matchLabels: {app: prometheus}}}]
              egress: [{ports: [{port: 443}]}]
            rbac: {aggregate: false}
            deletionCosts: {enabled: true}
            scheduler: {enabled: true, name: gpu, claims: true, replicas: 1, image: {tag: v1.36.3, digest: "sha256:%s"}, exporters: {selector: 'job=~"dcgm\\\\.x|hami"'}}
            javaOptions: -Xlog:gc
            priorityClassName: system-cluster-critical
            podAnnotations: {team: platform}
            nodeSelector: {kubernetes.io/os: linux}
            tolerations: [{key: dedicated, operator: Exists}]
            affinity: {podAntiAffinity: {}}
            """
                .formatted("0".repeat(64), "1".repeat(64)));
    var rendered = helm.template("--values=" + values);

    assertThat(rendered.split("priorityClassName: system-cluster-critical", -1))
        .as("around the controller's, the scheduler's and the check's")
        .hasSize(4);
    assertThat(rendered)
        .contains("- \"--exporters-selector=job=~\\\"dcgm\\\\\\\\.x|hami\\\"\"")
        .contains("image: registry.k8s.io/kube-scheduler@sha256:" + "1".repeat(64))
        .doesNotContain("PodDisruptionBudget", "self-made");
    var file = Files.writeString(folder.resolve("rendered-" + version + ".yaml"), rendered);
    lab().kubectl("apply", "--server-side", "--dry-run=server", "--filename=" + file);
  }

  @Test
  void theServiceMonitorSelectsTheControllerAndTheExtender() throws Exception {
    lab().apply(ReleaseObjects.restrictedNamespace());
    var rendered =
        new Helm("helm4", lab(), folder)
            .template("--set=scheduler.enabled=true,serviceMonitor.enabled=true");
    try (var client = LabObjects.client(lab())) {
      var objects = client.load(new ByteArrayInputStream(rendered.getBytes(UTF_8))).items();
      objects.stream()
          .filter(Service.class::isInstance)
          .forEach(service -> client.resource(service).create());
      var monitor =
          objects.stream()
              .filter(object -> object.getKind().equals("ServiceMonitor"))
              .map(GenericKubernetesResource.class::cast)
              .findFirst()
              .orElseThrow();
      var selector =
          client
              .getKubernetesSerialization()
              .convertValue(monitor.get("spec", "selector"), LabelSelector.class);

      assertThat(
              client
                  .services()
                  .inNamespace(ReleasedProgram.NAMESPACE)
                  .withLabelSelector(selector)
                  .list()
                  .getItems())
          .extracting(service -> service.getMetadata().getName())
          .containsExactlyInAnyOrder("prescale-metrics", "prescale-scheduler-metrics");
    }
  }

  /** By the definitions that cert-manager itself installs. */
  @ParameterizedTest
  @ValueSource(strings = {"", ",tls.issuerRef.name=company,tls.issuerRef.kind=ClusterIssuer"})
  void certManagersDefinitionsTakeItsObjects(String issuer) throws Exception {
    lab().apply(ReleaseObjects.restrictedNamespace());
    lab().kubectl("apply", "--server-side", "--filename=" + certManagersDefinitions());
    lab().awaitDefinitions();
    var rendered =
        new Helm("helm4", lab(), folder)
            .template("--skip-tests", "--set=tls.source=cert-manager" + issuer);

    var file = Files.writeString(folder.resolve("rendered.yaml"), rendered);
    assertThat(
            lab()
                .kubectl(
                    "apply",
                    "--server-side",
                    "--dry-run=server",
                    "--validate=strict",
                    "--filename=" + file))
        .contains("certificate.cert-manager.io/prescale serverside-applied");
  }

  private static Path certManagersDefinitions() throws Exception {
    var download =
        new ProcessBuilder(
                "go", "mod", "download", "-json", "github.com/cert-manager/cert-manager@v1.21.2")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var module = new ObjectMapper().readTree(download.getInputStream());
    assertThat(download.waitFor()).as(module.toString()).isZero();
    return Path.of(module.get("Dir").asText(), "deploy/crds");
  }

  private static Lab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
