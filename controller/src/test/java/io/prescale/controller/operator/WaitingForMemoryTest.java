package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two PredictiveHPAs, and a budget that has room for the history of one. */
@MockApi(crud = true)
@Timeout(300)
@NullUnmarked // the extension sets client and server
class WaitingForMemoryTest {
  /** More than 160 KiB and two weeks of minutes, less than twice as much. */
  private static final long ROOM = 400 << 10;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void theSecondWaitsWhileTheFirstFillsTheBudget() {
    ScaleOfChat.answeredBy(server, () -> {});
    try (var term =
        new ReconcilingInMock(
            client,
            Optional.of(PrometheusServer.at(URI.create("http://127.0.0.1:1"))),
            new MemoryBudget(ROOM),
            () -> {})) {
      term.put("first", "4");
      term.begin();
      awaitBegun(term, "first");

      term.put("second", "4");
      assertThat(term.notReady("second"))
          .startsWith("This PredictiveHPA needs 317 KiB of memory, and there are 0 MiB for all");
    }
  }

  /** Once it has begun, it asks for its metric at once, of a server that is not there. */
  private static void awaitBegun(ReconcilingInMock term, String name) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> term.unready(name).map(StatusCondition::reason),
            Optional.of(ConditionReason.ServerUnreachable)::equals);
  }
}
