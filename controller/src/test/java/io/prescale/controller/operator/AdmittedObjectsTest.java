package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.AdmittedSpecs;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PredictiveHPAs as random as the definition admits, from their informer to their statuses. */
@MockApi(crud = true)
@Timeout(300)
@NullUnmarked // the extension sets the client
class AdmittedObjectsTest {
  private static final long SEED = 16;
  private static final int OBJECTS = 200;
  private static final int IN_A_ROUND = 20;
  private static final int ROUNDS = 6;
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private KubernetesClient client;
  private KubernetesMockServer server;

  private final AdmittedSpecs specs = new AdmittedSpecs(SEED);

  @Test
  void eachGetsItsConditionsAndAGoodOneIsReconciledBesideThem() {
    try (var term =
        new ReconcilingInMock(client, Optional.empty(), new MemoryBudget(1L << 30), () -> {})) {
      for (int i = 0; i < OBJECTS; i++) {
        create(term, name(i));
      }
      term.put("good", "4");
      term.begin();

      assertThat(term.notReady("good")).startsWith("There is no Prometheus to ask");
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(() -> assertThat(withoutConditions(term, OBJECTS)).isEmpty());
    }
  }

  /** Half of them tick a target; a round's memory is that of 20 targets and 40 objects. */
  @Test
  void nothingIsLeftInMemoryOfThoseThatAreDeletedRoundAfterRound() throws Exception {
    ScaleOfChat.answeredBy(server, () -> {});
    var absent = PrometheusServer.at(URI.create("http://127.0.0.1:1"));
    try (var term =
        new ReconcilingInMock(client, Optional.of(absent), new MemoryBudget(1L << 30), () -> {})) {
      term.begin();
      createAndDelete(term);
      createAndDelete(term);
      var before = LiveHeap.now();
      for (int round = 2; round < ROUNDS; round++) {
        createAndDelete(term);
      }
      var after = LiveHeap.now();

      assertThat(after.instances(LiveTarget.class))
          .as("of 80 that were forgotten in between; other tests may have left some")
          .isLessThan(before.instances(LiveTarget.class) + IN_A_ROUND / 2);
      assertThat(after.instances(PredictiveHPA.class))
          .as("of 160 that were deleted in between")
          .isLessThan(before.instances(PredictiveHPA.class) + IN_A_ROUND / 2);
      assertThat(after.bytes() - before.bytes())
          .as("bytes, the requests that the mock server remembers included")
          .isLessThan(32 << 20);
    }
  }

  private void createAndDelete(ReconcilingInMock term) {
    for (int i = 0; i < IN_A_ROUND; i++) {
      create(term, name(i));
      term.put("chat-" + i, "4");
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(withoutConditions(term, IN_A_ROUND)).isEmpty();
              assertThat(term.liveTargets()).isGreaterThanOrEqualTo(IN_A_ROUND);
            });

    term.objects().delete();

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(term.objects().list().getItems()).isEmpty();
              assertThat(term.liveTargets()).isZero();
              assertThat(term.metrics())
                  .contains("prescale_targets 0.0", "prescale_blocked_targets 0.0");
            });
  }

  private void create(ReconcilingInMock term, String name) {
    var json = client.getKubernetesSerialization();
    var object =
        Map.of(
            "apiVersion",
            "autoscaling.prescale.io/v1alpha1",
            "kind",
            "PredictiveHPA",
            "metadata",
            Map.of("namespace", "team", "name", name, "generation", 1),
            "spec",
            specs.next(GeneratedCrd.specSchema()));
    term.objects()
        .resource(json.unmarshal(json.asJson(object), GenericKubernetesResource.class))
        .create();
  }

  private static String name(int number) {
    return "made-" + number;
  }

  private static List<String> withoutConditions(ReconcilingInMock term, int objects) {
    return IntStream.range(0, objects)
        .mapToObj(AdmittedObjectsTest::name)
        .filter(
            it ->
                !(term.stored(it).<Object>get("status", "conditions") instanceof List<?> all)
                    || all.isEmpty())
        .toList();
  }
}
