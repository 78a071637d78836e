package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.lab.PrescaleInLab.Replica;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The chart by real Helms on a real API server: in, through an upgrade and a rollback, and out
 * without a trace. The pods are fakes; the program that serves and scales is the release's own,
 * started beside them with the release's arguments and permissions.
 */
class ChartLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String API_SERVICE = "v1beta1.external.metrics.k8s.io";
  private static final String DEFINITION = "predictivehpas.autoscaling.prescale.io";
  private static final String IN_NAMESPACE = "--namespace=" + ReleasedProgram.NAMESPACE;

  /** Several syncs of the HPA controller: whoever would act has acted. */
  private static final Duration A_WHILE = Duration.ofSeconds(12);

  private static @Nullable Lab lab;
  private static @Nullable Gauges gauges;
  private static @Nullable ReleasedProgram program;
  private static @Nullable Path folder;

  @BeforeAll
  static void startAll(@TempDir Path temporary) throws IOException, InterruptedException {
    folder = temporary;
    gauges = Gauges.start();
    var prometheus =
        Files.writeString(
            temporary.resolve("prometheus.yaml"),
            """
            global: {scrape_interval: 1s}
            scrape_configs: [{job_name: load, static_configs: [{targets: ["%s"]}]}]
            """
                .formatted(gauges.address()));
    lab =
        Lab.start(
            "--nodes=3",
            "--hpa-sync-period=2s",
            "--pod-start-delay=1s",
            "--prometheus-config=" + prometheus);
    program = new ReleasedProgram(lab, temporary);
    System.out.println(
        "The chart's program is "
            + (program.isImage() ? "the image's" : "not the image's: build it with -Pimage"));
    // What the chart's monitoring objects are made of, without the operator's schemas.
    for (String kind : List.of("ServiceMonitor", "PrometheusRule")) {
      lab.apply(anything("monitoring.coreos.com", kind));
    }
    lab.kubectl("wait", "--for=condition=Established", "--timeout=1m", "crd", "--all");
  }

  @AfterAll
  static void stopAll() {
    if (lab != null) {
      lab.close();
    }
    if (gauges != null) {
      gauges.close();
    }
  }

  /** A test that failed half-way leaves nothing to the next. */
  @AfterEach
  void cleanUp() throws Exception {
    // With nobody behind it, a registration keeps namespaces from going.
    lab().kubectl("delete", "apiservice", API_SERVICE, "--ignore-not-found");
    lab().kubectl("delete", "namespace", "team", "prescale", "--ignore-not-found", "--wait=false");
    if (!lab().kubectl("get", "crd", DEFINITION, "--ignore-not-found").isEmpty()) {
      for (var left :
          lab().kubectl("get", "phpa", "--namespace=team", "-o", "name").lines().toList()) {
        lab()
            .kubectl(
                "patch",
                left,
                "--namespace=team",
                "--type=merge",
                "--patch={\"metadata\":{\"finalizers\":null}}");
      }
      lab().kubectl("delete", "crd", DEFINITION);
    }
    lab().kubectl("wait", "--for=delete", "namespace/team", "namespace/prescale", "--timeout=1m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"helm3", "helm4"})
  void goesInScalesIsUpgradedAndRolledBackAndGoesWithoutATrace(String version) throws Exception {
    var helm = new Helm(version, lab(), folder());
    helm.run("lint", "--strict", Helm.CHART.toString());
    var ports = Ports.free();
    assertThat(install(helm, ports)).contains("Prescale 0.1.0", "helm -n prescale test prescale");

    try (var _ = program().start(version)) {
      awaitUntil(ChartLabIT::available, "True"::equals);
      helm.run("test", "prescale", IN_NAMESPACE);
      checkPasses(helm, version);
      workload();
      awaitUntil(ChartLabIT::replicas, replicas -> replicas == 5);

      var before = secret();
      assertThat(before.get("data").properties()).hasSize(4);
      var bundle = registration().at("/spec/caBundle").asText();
      assertThat(bundle).isNotEmpty();
      upgrade(helm, "--set=replicas=3", "--set=podAnnotations.changed=yes");
      assertThat(deployment().at("/spec/replicas").asInt()).isEqualTo(3);
      helm.run("rollback", "prescale", "1", IN_NAMESPACE, "--wait", "--timeout=2m");
      assertThat(deployment().at("/spec/replicas").asInt()).isEqualTo(2);

      assertThat(secret().get("data")).isEqualTo(before.get("data"));
      assertThat(registration().at("/spec/caBundle").asText()).isEqualTo(bundle);
      assertThat(available()).isEqualTo("True");
      assertThat(refused()).isEmpty();
      aNewerDefinitionComesBeforeTheUpgrade(helm);

      // As docs/install.md says: what it scales first, then the program.
      lab().kubectl("delete", "predictivehpas", "--all", "--all-namespaces", "--timeout=1m");
    }
    helm.run("uninstall", "prescale", IN_NAMESPACE, "--wait", "--timeout=2m");
    gauges().set("load_chat", 1);
    assertThat(leftBehind()).containsExactly("crd/" + DEFINITION);
    stays(ChartLabIT::replicas, 5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"helm3", "helm4"})
  void whoeverUninstallsItFirstKeepsTheSizeAndMayBringItBack(String version) throws Exception {
    var helm = new Helm(version, lab(), folder());
    var ports = Ports.free();
    install(helm, ports);
    try (var _ = program().start(version)) {
      awaitUntil(ChartLabIT::available, "True"::equals);
      workload();
      awaitUntil(ChartLabIT::replicas, replicas -> replicas == 5);
      helm.run("uninstall", "prescale", IN_NAMESPACE, "--wait", "--timeout=2m");
      gauges().set("load_chat", 1);
      assertThat(leftBehind()).contains("crd/" + DEFINITION).doesNotContain("apiservice");
      stays(ChartLabIT::replicas, 5);
    }
    assertThat(leftBehind()).noneMatch(left -> left.startsWith("apiservice"));
    // The PredictiveHPA waits for a Prescale that gives its HPA back.
    install(helm, ports);
    try (var _ = program().start(version + "-again")) {
      lab().kubectl("delete", "predictivehpas", "--all", "--namespace=team", "--timeout=1m");
    }
    helm.run("uninstall", "prescale", IN_NAMESPACE, "--wait", "--timeout=2m");
    assertThat(leftBehind()).containsExactly("crd/" + DEFINITION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"helm3", "helm4"})
  void refusesToTakeTheMetricsFromAnotherAdapterAndTouchesNothing(String version) throws Exception {
    var helm = new Helm(version, lab(), folder());
    lab()
        .apply(
            """
            apiVersion: apiregistration.k8s.io/v1
            kind: APIService
            metadata: {name: v1beta1.external.metrics.k8s.io}
            spec:
              group: external.metrics.k8s.io
              version: v1beta1
              groupPriorityMinimum: 100
              versionPriority: 100
              insecureSkipTLSVerify: true
              service: {namespace: keda, name: keda-operator-metrics-apiserver}
            """);
    var before = registration().get("spec");

    assertThatThrownBy(() -> install(helm, Ports.free()))
        .hasMessageContaining("served by keda/keda-operator-metrics-apiserver")
        .hasMessageContaining("apiService.register=false");

    assertThat(registration().get("spec")).isEqualTo(before);
    install(helm, Ports.free(), "--set=apiService.register=false");
    helm.run("uninstall", "prescale", IN_NAMESPACE, "--wait", "--timeout=2m");
    assertThat(registration().get("spec")).isEqualTo(before);
  }

  private static void aNewerDefinitionComesBeforeTheUpgrade(Helm helm) throws Exception {
    lab()
        .kubectl(
            "patch",
            "crd",
            DEFINITION,
            "--type=json",
            "--patch="
                + "[{\"op\":\"remove\",\"path\":\"/spec/versions/0/schema/openAPIV3Schema"
                + "/properties/spec/properties/adopt\"}]");
    assertThatThrownBy(() -> upgrade(helm, "--set=replicas=4"))
        .hasMessageContaining("another definition of PredictiveHPA")
        .hasMessageContaining("kubectl apply --server-side");

    var definition = Files.createTempFile(folder(), "crds", ".yaml");
    Files.writeString(definition, helm.run("show", "crds", Helm.CHART.toString()));
    lab()
        .kubectl(
            "apply", "--server-side", "--force-conflicts", "--filename=" + definition.toString());
    upgrade(helm, "--set=replicas=4");
    assertThat(deployment().at("/spec/replicas").asInt()).isEqualTo(4);
  }

  private static String install(Helm helm, Ports ports, String... more) throws Exception {
    var arguments =
        new ArrayList<>(
            List.of(
                "install",
                "prescale",
                Helm.CHART.toString(),
                IN_NAMESPACE,
                "--create-namespace",
                "--wait",
                "--timeout=2m",
                "--set=service.externalName=localhost,service.port=" + ports.api(),
                "--set=host=127.0.0.1,port=%d,metricsPort=%d"
                    .formatted(ports.api(), ports.metrics()),
                "--set=prometheus.url=" + lab().describe().prometheus(),
                "--set=serviceMonitor.enabled=true,prometheusRule.enabled=true",
                "--set=dashboards.enabled=true"));
    arguments.addAll(List.of(more));
    return helm.run(arguments);
  }

  private static void upgrade(Helm helm, String... more) throws Exception {
    var arguments =
        new ArrayList<>(
            List.of(
                "upgrade",
                "prescale",
                Helm.CHART.toString(),
                IN_NAMESPACE,
                "--reuse-values",
                "--wait",
                "--timeout=2m"));
    arguments.addAll(List.of(more));
    helm.run(arguments);
  }

  /** The test hook's Job was a fake's; here is what its pod would have run, as its account. */
  private static void checkPasses(Helm helm, String version) throws Exception {
    var hooks = helm.run("get", "hooks", "prescale", IN_NAMESPACE);
    lab().apply(hooks);
    try (var check =
        program()
            .start(
                version + "-check",
                "prescale-check",
                List.of("check", "--service=prescale/prescale"))) {
      assertThat(check.process().waitFor()).as(() -> said(check)).isEqualTo(0);
      assertThat(said(check).lines().filter(line -> line.startsWith("ok "))).hasSize(4);
    }
    lab().kubectl("delete", "job,serviceaccount", "prescale-check", IN_NAMESPACE);
    lab().kubectl("delete", "clusterrole,clusterrolebinding", "prescale-check");
  }

  private static String said(Replica replica) {
    try {
      return Files.readString(replica.log());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Two replicas, and a load that asks for five. */
  private static void workload() throws Exception {
    gauges().set("load_chat", 20);
    lab().kubectl("create", "namespace", "team");
    lab()
        .kubectl(
            "create", "deployment", "chat", "--namespace=team", "--image=model", "--replicas=2");
    lab()
        .apply(
            """
            apiVersion: autoscaling.prescale.io/v1alpha1
            kind: PredictiveHPA
            metadata: {name: chat, namespace: team}
            spec:
              scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
              maxReplicas: 9
              mode: Active
              metrics:
              - name: requests
                prometheus: {query: load_chat}
                target: {averageValue: "4"}
              forecast: {step: 2s}
            """);
  }

  /** What the release's service account was not allowed to do. */
  private static List<String> refused() throws IOException {
    var refused = new ArrayList<String>();
    for (var line : Files.readAllLines(lab().describe().auditLog())) {
      var event = JSON.readTree(line);
      if (event
              .at("/user/username")
              .asText()
              .equals("system:serviceaccount:%s:prescale".formatted(ReleasedProgram.NAMESPACE))
          && event.at("/responseStatus/code").asInt() == 403) {
        refused.add(event.get("verb").asText() + " " + event.get("requestURI").asText());
      }
    }
    return refused;
  }

  /** What is there of Prescale outside of its namespace, and in it but for the Lease. */
  private static List<String> leftBehind() throws Exception {
    var names = new ArrayList<String>();
    for (String kind :
        List.of("apiservice", "crd", "clusterrole", "clusterrolebinding", "namespace")) {
      names(kind, "").filter(name -> !name.equals("namespace/prescale")).forEach(names::add);
    }
    names("rolebinding", "kube-system").forEach(names::add);
    for (String kind : List.of("deploy", "pdb", "svc", "secret", "sa", "role", "netpol", "cm")) {
      names(kind, ReleasedProgram.NAMESPACE).forEach(names::add);
    }
    return names;
  }

  private static Stream<String> names(String kind, String namespace) throws Exception {
    var where = namespace.isEmpty() ? "--all-namespaces" : "--namespace=" + namespace;
    return lab()
        .kubectl("get", kind, where, "-o", "name")
        .lines()
        .map(line -> kind + line.substring(line.indexOf('/')))
        .filter(name -> name.contains("prescale") || name.endsWith(API_SERVICE));
  }

  private static String available() throws Exception {
    for (JsonNode condition : registration().at("/status/conditions")) {
      if (condition.get("type").asText().equals("Available")) {
        return condition.get("status").asText();
      }
    }
    return "Unknown";
  }

  private static JsonNode registration() throws Exception {
    return get("apiservice", API_SERVICE, "default");
  }

  private static JsonNode secret() throws Exception {
    return get("secret", "prescale-tls", ReleasedProgram.NAMESPACE);
  }

  private static JsonNode deployment() throws Exception {
    return get("deployment", "prescale", ReleasedProgram.NAMESPACE);
  }

  private static int replicas() throws Exception {
    return get("deployment", "chat", "team").at("/spec/replicas").asInt();
  }

  private static JsonNode get(String kind, String name, String namespace) throws Exception {
    return JSON.readTree(
        lab().kubectl("get", kind, name, "--namespace=" + namespace, "-o", "json"));
  }

  private static String anything(String group, String kind) {
    return """
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: %2$ss.%1$s}
    spec:
      group: %1$s
      scope: Namespaced
      names: {kind: %3$s, plural: %2$ss, singular: %2$s}
      versions:
      - name: v1
        served: true
        storage: true
        schema:
          openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
    """
        .formatted(group, kind.toLowerCase(Locale.ROOT), kind);
  }

  private static <T> void awaitUntil(Callable<T> value, Predicate<T> holds) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .until(value, holds);
  }

  private static void stays(Callable<Integer> value, int expected) {
    await()
        .during(A_WHILE)
        .atMost(A_WHILE.plusSeconds(5))
        .pollInterval(Duration.ofSeconds(1))
        .until(value, found -> found == expected);
  }

  /** Where the release's program listens. */
  private record Ports(int api, int metrics) {
    static Ports free() throws IOException {
      try (var api = new ServerSocket(0);
          var metrics = new ServerSocket(0)) {
        return new Ports(api.getLocalPort(), metrics.getLocalPort());
      }
    }
  }

  private static Lab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }

  private static Gauges gauges() {
    return Objects.requireNonNull(gauges, "the gauges were not started");
  }

  private static ReleasedProgram program() {
    return Objects.requireNonNull(program, "there is no program yet");
  }

  private static Path folder() {
    return Objects.requireNonNull(folder, "there is no folder yet");
  }
}
