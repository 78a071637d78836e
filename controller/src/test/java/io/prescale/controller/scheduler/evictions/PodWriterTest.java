package io.prescale.controller.scheduler.evictions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.reclaim.ApiWithoutRepetition;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server answers to the eviction of pod p. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class PodWriterTest {
  private static final NamedPod POD = new Named("uid-p", "team", "p");
  private static final String TWO_BUDGETS =
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
          + " support.";

  private KubernetesMockServer server;
  private KubernetesClient client;

  private record Named(String uid, String namespace, String name) implements NamedPod {}

  private PodWriter answered(int code, String message) {
    server
        .expect()
        .post()
        .withPath("/api/v1/namespaces/team/pods/p/eviction")
        .andReturn(code, new StatusBuilder().withCode(code).withMessage(message).build())
        .always();
    return new PodWriter(ApiWithoutRepetition.of(client));
  }

  @Test
  void anEvictionThatIsAcceptedIsNotRefused() {
    assertThat(answered(201, "").evict(POD, 1)).isEmpty();
  }

  @Test
  void aBudgetThatAllowsNoneRefuses() {
    assertThat(answered(429, "Cannot evict pod").evict(POD, 1))
        .contains("A PodDisruptionBudget does not allow its eviction now; it is tried again.");
  }

  /** As if the API server had failed, and for ever. */
  @Test
  void twoBudgetsRefuse() {
    assertThat(answered(500, TWO_BUDGETS).evict(POD, 1))
        .contains("Its eviction is refused, and tried again: " + TWO_BUDGETS);
  }

  @ParameterizedTest
  @CsvSource({"400", "403", "422"})
  void aWebhookRefusesInItsOwnWords(int code) {
    var webhook = "admission webhook \"keep\" denied the request: not on Fridays";

    assertThat(answered(code, webhook).evict(POD, 1))
        .contains("Its eviction is refused, and tried again: " + webhook);
  }

  @Test
  void aLongRefusalIsCut() {
    assertThat(answered(403, "x".repeat(5000)).evict(POD, 1).orElseThrow())
        .hasSize(300)
        .endsWith("…");
  }

  /** A pod that is gone, one that has changed, and an API server that may do better next time. */
  @ParameterizedTest
  @CsvSource({"404, not found", "409, changed", "500, etcd has no leader", "503, shutting down"})
  void whatIsNoRefusalFails(int code, String message) {
    var writer = answered(code, message);

    assertThatThrownBy(() -> writer.evict(POD, 1))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(message);
  }
}
