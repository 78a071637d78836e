package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.extender.PodBinder.Outcome;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What became of a binding, by what the API server answers. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class ClusterBinderTest {
  private static final String POD = "/api/v1/namespaces/default/pods/chat";

  private final PodFacts pod = Pods.asking("chat", Map.of("nvidia.com/gpu", 1L));
  private KubernetesMockServer server;
  private KubernetesClient client;
  private ClusterBinder binder;
  private final AtomicBoolean answers = new AtomicBoolean(true);

  @BeforeEach
  void withoutRepetitions() {
    var config = Config.empty();
    config.setMasterUrl(client.getConfiguration().getMasterUrl());
    config.setTrustCerts(true);
    config.setRequestRetryBackoffLimit(0);
    binder =
        new ClusterBinder(new KubernetesClientBuilder().withConfig(config).build(), answers::get);
  }

  /** It may have waited for its turn on the node until another replica answered. */
  @Test
  void aReplicaThatDoesNotAnswerAnyMoreBindsNothing() {
    answers.set(false);

    assertThat(bind())
        .isEqualTo(new Outcome.Failed("this replica of the extender does not answer now"));
    assertThat(server.getRequestCount()).isZero();
  }

  @Test
  void anAnswerEndsIt() {
    answersTheBinding(201, "");

    assertThat(bind()).isEqualTo(new Outcome.Bound());
  }

  @Test
  void aRefusalIsAFailureInTheServersWords() {
    answersTheBinding(403, "you may not");
    podIsOn(null);

    assertThat(bind()).isEqualTo(new Outcome.Failed("you may not"));
  }

  /**
   * The client repeats a POST whose answer was lost; the repeated one is a conflict, or is refused
   * by a server that has just started and knows no rights yet.
   */
  @ParameterizedTest
  @ValueSource(ints = {401, 403, 409, 500, 503})
  void aPodThatIsBoundThereIsBoundWhateverWasAnswered(int status) {
    answersTheBinding(status, "pod chat is already assigned to node n");
    podIsOn("n");

    assertThat(bind()).isEqualTo(new Outcome.Bound());
  }

  @Test
  void aConflictWithAnotherNodeIsAFailureInTheServersWords() {
    answersTheBinding(409, "pod chat is already assigned to node other");
    podIsOn("other");

    assertThat(bind()).isEqualTo(new Outcome.Failed("pod chat is already assigned to node other"));
  }

  @Test
  void anErrorLeavesAPodThatIsNotBound() {
    answersTheBinding(500, "etcd");
    podIsOn(null);

    assertThat(bind())
        .isEqualTo(new Outcome.Failed("the API server did not answer, and the pod is not bound"));
  }

  @Test
  void withoutAnyAnswerTheOutcomeIsUnknown() {
    answersTheBinding(409, "pod chat is already assigned to node n");
    server.expect().get().withPath(POD).andReturn(500, status(500, "etcd")).always();

    assertThat(bind()).isEqualTo(new Outcome.Unknown("etcd"));
  }

  private Outcome bind() {
    return binder.bind(pod, "n", Map.of(), Map.of());
  }

  private void answersTheBinding(int code, String message) {
    server.expect().post().withPath(POD + "/binding").andReturn(code, status(code, message)).once();
  }

  private void podIsOn(String node) {
    var now =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("chat")
            .withUid(pod.uid())
            .endMetadata()
            .withNewSpec()
            .withNodeName(node)
            .endSpec()
            .build();
    server.expect().get().withPath(POD).andReturn(200, now).always();
  }

  private static String status(int code, String message) {
    return "{\"kind\":\"Status\",\"code\":%d,\"message\":\"%s\"}".formatted(code, message);
  }
}
