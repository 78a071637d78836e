package io.prescale.controller.scheduler.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.reclaim.ApiWithoutRepetition;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Job's pod on a sick card of node a; node b has room for it. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class SickJobsTest {
  private static final String JOB = "/apis/batch/v1/namespaces/default/jobs/j";
  private static final String PODS = "/api/v1/namespaces/default/pods";

  private final Ledger ledger = new Ledger(10);
  private Instant clock = Instant.parse("2026-11-21T12:00:00Z");
  private KubernetesMockServer server;
  private KubernetesClient client;
  private MoveExecutor executor;

  @BeforeEach
  void aPodOnASickCard() {
    List.of("a", "b").forEach(node -> ledger.seen(Nodes.a100(node, 2)));
    ledger.seen(MoveExecutorTest.facts("on-a", "a", Map.of()));
    var sick = GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY);
    ledger.conditions(
        Map.of("GPU-a-0", new CardReading(sick, OptionalInt.empty(), Optional.of("broken"))));
    var settings =
        new MoveSettings(
            new ReclaimPolicy(Mode.ACT, Duration.ofMinutes(1), 10),
            Duration.ofDays(1),
            Duration.ZERO,
            List.of());
    executor =
        new MoveExecutor(
            ApiWithoutRepetition.of(client),
            ledger,
            () -> clock,
            settings,
            new MoveMetrics(new CollectorRegistry()),
            _ -> Optional.empty());
    executor.seen(
        new PodBuilder(MoveExecutorTest.pod("on-a", Map.of()))
            .editMetadata()
            .editFirstOwnerReference()
            .withApiVersion("batch/v1")
            .withKind("Job")
            .withName("j")
            .endOwnerReference()
            .endMetadata()
            .build());
    server.expect().patch().withPath(PODS + "/on-a/status").andReturn(200, "{}").always();
    MoveExecutorTest.acceptEvents(server);
    server
        .expect()
        .get()
        .withPath(PODS + "?labelSelector=batch.kubernetes.io%2Fjob-name%3Dj")
        .andReturn(200, "{\"items\": []}")
        .always();
  }

  private void jobIs(int status, int failed, int limit) {
    var job =
        """
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j", "namespace": "default"},
         "spec": {"backoffLimit": %d}, "status": {"failed": %d}}
        """
            .formatted(limit, failed);
    server.expect().get().withPath(JOB).andReturn(status, job).always();
  }

  private List<String> sent() throws InterruptedException {
    var all = new ArrayList<String>();
    for (int request = 0; request < server.getRequestCount(); request++) {
      var each = server.takeRequest();
      all.add("%s %s %s".formatted(each.getMethod(), each.getPath(), each.getBody().readUtf8()));
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({"0, 6", "5, 6", "0, 1"})
  void leavesItIfItsJobSurvivesTheEviction(int failed, int limit) throws Exception {
    jobIs(200, failed, limit);

    executor.round(() -> true);

    var sent = sent();
    assertThat(sent)
        .filteredOn(it -> it.startsWith("PATCH"))
        .singleElement()
        .asString()
        .startsWith("PATCH " + PODS + "/on-a/status")
        .contains("\"gpu.prescale.io/move-for\":\"sick-card\"");
    assertThat(sent).noneMatch(it -> it.contains("MoveStays"));
  }

  @ParameterizedTest
  @CsvSource({
    "200, 0, 0, its eviction might end Job j",
    "200, 6, 6, its eviction might end Job j",
    "403, 0, 6, its Job cannot be read"
  })
  void staysIfThatMightEndItsJob(int status, int failed, int limit, String why) throws Exception {
    jobIs(status, failed, limit);

    executor.round(() -> true);

    assertThat(sent())
        .noneMatch(it -> it.startsWith("PATCH"))
        .anyMatch(it -> it.contains("Stays on a sick card, since %s.".formatted(why)));
  }

  @Test
  void itsJobIsReadOnceAMinute() throws Exception {
    jobIs(200, 6, 6);

    for (int second = 0; second <= 60; second += 10) {
      executor.round(() -> true);
      clock = clock.plusSeconds(10);
    }

    assertThat(sent()).filteredOn(it -> it.startsWith("GET " + JOB)).hasSize(4);
  }
}
