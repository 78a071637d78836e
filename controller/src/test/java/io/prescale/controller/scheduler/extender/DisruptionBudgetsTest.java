package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.MockApi;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three pods of the label app: llm, and what budgets say of their leaving. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class DisruptionBudgetsTest {
  private static final List<PodFacts> THREE =
      IntStream.range(0, 3)
          .mapToObj(i -> Pods.asking("p" + i, Map.of("nvidia.com/gpu", 1L)))
          .map(pod -> Pods.labelled(pod, Map.of("app", "llm")))
          .toList();

  private KubernetesMockServer server;
  private KubernetesClient client;

  private static int violations(List<PodFacts> pods, String... budgets) {
    var read =
        List.of(budgets).stream()
            .map(it -> Serialization.unmarshal(it, PodDisruptionBudget.class))
            .toList();
    return new DisruptionBudgets(namespace -> namespace.equals("default") ? read : List.of())
        .violations(pods);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{matchLabels: {app: llm}} | 2",
        "{matchLabels: {app: other}} | 0",
        "{} | 0",
        "{matchExpressions: [{key: app, operator: In, values: [llm, x]}]} | 2",
        "{matchExpressions: [{key: app, operator: NotIn, values: [llm]}]} | 0",
        "{matchExpressions: [{key: app, operator: Exists}]} | 2",
        "{matchExpressions: [{key: app, operator: DoesNotExist}]} | 0",
        "{matchExpressions: [{key: app, operator: Nonsense}]} | 0",
      })
  void beyondWhatABudgetAllowsEachPodIsOneViolation(String selector, int violations) {
    var budget = "spec: {selector: %s}\nstatus: {disruptionsAllowed: 1}".formatted(selector);

    assertThat(violations(THREE, budget)).isEqualTo(violations);
  }

  @Test
  void aPodOfTwoBudgetsIsOneAndOneThatLeavesAlreadyIsNone() {
    var none = "spec: {selector: {matchLabels: {app: llm}}}";
    var leaving =
        """
        spec: {selector: {matchLabels: {app: llm}}}
        status: {disruptionsAllowed: 0, disruptedPods: {p0: "2026-11-25T00:00:00Z"}}
        """;

    assertThat(violations(THREE, none, none)).isEqualTo(3);
    assertThat(violations(THREE, leaving)).isEqualTo(2);
    assertThat(violations(List.of(), none)).isZero();
  }

  /** Answers 403 to the first question, and then with a budget that allows nothing. */
  @Test
  void questionsWithinSecondsCostOneRequest() {
    var path = "/apis/policy/v1/poddisruptionbudgets";
    server.expect().get().withPath(path).andReturn(403, "").once();
    var budgets =
        """
        {"items": [{"metadata": {"namespace": "default", "name": "b"},
          "spec": {"selector": {"matchLabels": {"app": "llm"}}}}]}
        """;
    server.expect().get().withPath(path).andReturn(200, budgets).always();
    var now = new AtomicReference<>(Instant.parse("2026-11-25T12:00:00Z"));
    var source = DisruptionBudgets.Source.in(client, now::get);

    assertThat(new DisruptionBudgets(source).violations(THREE)).as("not known").isZero();
    now.updateAndGet(it -> it.plusSeconds(3));
    for (int question = 0; question < 100; question++) {
      assertThat(new DisruptionBudgets(source).violations(THREE)).isEqualTo(3);
    }
    assertThat(source.of("other")).isEmpty();
    assertThat(server.getRequestCount()).isEqualTo(2);
    now.updateAndGet(it -> it.plusSeconds(3));
    assertThat(source.of("default")).hasSize(1);
    assertThat(server.getRequestCount()).isEqualTo(3);
  }
}
