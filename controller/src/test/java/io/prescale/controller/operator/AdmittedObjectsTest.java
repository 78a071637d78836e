package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.prescale.controller.api.v1alpha1.AdmittedSpecs;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PredictiveHPAs as random as the definition admits, from their informer to their statuses. */
@EnableKubernetesMockClient(crud = true)
@Timeout(300)
@NullUnmarked // the extension sets the client
class AdmittedObjectsTest {
  private static final long SEED = 16;
  private static final int OBJECTS = 200;

  private KubernetesClient client;

  @Test
  void eachGetsItsConditionsAndAGoodOneIsReconciledBesideThem() {
    var specs = new AdmittedSpecs(SEED);
    var schema = GeneratedCrd.specSchema();
    var json = client.getKubernetesSerialization();
    try (var term =
        new ReconcilingInMock(client, Optional.empty(), new MemoryBudget(1L << 30), () -> {})) {
      for (int i = 0; i < OBJECTS; i++) {
        var object =
            Map.of(
                "apiVersion",
                "autoscaling.prescale.io/v1alpha1",
                "kind",
                "PredictiveHPA",
                "metadata",
                Map.of("namespace", "team", "name", name(i), "generation", 1),
                "spec",
                specs.next(schema));
        term.objects()
            .resource(json.unmarshal(json.asJson(object), GenericKubernetesResource.class))
            .create();
      }
      term.put("good", "4");
      term.begin();

      assertThat(term.notReady("good")).startsWith("There is no Prometheus to ask");
      await()
          .atMost(Duration.ofMinutes(4))
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(() -> assertThat(withoutConditions(term)).isEmpty());
    }
  }

  private static String name(int number) {
    return "made-" + number;
  }

  private static List<String> withoutConditions(ReconcilingInMock term) {
    return IntStream.range(0, OBJECTS)
        .mapToObj(AdmittedObjectsTest::name)
        .filter(
            it ->
                !(term.stored(it).<Object>get("status", "conditions") instanceof List<?> all)
                    || all.isEmpty())
        .toList();
  }
}
