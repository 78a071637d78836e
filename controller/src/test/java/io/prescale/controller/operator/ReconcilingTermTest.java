package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.demand.source.SourceSettings;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.values.PublishedValues;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A leader's term, seen from the API server. */
@MockApi(crud = true)
@Timeout(120)
@NullUnmarked // the extension sets client and server
class ReconcilingTermTest {
  /** Of four kinds in two namespaces, and no watch. */
  private static final Pattern LIST =
      Pattern.compile(
          "/namespaces/(team|other)/(pods|resourcequotas|predictivehpas|horizontalpodautoscalers)(?!.*watch=)(\\?|$)");

  private static final ResourceDefinitionContext HPA =
      ResourceDefinitionContext.fromResourceType(HorizontalPodAutoscaler.class);

  private final AtomicInteger scalesRead = new AtomicInteger();
  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void oneWithoutATargetHoldsNoMemory() {
    var prometheus = PrometheusServer.at(URI.create("http://127.0.0.1:1"));
    try (var term =
        new ReconcilingInMock(client, Optional.of(prometheus), new MemoryBudget(0), () -> {})) {
      term.put("chat", "4");
      term.begin();

      assertThat(term.unready("chat").map(StatusCondition::reason))
          .as("rather than that it waits for memory")
          .contains(ConditionReason.TargetNotScalable);
    }
  }

  /** The HPA controller writes an HPA's status every 15 s, and each time the HPA is looked at. */
  @Test
  void aChangeOfTheHpaBetweenTicksReadsNoScale() {
    var prometheus = PrometheusServer.at(URI.create("http://127.0.0.1:1"));
    answerScale();
    try (var term =
        new ReconcilingInMock(
            client, Optional.of(prometheus), new MemoryBudget(1L << 30), () -> {})) {
      var chat = term.put("chat", "4");
      term.begin();
      await().atMost(Duration.ofSeconds(60)).until(() -> scalesRead.get() == 1);
      var hpas = client.autoscaling().v2().horizontalPodAutoscalers().inNamespace("team");

      for (int i = 0; i < 5; i++) {
        var name = "superfluous-" + i;
        hpas.resource(ownedBy(chat, name)).create();
        await().atMost(Duration.ofSeconds(60)).until(() -> hpas.withName(name).get() == null);
      }

      assertThat(scalesRead).as("a minute may end meanwhile").hasValueLessThanOrEqualTo(2);
    }
  }

  @Test
  void everyListIsReadInPagesAndEachNamespaceHasItsOwnHpas() throws Exception {
    var prometheus = PrometheusServer.at(URI.create("http://127.0.0.1:1"));
    answerScale();
    try (var term =
        new ReconcilingInMock(
            client,
            Set.of("team", "other"),
            Optional.of(prometheus),
            new MemoryBudget(1L << 30),
            Duty.all(() -> true),
            TenantLimits.defaults().objectsPerNamespace(),
            () -> {})) {
      var chat = term.put("chat", "4");
      term.begin();
      var hpas = client.autoscaling().v2().horizontalPodAutoscalers().inNamespace("team");
      hpas.resource(ownedBy(chat, "superfluous")).create();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> hpas.withName("superfluous").get() == null);
    }

    var lists = new ArrayList<String>();
    for (var it = server.takeRequest(1, TimeUnit.SECONDS);
        it != null;
        it = server.takeRequest(1, TimeUnit.SECONDS)) {
      if (it.getMethod().equals("GET") && LIST.matcher(it.getPath()).find()) {
        lists.add(it.getPath());
      }
    }
    assertThat(lists).hasSizeGreaterThanOrEqualTo(8).allMatch(it -> it.endsWith("limit=200"));
    assertThat(lists).noneMatch(it -> it.contains("resourceVersion="));
  }

  @Test
  void anHpaThatCannotBeReadStopsNothing() {
    var prometheus = PrometheusServer.at(URI.create("http://127.0.0.1:1"));
    var stopped = new AtomicInteger();
    answerScale();
    createHpaThatCannotBeRead("in-the-list");
    try (var term =
        new ReconcilingInMock(
            client,
            Optional.of(prometheus),
            new MemoryBudget(1L << 30),
            stopped::incrementAndGet)) {
      var chat = term.put("chat", "4");
      term.begin();
      createHpaThatCannotBeRead("in-an-event");
      var hpas = client.genericKubernetesResources(HPA).inNamespace("team");
      for (int i = 0; i < 2; i++) { // once from a list at the latest, and once from an event
        var name = "superfluous-" + i;
        client.resource(ownedBy(chat, name)).inNamespace("team").create();
        await().atMost(Duration.ofSeconds(60)).until(() -> hpas.withName(name).get() == null);
      }

      assertThat(stopped).hasValue(0);
    }
  }

  @Test
  void theControllerGivesTheLeaseUpWhenAnInformerStops() {
    var settings =
        new ControllerSettings(
            Optional::empty, Set.of(), "prescale", "replica-1", false, TenantLimits.defaults());
    try (var source = new PrometheusSource(SourceSettings.defaults(), new SplittableRandom(1));
        var controller =
            new Controller(
                client,
                settings,
                new HpaFeatures(true),
                new PublishedValues(client, "prescale", Clock.systemUTC()),
                source,
                new Telemetry(Clock.systemUTC()),
                Clock.systemUTC(),
                System::nanoTime,
                Optional::empty)) {
      controller.start();
      await().atMost(Duration.ofSeconds(30)).until(controller::isLeader);
      createHpaThatCannotBeRead("by-cpu"); // by a client that does not read it in part

      await().atMost(Duration.ofSeconds(60)).until(() -> !controller.isLeader());
      await().atMost(Duration.ofSeconds(30)).until(() -> leaseSeconds() == 1);
    }
  }

  private void answerScale() {
    ScaleOfChat.answeredBy(server, scalesRead::incrementAndGet);
  }

  private static HorizontalPodAutoscaler ownedBy(GenericKubernetesResource owner, String name) {
    return new HorizontalPodAutoscalerBuilder()
        .withNewMetadata()
        .withName(name)
        .addNewOwnerReference()
        .withKind("PredictiveHPA")
        .withName(owner.getMetadata().getName())
        .withUid(owner.getMetadata().getUid())
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  private int leaseSeconds() {
    return client
        .leases()
        .inNamespace("prescale")
        .withName("prescale")
        .get()
        .getSpec()
        .getLeaseDurationSeconds();
  }

  private void createHpaThatCannotBeRead(String name) {
    var manifest =
        """
        apiVersion: autoscaling/v2
        kind: HorizontalPodAutoscaler
        metadata: {namespace: team, name: %s}
        spec: {minReplicas: many}
        """
            .formatted(name);
    var hpa =
        client.getKubernetesSerialization().unmarshal(manifest, GenericKubernetesResource.class);
    client.genericKubernetesResources(HPA).inNamespace("team").resource(hpa).create();
  }
}
