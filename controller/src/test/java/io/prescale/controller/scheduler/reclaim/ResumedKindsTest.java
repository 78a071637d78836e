package io.prescale.controller.scheduler.reclaim;

import static io.prescale.controller.scheduler.reclaim.SuspendableKind.JOB_SET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import io.prometheus.client.CollectorRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rounds find a suspended JobSet, whose two cards are free, and let it go on. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class ResumedKindsTest {
  private static final ResourceDefinitionContext SETS = JOB_SET.contexts().getFirst();
  private static final String PATH = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets/j";

  private final CollectorRegistry registry = new CollectorRegistry();
  private Instant clock = Instant.parse("2026-11-24T12:00:00Z");
  private KubernetesMockServer server;
  private KubernetesClient client;
  private ReclaimExecutor executor;

  @BeforeEach
  void suspendedJobSet() {
    ApiWithoutRepetition.serve(server, SETS);
    server
        .expect()
        .get()
        .withPath("/apis/jobset.x-k8s.io/v1alpha2")
        .andReturn(200, "{\"resources\": [{\"name\": \"jobsets\"}]}")
        .always();
    var pod = Pods.inQueue(Pods.asking("p", Map.of("nvidia.com/gpu", 1L)), "training", clock);
    var object = ApiWithoutRepetition.workload("JobSet", "", "{suspend: true}");
    object.setApiVersion("jobset.x-k8s.io/v1alpha2");
    object.getMetadata().setResourceVersion(null);
    object.getMetadata().setLabels(Map.of(SuspendedWorkloads.LABEL, "true"));
    object
        .getMetadata()
        .setAnnotations(
            Map.of(
                SuspendedWorkloads.AT,
                clock.minusSeconds(600).toString(),
                SuspendedWorkloads.PODS,
                SuspendedPods.of(List.of(pod, pod)).text()));
    client.genericKubernetesResources(SETS).inNamespace("default").resource(object).create();
    var ledger = new Ledger(10);
    ledger.seen(Nodes.a100("a", 8));
    ledger.queues(List.of(new QueueEntry("training", Optional.empty(), Quota.train(0, 1))));
    System.setProperty(ReclaimExecutor.PROPERTY, "true");
    executor =
        new ReclaimExecutor(
            ApiWithoutRepetition.of(client),
            ledger,
            () -> clock,
            new ReclaimMetrics(registry),
            Optional.empty(),
            Map::of,
            List::of);
  }

  @AfterEach
  void close() {
    executor.close();
    System.clearProperty(ReclaimExecutor.PROPERTY);
  }

  private GenericKubernetesResource jobSet() {
    return client.genericKubernetesResources(SETS).inNamespace("default").withName("j").get();
  }

  private void round() {
    executor.round(() -> true);
    clock = clock.plusSeconds(1);
  }

  private void awaitResumed() {
    await()
        .untilAsserted(
            () -> {
              round();
              assertThat(jobSet().<Object>get("spec", "suspend")).isEqualTo(false);
            });
  }

  private double refused() {
    return registry.getSampleValue("prescale_reclaim_refused_resumptions");
  }

  @Test
  void itGoesOnAndLosesItsMarks() {
    awaitResumed();

    assertThat(jobSet().getMetadata().getLabels().get(SuspendedWorkloads.LABEL)).isNull();
    assertThat(jobSet().getMetadata().getAnnotations().values()).containsOnlyNulls();
  }

  /** A webhook that adds a label; or another writer, whose change the watch has not seen yet. */
  @ParameterizedTest
  @CsvSource({"422, 1", "400, 1", "409, 0"})
  void aResumptionThatIsRefusedIsReportedIfThatLastsAndTriedAgain(int code, int reported) {
    server.expect().patch().withPath(PATH).andReturn(code, "{}").once();

    await()
        .until(
            () -> {
              round();
              return sentPatches() > 0;
            });
    round();
    assertThat(refused()).isEqualTo(reported);
    assertThat(client.v1().events().inNamespace("default").list().getItems())
        .filteredOn(event -> event.getReason().equals("ReclaimResumeRefused"))
        .hasSize(reported);

    awaitResumed();
    round();
    assertThat(refused()).isZero();
  }

  private long sentPatches() throws InterruptedException {
    return ApiWithoutRepetition.sent(server, seen).stream()
        .peek(_ -> seen++)
        .filter(it -> it.startsWith("PATCH " + PATH))
        .count();
  }

  private int seen;
}
