package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.PlannedValue;
import io.prescale.adapter.ServedMetric;
import io.prescale.controller.serving.AdapterSettings;
import io.prescale.controller.serving.Registration;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The adapter behind a real aggregator. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AdapterLabIT {
  private static final String METRIC =
      "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/predicted_rps";
  private static final List<String> FORGED =
      List.of("X-Remote-User: admin", "X-Remote-Group: system:masters");
  private static final MetricKey RPS = new MetricKey("default", "predicted_rps");
  private static final MetricReadModel METRICS = new MetricReadModel();

  private static @Nullable Lab lab;
  private static @Nullable KubernetesClient client;
  private static @Nullable RunningAdapter adapter;
  private static @Nullable AdapterSettings settings;

  @BeforeAll
  static void startAll() throws IOException, InterruptedException {
    lab = Lab.start("--nodes=0");
    client = LabObjects.client(lab);
    try (var free = new ServerSocket(0)) {
      settings = RunningAdapter.settings("prescale", free.getLocalPort());
    }
    lab.apply(
        """
        apiVersion: v1
        kind: Service
        metadata: {name: prescale, namespace: default}
        spec:
          type: ExternalName
          externalName: localhost
          ports: [{port: %d}]
        """
            .formatted(settings.port()));
    METRICS.publish(RPS, "chat", metric("chat", 128_500, Instant.now()));
    adapter = RunningAdapter.start(client, METRICS, settings);
    RunningAdapter.awaitAvailable(lab());
  }

  @AfterAll
  static void stopAll() {
    if (adapter != null) {
      adapter.close();
    }
    if (client != null) {
      client.close();
    }
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void theAggregatorPassesValuesOn() throws IOException, InterruptedException {
    assertThat(lab().kubectl("get", "--raw", METRIC + "?labelSelector=predictivehpa%3Dchat"))
        .contains(
            "\"metricName\":\"predicted_rps\"",
            "\"metricLabels\":{\"predictivehpa\":\"chat\"}",
            "\"value\":\"128500m\"");
    assertThatThrownBy(() -> lab().kubectl("get", "--raw", METRIC + "x"))
        .hasMessageContaining("serves the external metric \"predicted_rpsx\"");
  }

  @Test
  void discoveryListsTheResource() throws IOException, InterruptedException {
    patiently()
        .untilAsserted(
            () ->
                assertThat(lab().kubectl("api-resources", "--cached=false"))
                    .containsPattern(
                        "externalmetrics +external.metrics.k8s.io/v1beta1 +true"
                            + " +ExternalMetricValueList"));
    patiently()
        .untilAsserted(
            () ->
                assertThat(
                        lab()
                            .kubectl(
                                "explain",
                                "externalmetrics",
                                "--api-version=external.metrics.k8s.io/v1beta1"))
                    .contains("ExternalMetricValueList"));
  }

  @Test
  void whoMayNotListIsForbidden() throws IOException, InterruptedException {
    assertThatThrownBy(() -> lab().kubectl("get", "--raw", METRIC, "--as=bob"))
        .hasMessageContaining("User \"bob\" cannot list resource \"predicted_rps\"");

    lab()
        .apply(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: reads-rps, namespace: default}
            rules:
            - {apiGroups: [external.metrics.k8s.io], resources: [predicted_rps], verbs: [list]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: alice-reads-rps, namespace: default}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reads-rps}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: alice}]
            """);
    patiently()
        .untilAsserted(
            () ->
                assertThat(lab().kubectl("get", "--raw", METRIC, "--as=alice"))
                    .contains("\"value\":\"128500m\""));
  }

  @Test
  void onlyTheProxyMaySpeakForOthers() throws IOException {
    var proxy = lab().describe().frontProxy();

    assertThat(direct().answer(FORGED, proxy.client()))
        .startsWith("HTTP/1.1 200")
        .contains("\"128500m\"");
    assertThat(direct().answer(FORGED)).startsWith("HTTP/1.1 403").contains("system:anonymous");
    assertThat(status(proxy.stranger())).isEqualTo("401");
  }

  @Test
  void theClusterReviewsTokens() throws IOException, InterruptedException {
    var token = lab().kubectl("create", "token", "default").strip();

    assertThat(direct().answer(List.of("Authorization: Bearer " + token)))
        .startsWith("HTTP/1.1 403")
        .contains("system:serviceaccount:default:default");
    assertThat(direct().answer(List.of("Authorization: Bearer nonsense")))
        .startsWith("HTTP/1.1 401");
  }

  @Test
  void aRegistrationOfSomebodyElseIsLeftAlone() throws IOException {
    try (var other = RunningAdapter.start(client(), METRICS, RunningAdapter.settings("other", 0))) {
      patiently()
          .untilAsserted(
              () -> assertThat(other.registration()).isInstanceOf(Registration.HeldBy.class));
    }
    var service =
        client().apiServices().withName("v1beta1.external.metrics.k8s.io").get().getSpec();
    assertThat(service.getService().getName()).isEqualTo("prescale");
    assertThat(service.getInsecureSkipTLSVerify()).isNotEqualTo(true);
  }

  @Test
  void aRestartedAdapterIsTrustedAgain() throws IOException, InterruptedException {
    var bundle = bundle();
    var old = adapter;
    if (old != null) {
      old.close();
    }
    assertThatThrownBy(() -> lab().kubectl("get", "--raw", METRIC)).isNotNull();

    adapter = RunningAdapter.start(client(), METRICS, settings());

    patiently()
        .untilAsserted(
            () -> assertThat(lab().kubectl("get", "--raw", METRIC)).contains("\"128500m\""));
    assertThat(bundle()).isEqualTo(bundle);
  }

  @Test
  @Order(Integer.MAX_VALUE) // then the authority of the stranger is no longer trusted
  void theFrontProxysAuthorityIsReplacedWhileHpasRead(@TempDir Path folder)
      throws IOException, InterruptedException {
    var rotation = FrontProxyRotation.prepare(lab(), folder);
    assertThat(status(rotation.next())).isEqualTo("401");
    try (var autoscaler = new SharedMetricsApi(lab()).autoscaler();
        var reads = MetricReads.start(autoscaler, METRIC)) {
      rotation.trustBoth();
      patiently().until(() -> status(rotation.next()), "200"::equals);
      rotation.useNext();
      reads.awaitMore(50);
      patiently()
          .until(
              () -> {
                rotation.trustNextOnly();
                return status(rotation.former());
              },
              "401"::equals);
      reads.awaitMore(50);
      assertThat(reads.failures()).isEmpty();
    }
  }

  @Test
  void anAutoscalerActsOnTheMetricAndStandsStillWhenItIsUnknown()
      throws IOException, InterruptedException {
    var queue = new MetricKey("default", "queue");
    METRICS.publish(queue, "batch", metric("batch", 5_000, Instant.now()));
    lab().kubectl("create", "deployment", "batch", "--image=model", "--replicas=1");
    lab()
        .apply(
            """
            apiVersion: autoscaling/v2
            kind: HorizontalPodAutoscaler
            metadata: {name: batch, namespace: default}
            spec:
              scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: batch}
              minReplicas: 1
              maxReplicas: 20
              metrics:
              - type: External
                external:
                  metric: {name: queue, selector: {matchLabels: {predictivehpa: batch}}}
                  target: {type: AverageValue, averageValue: "1"}
            """);
    awaitReplicas(5);
    METRICS.withdraw(queue, "batch");
    METRICS.refuse(queue, "batch", labels("batch"), "Prometheus does not answer");
    patiently()
        .untilAsserted(
            () ->
                assertThat(lab().kubectl("get", "hpa", "batch", "-o", "yaml"))
                    .contains("FailedGetExternalMetric", "Prometheus does not answer"));
    stays(AdapterLabIT::replicas, 5);
  }

  private static void awaitReplicas(int replicas) {
    patiently().until(AdapterLabIT::replicas, found -> found == replicas);
  }

  private static int replicas() throws IOException, InterruptedException {
    return LabObjects.replicas(lab(), "batch");
  }

  private static String bundle() {
    return client()
        .apiServices()
        .withName("v1beta1.external.metrics.k8s.io")
        .get()
        .getSpec()
        .getCaBundle();
  }

  private static String status(Laboratory.KeyPairFiles certificate) throws IOException {
    return direct().answer(FORGED, certificate).split(" ", 3)[1];
  }

  private static DirectRequest direct() {
    return new DirectRequest(settings().port(), METRIC);
  }

  private static ServedMetric metric(String source, long milli, Instant at) {
    return new ServedMetric(
        labels(source),
        milli,
        at,
        60,
        List.of(new PlannedValue(at.plusSeconds(3600), milli)),
        Duration.ofMinutes(30),
        Duration.ofHours(1),
        0);
  }

  private static SortedMap<String, String> labels(String source) {
    return new TreeMap<>(Map.of("predictivehpa", source));
  }

  private static Lab lab() {
    return there(lab);
  }

  private static KubernetesClient client() {
    return there(client);
  }

  private static AdapterSettings settings() {
    return there(settings);
  }

  private static <T> T there(@Nullable T started) {
    if (started == null) {
      throw new IllegalStateException("the laboratory has not started");
    }
    return started;
  }
}
