package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chart by real Helms on a real API server: in, through an upgrade and a rollback, and out
 * without a trace. The pods are fakes; the program that serves and scales is the release's own,
 * started beside them with the release's arguments and permissions.
 */
class ChartLabIT {
  private static final String IN_NAMESPACE = "--namespace=" + ReleasedProgram.NAMESPACE;

  private static final InstantSource CLOCK = InstantSource.system();

  private static @Nullable Lab lab;
  private static @Nullable Gauges gauges;
  private static @Nullable ReleasedProgram program;
  private static @Nullable Path folder;

  @BeforeAll
  static void startAll(@TempDir Path temporary) throws IOException, InterruptedException {
    folder = temporary;
    gauges = Gauges.start();
    lab = GaugedLab.lab(temporary, gauges, "1s");
    program = new ReleasedProgram(lab, temporary);
    System.out.println(
        "The chart's program is "
            + (program.isImage() ? "the image's" : "not the image's: build it with -Pimage"));
    // What the chart's monitoring objects are made of, without the operator's schemas.
    for (String kind : List.of("ServiceMonitor", "PrometheusRule")) {
      lab.apply(ReleaseObjects.anything("monitoring.coreos.com", kind));
    }
    lab.awaitDefinitions();
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
  private static void freePredictiveHpas() throws Exception {
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
  }

  @AfterEach
  void cleanUp() throws Exception {
    // With nobody behind it, a registration keeps namespaces from going.
    lab().kubectl("delete", "apiservice", ReleaseObjects.API_SERVICE, "--ignore-not-found");
    lab().kubectl("delete", "namespace", "team", "prescale", "--ignore-not-found", "--wait=false");
    if (!lab().kubectl("get", "crd", ReleaseObjects.DEFINITION, "--ignore-not-found").isEmpty()) {
      // The program may be taking its finalizers away at the same time.
      patiently().untilAsserted(ChartLabIT::freePredictiveHpas);
      lab().kubectl("delete", "crd", ReleaseObjects.DEFINITION);
    }
    lab().kubectl("wait", "--for=delete", "namespace/team", "namespace/prescale", "--timeout=5m");
  }

  @Test
  void goesInScalesIsUpgradedAndRolledBackAndGoesWithoutATrace() throws Exception {
    comeAndGo(new Helm("helm4", lab(), folder()), "[\"team\"]");
  }

  @Test
  @Tag("long")
  void alsoByHelm3AndInAllNamespaces() throws Exception {
    comeAndGo(new Helm("helm3", lab(), folder()), "[]");
  }

  private static void comeAndGo(Helm helm, String namespaces) throws Exception {
    helm.run("lint", "--strict", Helm.CHART.toString());
    lab().kubectl("create", "namespace", "team");
    assertThat(install(helm, Ports.free(), "--set-json=namespaces=" + namespaces))
        .contains("Prescale 0.1.0", "helm -n prescale test prescale");

    var began = CLOCK.instant();
    try (var _ = program().start(helm.name())) {
      patiently().until(() -> objects().available(), "True"::equals);
      helm.run("test", "prescale", IN_NAMESPACE);
      checkPasses(helm);
      workload();
      patiently().until(ChartLabIT::replicas, replicas -> replicas == 5);

      var before = objects().secret();
      assertThat(before.get("data").properties()).hasSize(4);
      var bundle = objects().registration().at("/spec/caBundle").asText();
      assertThat(bundle).isNotEmpty();
      upgrade(helm, "--set=replicas=3", "--set=podAnnotations.changed=yes");
      assertThat(objects().deployment().at("/spec/replicas").asInt()).isEqualTo(3);
      helm.run("rollback", "prescale", "1", IN_NAMESPACE, "--wait", "--timeout=5m");
      assertThat(objects().deployment().at("/spec/replicas").asInt()).isEqualTo(2);

      assertThat(objects().secret().get("data")).isEqualTo(before.get("data"));
      assertThat(objects().registration().at("/spec/caBundle").asText()).isEqualTo(bundle);
      patiently().until(() -> objects().available(), "True"::equals);
      assertThat(objects().refused("prescale", began)).isEmpty();
      aNewerDefinitionComesBeforeTheUpgrade(helm);
      // As docs/install.md says: what it scales first, then the program.
      lab().kubectl("delete", "predictivehpas", "--all", "--all-namespaces", "--timeout=5m");
    }
    int left = replicas();
    helm.run("uninstall", "prescale", IN_NAMESPACE, "--wait", "--timeout=5m");
    gauges().set("load_chat", 1);
    assertThat(objects().leftBehind()).containsExactlyElementsOf(ReleaseObjects.DEFINITIONS);
    stays(ChartLabIT::replicas, left);
  }

  @Test
  void uninstallingItFirstKeepsTheSizeAndItMayComeBack() throws Exception {
    var helm = new Helm("helm3", lab(), folder());
    var ports = Ports.free();
    lab().kubectl("create", "namespace", "team");
    install(helm, ports);
    try (var _ = program().start("removed")) {
      patiently().until(() -> objects().available(), "True"::equals);
      workload();
      patiently().until(ChartLabIT::replicas, replicas -> replicas == 5);
      helm.run("uninstall", "prescale", IN_NAMESPACE, "--wait", "--timeout=5m");
      gauges().set("load_chat", 1);
      assertThat(objects().leftBehind()).noneMatch(left -> left.startsWith("apiservice"));
      stays(ChartLabIT::replicas, 5);
    }
    assertThat(objects().leftBehind()).noneMatch(left -> left.startsWith("apiservice"));
    // The PredictiveHPA waits for a Prescale that gives its HPA back.
    install(helm, ports);
    try (var _ = program().start("back")) {
      lab().kubectl("delete", "predictivehpas", "--all", "--namespace=team", "--timeout=5m");
    }
    helm.run("uninstall", "prescale", IN_NAMESPACE, "--wait", "--timeout=5m");
    assertThat(objects().leftBehind()).containsExactlyElementsOf(ReleaseObjects.DEFINITIONS);
  }

  @Test
  void refusesToTakeTheMetricsFromAnotherAdapterAndTouchesNothing() throws Exception {
    var helm = new Helm("helm4", lab(), folder());
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
    var before = objects().registration().get("spec");

    assertThatThrownBy(() -> install(helm, Ports.free()))
        .hasMessageContaining("served by keda/keda-operator-metrics-apiserver")
        .hasMessageContaining("apiService.register=false");

    assertThat(objects().registration().get("spec")).isEqualTo(before);
    install(helm, Ports.free(), "--set=apiService.register=false");
    helm.run("uninstall", "prescale", IN_NAMESPACE, "--wait", "--timeout=5m");
    assertThat(objects().registration().get("spec")).isEqualTo(before);
  }

  private static void aNewerDefinitionComesBeforeTheUpgrade(Helm helm) throws Exception {
    lab()
        .kubectl(
            "patch",
            "crd",
            ReleaseObjects.DEFINITION,
            "--type=json",
            "--patch="
                + "[{\"op\":\"remove\",\"path\":\"/spec/versions/0/schema/openAPIV3Schema"
                + "/properties/spec/properties/fallback\"}]");
    assertThatThrownBy(() -> upgrade(helm, "--set=replicas=4"))
        .hasMessageContaining("The PredictiveHPA definition in the cluster differs")
        .hasMessageContaining("kubectl apply --server-side");

    var definition = Files.createTempFile(folder(), "crds", ".yaml");
    Files.writeString(definition, helm.run("show", "crds", Helm.CHART.toString()));
    lab()
        .kubectl(
            "apply", "--server-side", "--force-conflicts", "--filename=" + definition.toString());
    upgrade(helm, "--set=replicas=4");
    assertThat(objects().deployment().at("/spec/replicas").asInt()).isEqualTo(4);
  }

  private static String install(Helm helm, Ports ports, String... more) throws Exception {
    lab().apply(ReleaseObjects.restrictedNamespace());
    var arguments =
        new ArrayList<>(
            List.of(
                "install",
                "prescale",
                Helm.CHART.toString(),
                IN_NAMESPACE,
                "--wait",
                "--timeout=5m",
                "--set=service.externalName=localhost,service.port=" + ports.api(),
                "--set=host=127.0.0.1,port=%d,metricsPort=%d"
                    .formatted(ports.api(), ports.metrics()),
                "--set=shortestStep=1s,prometheus.url=" + lab().describe().prometheus(),
                "--set=serviceMonitor.enabled=true,prometheusRule.enabled=true",
                "--set=dashboards.enabled=true,prometheus.enforceNamespace.when=never"));
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
                "--reset-then-reuse-values",
                "--wait",
                "--timeout=5m"));
    arguments.addAll(List.of(more));
    helm.run(arguments);
  }

  /** The test hook's Job was a fake's; here is what its pod would have run, as its account. */
  private static void checkPasses(Helm helm) throws Exception {
    lab().apply(helm.run("get", "hooks", "prescale", IN_NAMESPACE));
    var arguments = List.of("check", "--service=prescale/prescale");
    try (var check = program().start(helm.name() + "-check", "prescale-check", arguments)) {
      assertThat(check.process().waitFor()).as(() -> said(check)).isEqualTo(0);
      assertThat(said(check).lines().filter(line -> line.startsWith("ok "))).hasSize(4);
    }
    assertThat(UsedPermissions.add(lab()).unlisted()).as("while the roles are there").isEmpty();
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

  /** Two replicas, and a load that with headroom asks for five. */
  private static void workload() throws Exception {
    gauges().set("load_chat", 16);
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
              forecast: {step: 2s, history: 6h}
            """);
  }

  private static int replicas() throws Exception {
    return objects().get("deployment", "chat", "team").at("/spec/replicas").asInt();
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

  private static ReleaseObjects objects() {
    return new ReleaseObjects(lab());
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
