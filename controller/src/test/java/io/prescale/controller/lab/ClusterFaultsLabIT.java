package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.Checkout;
import io.prescale.controller.lab.Lab.Verb;
import io.prescale.controller.lab.MetricSampler.Answer;
import io.prescale.controller.lab.MetricWatch.Seen;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Prescale needs of the cluster is taken away, one thing after the other. Demand stays at 30,
 * and the metric is asked for every second: each answer is at least 30 or an error, and no replica
 * goes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@NullUnmarked // what startAll sets
class ClusterFaultsLabIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final double DEMAND = 30;
  private static final int LEAST = 3;
  private static final Duration TIME_TO_LIVE = Duration.ofMinutes(2);
  private static final int A_STEP = 5;
  private static final String API_SERVICE = "v1beta1.external.metrics.k8s.io";
  private static final String SERVING = "faults-serving";
  private static final String BESIDE = "faults-beside";

  /** {@code -Dprescale.longFaults}, as with {@code -Plab-faults}: as long as an operator fears. */
  private static final Duration API_SERVER_AWAY =
      Boolean.getBoolean("prescale.longFaults") ? Duration.ofMinutes(10) : Duration.ofSeconds(15);

  private SecretOfCertificate secret;
  private String firstCertificate;
  private Lab lab;
  private KubernetesClient client;
  private PrescaleInLab prescale;
  private MetricSampler sampler;
  private MetricWatch watch;
  private Replica serving;
  private Replica beside;
  private int besidePort;
  private boolean apiServerAway;
  private Instant began = Instant.EPOCH;

  @BeforeAll
  void startAll(@TempDir Path temporary) throws Exception {
    var config = Files.writeString(temporary.resolve("prometheus.yaml"), "scrape_configs: []\n");
    lab =
        Lab.start(
            "--nodes=2",
            "--hpa-sync-period=2s",
            "--pod-start-delay=2s",
            "--prometheus-config=" + config);
    client = LabObjects.client(lab);
    prescale = PrescaleInLab.install(lab, temporary);
    // Its certificate has been used for so long that it is renewed in a while.
    secret = new SecretOfCertificate(client);
    secret.makeDue(CLOCK.instant().plusSeconds(90));
    firstCertificate = secret.certificate();
    lab.apply(LabObjects.deployment("chat", Duration.ofSeconds(2)));
    applyPredictiveHpa();
    besidePort = PrescaleInLab.freePort();
    startBoth();
    sampler = MetricSampler.of(lab, LabObjects.METRIC, "chat");
    watch = MetricWatch.start(sampler, client, "chat", CLOCK);
  }

  private void applyPredictiveHpa() throws Exception {
    lab.apply(
        LabObjects.predictiveHpa(
                "chat",
                10,
                "step: 5s, history: 6h",
                "  leadTime: 10s\n  fallback: {ttl: 2m, utilization: 100%}")
            .replace(LoadExporter.SERIES, "vector(30)"));
  }

  @BeforeEach
  void everythingIsWell() {
    patiently().until(() -> watch.newest(Instant.EPOCH), Seen::isFresh);
    patiently().until(this::replicas, it -> it >= LEAST);
    began = CLOCK.instant();
  }

  @AfterEach
  void eachAnswerWasTrueAndNoReplicaWent() throws Exception {
    goOn();
    watch.requireErrorsOrAtLeast(DEMAND, TIME_TO_LIVE, began);
    var sizes = AuditedScale.of(lab, "chat").stream().map(AuditedScale::replicas).toList();
    assertThat(sizes).as("never down").isNotEmpty().isSorted();
    assertThat(replicas()).isGreaterThanOrEqualTo(LEAST);
  }

  @AfterAll
  void stopAll() throws Exception {
    try (var _ = lab;
        var _ = client;
        var _ = beside;
        var _ = serving;
        var _ = sampler;
        var _ = watch) {}
  }

  /** Also after a test that failed while something was stopped. */
  private void goOn() throws Exception {
    serving.signal("CONT");
    beside.signal("CONT");
    if (apiServerAway) {
      startApiServer();
    }
  }

  @Test
  @Order(1)
  @Tag("long")
  void theServingCertificateIsRenewedUnderLoad() throws Exception {
    patiently().until(secret::certificate, it -> !it.equals(firstCertificate));
    secret.awaitAt(prescale.port(), besidePort);

    assertThat(watch.since(began))
        .hasSizeGreaterThan(30)
        .allMatch(seen -> seen.answer() instanceof Answer.Value);
    say("Serving certificate renewed", CLOCK.instant(), A_STEP);
  }

  @Test
  @Tag("long")
  void theSecretOfTheCertificateIsMadeAgainEmptyAsByAnUpgrade() throws Exception {
    var before = secret.certificate();
    lab.kubectl("delete", "secret", "prescale-tls", "--namespace=prescale");
    lab.kubectl("create", "secret", "generic", "prescale-tls", "--namespace=prescale");
    patiently().until(secret::certificate, it -> !it.equals(before));
    secret.awaitAt(prescale.port(), besidePort);

    say("Secret of the certificate deleted", CLOCK.instant(), A_STEP);
  }

  @Test
  void allReplicasAreKilledAtOnce() throws Exception {
    serving.kill();
    beside.kill();
    patiently().until(() -> watch.newest(began), Seen::isRefusal);
    Thread.sleep(20_000); // ten syncs of the HPA, and longer than the lease
    assertThat(replicas()).isGreaterThanOrEqualTo(LEAST);
    var restarted = CLOCK.instant();
    startBoth();

    say("All replicas killed", restarted, 11);
  }

  private void startBoth() throws Exception {
    serving = prescale.start(SERVING);
    beside = prescale.startBeside(BESIDE, besidePort, Map.of());
  }

  @Test
  @Tag("long")
  void afterTwoYearsWithoutReplicasAuthorityAndCertificateHaveExpired() throws Exception {
    serving.kill();
    beside.kill();
    secret.makeAsAt(CLOCK.instant().minus(Duration.ofDays(731)));
    var expired = secret.certificate();
    var restarted = CLOCK.instant();
    startBoth();
    patiently().until(secret::certificate, it -> !it.equals(expired));
    secret.awaitAt(prescale.port(), besidePort);

    say("Authority and certificate expired", restarted, 11);
  }

  /**
   * While a replica hears nothing, its watches end and what they would go on from is forgotten. A
   * watch from there is answered with 200 and an event of the error 410, after which all are
   * listed.
   */
  @Test
  void whatWatchesWouldGoOnFromIsGone() throws Exception {
    serving.signal("STOP");
    beside.signal("STOP");
    lab.command("kube-apiserver", Verb.RESTART); // it forgets events before its start
    for (int i = 0; i < 30; i++) {
      lab.kubectl("label", "phpa", "chat", "--overwrite", "round=" + i);
    }
    lab.command("kube-apiserver", Verb.RESTART);
    goOn();
    var back = CLOCK.instant();

    patiently().until(() -> AuditLog.lists(lab, "predictivehpas", began) > 0);
    say("PredictiveHPAs listed anew", back, 3);
    lab.kubectl("label", "phpa", "chat", "round-");
  }

  @Test
  void theApiServerIsAway() throws Exception {
    var logs = LogsOfFault.from(serving, beside);
    apiServerAway = true;
    lab.command("kube-apiserver", Verb.STOP);
    patiently().until(() -> watch.newest(began), it -> it.answer() instanceof Answer.Unreachable);
    Thread.sleep(API_SERVER_AWAY);
    startApiServer();

    say("API server away for " + API_SERVER_AWAY, CLOCK.instant(), 21);
    logs.requireFewLines();
  }

  private void startApiServer() throws Exception {
    lab.command("kube-apiserver", Verb.START);
    apiServerAway = false;
  }

  @Test
  void theApiServiceIsDeleted() throws Exception {
    lab.kubectl("delete", "apiservice", API_SERVICE);
    var deleted = CLOCK.instant();

    var service = "-o=jsonpath={.spec.service.name}";
    patiently()
        .until(() -> lab.kubectl("get", "apiservice", API_SERVICE, service), "prescale"::equals);
    say("APIService deleted", deleted, 60);
  }

  @Test
  @Tag("long")
  void theApiServiceIsTaken() throws Exception {
    pointApiServiceTo("other");
    patiently().until(() -> watch.newest(began), Seen::isRefusal);
    patiently().until(this::reasons, it -> it.contains("MetricsServedByOthers"));
    assertThat(replicas()).as("the HPA asks in vain").isGreaterThanOrEqualTo(LEAST);
    pointApiServiceTo("prescale");
    say("APIService given back", CLOCK.instant(), 60);
    patiently().until(this::reasons, it -> !it.contains("MetricsServedByOthers"));
  }

  private String reasons() throws Exception {
    return lab.kubectl("get", "phpa", "chat", "-o=jsonpath={.status.conditions[*].reason}");
  }

  private void pointApiServiceTo(String service) throws Exception {
    var patch = "{\"spec\": {\"service\": {\"name\": \"%s\"}}}".formatted(service);
    lab.kubectl("patch", "apiservice", API_SERVICE, "--type=merge", "--patch=" + patch);
  }

  @Test
  @Tag("long")
  void theConfigMapOfTrustedFrontProxiesIsDeleted() throws Exception {
    lab.kubectl(
        "delete", "configmap", "extension-apiserver-authentication", "--namespace=kube-system");
    Thread.sleep(20_000); // a minute later the API server has made it again

    assertThat(watch.since(began))
        .hasSizeGreaterThan(10)
        .allMatch(seen -> seen.answer() instanceof Answer.Value);
    say("ConfigMap of front proxies deleted", CLOCK.instant(), A_STEP);
  }

  /** And with it all PredictiveHPAs, which the administrator applies again. */
  @Test
  void theDefinitionIsDeletedAndMadeAgain() throws Exception {
    var name = "predictivehpas.autoscaling.prescale.io";
    lab.kubectl("delete", "crd", name, "--timeout=2m");
    patiently().until(() -> watch.newest(began), Seen::isRefusal);
    Thread.sleep(20_000); // longer than any client waits before it tries a watch again
    lab.kubectl("apply", "--server-side", "-f", Checkout.root() + "/charts/prescale/crds");
    lab.awaitDefinitions();
    applyPredictiveHpa();

    say("CRD deleted and made again", CLOCK.instant(), 16);
    var most = "-o=jsonpath={.spec.maxReplicas}";
    patiently().until(() -> lab.kubectl("get", "hpa", "prescale-chat", most), "40"::equals);
  }

  private void say(String fault, Instant since, int statedSeconds) {
    watch.requireFreshSoon(fault, since, Duration.ofSeconds(statedSeconds));
  }

  private int replicas() throws Exception {
    return LabObjects.replicas(lab, "chat");
  }
}
