package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.controller.scheduler.reclaim.ReclaimWriter.Outcome;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.notice.Notice;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent to the API server, and what its answers mean. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class ReclaimWriterTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00.5Z");
  private static final String POD = "/api/v1/namespaces/default/pods/p";
  private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/j";
  private static final String JOB = "/apis/batch/v1/namespaces/default/jobs/j";

  private static final Suspendable WORKLOAD =
      new Suspendable(SuspendableKind.JOB, "default", "j", "uid-j");
  private static final ResourceDefinitionContext CONTEXT =
      SuspendableKind.JOB.contexts().getFirst();
  private static final SuspendedPods PODS =
      SuspendedPods.of(List.of(Pods.asking("p", Map.of("nvidia.com/gpu", 1L))));

  private final PodTerms pod = PodTerms.of(ApiWithoutRepetition.pod("p", Map.of()));
  private KubernetesMockServer server;
  private KubernetesClient client;
  private ReclaimWriter writer;

  @BeforeEach
  void withoutRepetitions() {
    writer = new ReclaimWriter(ApiWithoutRepetition.of(client));
    var read = ApiWithoutRepetition.pod("p", Map.of());
    server.expect().get().withPath(POD).andReturn(200, read).always();
  }

  private JsonNode body() throws Exception {
    return new ObjectMapper().readTree(server.getLastRequest().getBody().readUtf8());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "default/train",
        "default/\"",
        "default/x\",\"hami.io/vgpu-devices-allocated\":\"GPU-0,NVIDIA,81920,100:;",
        "default/x\"}},\"status\":{\"phase\":\"Failed\"},\"metadata\":{\"annotations\":{\"a\":\"",
        "default/\\",
      })
  void anyTextOfAClaimIsOneAnnotation(String claim) throws Exception {
    server.expect().patch().withPath(POD + "/status").andReturn(200, "{}").once();

    writer.notice(pod, Optional.of(new Notice(claim, NOW)));

    assertThat(body())
        .isEqualTo(
            new ObjectMapper()
                .valueToTree(
                    Map.of(
                        "metadata",
                        Map.of(
                            "uid",
                            "uid-p",
                            "annotations",
                            Map.of(PodTerms.AT, "2026-11-23T12:00:01Z", PodTerms.FOR, claim)))));
  }

  @Test
  void aNoticeIsRemovedByNulls() throws Exception {
    server.expect().patch().withPath(POD + "/status").andReturn(200, "{}").once();

    writer.notice(pod, Optional.empty());

    var annotations = body().at("/metadata/annotations");
    assertThat(annotations).hasSize(2);
    assertThat(annotations.path(PodTerms.AT).isNull()).isTrue();
    assertThat(annotations.path(PodTerms.FOR).isNull()).isTrue();
  }

  @Test
  void aNoticeRunsOutInWholeSecondsAndNeverTooEarly() {
    assertThat(PodWriter.written(NOW)).isEqualTo("2026-11-23T12:00:01Z");
    assertThat(PodWriter.written(Instant.parse("2026-11-23T12:00:01Z")))
        .isEqualTo("2026-11-23T12:00:01Z");
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 409})
  void aRefusedWriteFails(int code) {
    server.expect().patch().withPath(POD + "/status").andReturn(code, "").always();

    assertThatThrownBy(() -> writer.notice(pod, Optional.empty()))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(code));
  }

  @ParameterizedTest
  @CsvSource({"201, true", "429, false"})
  void aDisruptionBudgetRefusesAnEviction(int code, boolean isAllowed) throws Exception {
    server.expect().post().withPath(POD + "/eviction").andReturn(code, "{}").once();

    assertThat(writer.pods().evict(pod, 1).isEmpty()).isEqualTo(isAllowed);
    assertThat(body().at("/deleteOptions/preconditions/uid").asText()).isEqualTo("uid-p");
  }

  @Test
  void aJobIsSuspendedAndMarkedInOneRequestOfTheVersionThatWasRead() throws Exception {
    server.expect().get().withPath(JOB).andReturn(200, job(Map.of())).always();
    server.expect().patch().withPath(JOB).andReturn(200, job(Map.of())).once();

    assertThat(suspend()).isEqualTo(Outcome.DONE);

    var body = body();
    assertThat(body.at("/spec/suspend").asBoolean()).isTrue();
    assertThat(body.at("/metadata/resourceVersion").asText()).isEqualTo("7");
    assertThat(body.at("/metadata/labels").path(SuspendedWorkloads.LABEL).asText())
        .isEqualTo("true");
    var annotations = body.at("/metadata/annotations");
    assertThat(annotations.path(SuspendedWorkloads.AT).asText()).isEqualTo("2026-11-23T12:00:00Z");
    assertThat(annotations.path(SuspendedWorkloads.PODS).asText()).isEqualTo(PODS.text());
  }

  private Outcome suspend() {
    return writer.suspend(WORKLOAD, CONTEXT, PODS, NOW);
  }

  private static Object job(Map<String, String> labels) {
    return ApiWithoutRepetition.job("j", labels, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kueue.x-k8s.io/queue-name", "jobset.sigs.k8s.io/jobset-name"})
  void aJobOfAnotherControllerIsNotSuspended(String label) {
    server.expect().get().withPath(JOB).andReturn(200, job(Map.of(label, "x"))).once();

    assertThat(suspend()).isEqualTo(Outcome.IMPOSSIBLE);
    assertThat(server.getRequestCount()).isEqualTo(1);
  }

  @Test
  void anotherJobOfTheSameNameIsNotSuspended() {
    server.expect().get().withPath(JOB).andReturn(200, job(Map.of())).always();
    var before = new Suspendable(SuspendableKind.JOB, "default", "j", "uid-before");

    assertThat(writer.suspend(before, CONTEXT, PODS, NOW)).isEqualTo(Outcome.IMPOSSIBLE);
    assertThat(server.getRequestCount()).isEqualTo(1);
  }

  @Test
  void aKindOfKubeflowIsSuspendedInItsRunPolicy() throws Exception {
    var path = "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs/j";
    var object = ApiWithoutRepetition.workload("PyTorchJob", "", "{runPolicy: {}}");
    server.expect().get().withPath(path).andReturn(200, object).always();
    server.expect().patch().withPath(path).andReturn(200, object).once();
    var kind = SuspendableKind.PYTORCH_JOB;
    var workload = new Suspendable(kind, "default", "j", "uid-j");

    assertThat(writer.suspend(workload, kind.contexts().getFirst(), PODS, NOW))
        .isEqualTo(Outcome.DONE);
    assertThat(body().path("spec")).hasToString("{\"runPolicy\":{\"suspend\":true}}");
  }

  @Test
  void aJobThatIsGoneIsNotSuspended() {
    assertThat(suspend()).isEqualTo(Outcome.IMPOSSIBLE);
  }

  @Test
  void anUnmarkedJobKeepsItsSuspension() throws Exception {
    server.expect().get().withPath(JOB).andReturn(200, job(Map.of())).always();
    server.expect().patch().withPath(JOB).andReturn(200, job(Map.of())).always();
    var object = ApiWithoutRepetition.workload(ApiWithoutRepetition.job("j", Map.of(), false));
    var job = SuspendedWorkloads.Marked.of(SuspendableKind.JOB, CONTEXT, object);

    writer.unmark(job);

    var body = body();
    assertThat(body.has("spec")).isFalse();
    assertThat(body.at("/metadata/labels").path(SuspendedWorkloads.LABEL).isNull()).isTrue();

    writer.resume(job);

    assertThat(body().at("/spec/suspend").asBoolean(true)).isFalse();
  }

  /** Whatever pods say that name it as their owner: they may be of others. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | IMPOSSIBLE",
        "{metadata: {annotations: {gpu.prescale.io/min-replicas: \"3\"}}} | IMPOSSIBLE",
        "{metadata: {annotations: {gpu.prescale.io/min-replicas: \"2\"}}} | DONE",
      })
  void aDeploymentIsScaledNoLowerThanItsOwnTemplateDeclares(String template, Outcome outcome) {
    var object =
        ApiWithoutRepetition.workload(
            "Deployment", "", "{replicas: 6, template: %s}".formatted(template));
    var hpas = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    server.expect().get().withPath(hpas).andReturn(200, "{\"items\": []}").always();
    server.expect().get().withPath(DEPLOYMENT).andReturn(200, object).always();
    server.expect().patch().withPath(DEPLOYMENT).andReturn(200, object).always();
    var kind = SuspendableKind.DEPLOYMENT;
    var workload = new Suspendable(kind, "default", "j", "uid-j");

    assertThat(
            writer.shrink(
                workload, kind.contexts().getFirst(), _ -> OptionalInt.of(2), List.of(), PODS, NOW))
        .isEqualTo(outcome);
  }

  /** Kueue's label has come since: it would never have its replicas again. */
  @Test
  void aWorkloadOfOthersThatIsScaledDownHasItsReplicasAgainWithoutTheMarks() throws Exception {
    var meta =
        """
        , labels: {kueue.x-k8s.io/queue-name: q}, annotations: {\
        gpu.prescale.io/replicas-before: "6", gpu.prescale.io/replicas-left: "2"}\
        """;
    var object = ApiWithoutRepetition.workload("Deployment", meta, "{replicas: 2}");
    server.expect().get().withPath(DEPLOYMENT).andReturn(200, object).always();
    server.expect().patch().withPath(DEPLOYMENT).andReturn(200, object).always();
    var kind = SuspendableKind.DEPLOYMENT;
    var marked = SuspendedWorkloads.Marked.of(kind, kind.contexts().getFirst(), object);
    assertThat(marked.isToBeResumed()).isFalse();

    writer.unmark(marked);

    var body = body();
    assertThat(body.at("/spec/replicas").asInt()).isEqualTo(6);
    assertThat(body.at("/metadata/annotations").path(ScaledReplicas.LEFT).isNull()).isTrue();
  }

  /**
   * Only the cost that Prescale writes, to pods that may be scaled down; another is of the pod's
   * owner. What was written just now may not be seen yet.
   */
  @ParameterizedTest
  @CsvSource({"2, -2147483648, true", "2, -5, false", "2, , true", ", -2147483648, false"})
  void aPodThatIsKeptIsNoLongerTheFirstToGo(
      @Nullable String minimum, @Nullable String cost, boolean isRemoved) throws Exception {
    var key = PodTerms.DELETION_COST;
    var annotations = new HashMap<String, String>();
    Optional.ofNullable(minimum).ifPresent(it -> annotations.put(Elasticity.MINIMUM, it));
    Optional.ofNullable(cost).ifPresent(it -> annotations.put(key, it));
    var pod = ApiWithoutRepetition.pod("p", annotations);
    var path = "/api/v1/namespaces/default/pods/p";
    server.expect().get().withPath(path).andReturn(200, pod).always();
    server.expect().patch().withPath(path + "/status").andReturn(200, pod).always();

    writer.notice(PodTerms.of(pod), Optional.empty());

    assertThat(body().at("/metadata/annotations").has(key)).isEqualTo(isRemoved);
  }
}
