package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which kinds an API server has. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class InstalledKindsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private KubernetesMockServer server;
  private KubernetesClient client;
  private InstalledKinds kinds;

  @BeforeEach
  void withoutRepetitions() {
    kinds = new InstalledKinds(ApiWithoutRepetition.of(client), Runnable::run);
  }

  @Test
  void anApiServerThatDoesNotSayWhatItHasIsNotTakenForOneWithoutTheKinds() {
    server.expect().get().withPath("/apis/jobset.x-k8s.io/v1alpha2").andReturn(503, "{}").once();

    assertThatThrownBy(() -> kinds.at(NOW)).isInstanceOf(KubernetesClientException.class);

    assertThat(kinds.at(NOW).keySet()).containsExactly(SuspendableKind.JOB);
    int before = server.getRequestCount();
    kinds.at(NOW.plusSeconds(59));
    assertThat(server.getRequestCount()).isEqualTo(before);
    server
        .expect()
        .get()
        .withPath("/apis/ray.io/v1")
        .andReturn(200, "{\"resources\": [{\"name\": \"rayjobs\"}]}")
        .always();
    assertThat(kinds.at(NOW.plusSeconds(60))).containsKey(SuspendableKind.RAY_JOB);
  }
}
