package io.prescale.controller.plan.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.BookingMode;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPASpec;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What is read of targets. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class LiveBookingsTest {
  private static final String PATH = "/apis/apps/v1/namespaces/models/deployments/chat";

  private KubernetesMockServer server;
  private KubernetesClient client;

  private static PredictiveHPA chat() {
    return BookedServices.service("chat", Mode.Active, BookingMode.Book);
  }

  @Test
  void aTargetThatMayNotBeReadIsNotBookedForAndOneThatCannotNowIsAFailure() {
    var once = new ConfigBuilder(client.getConfiguration()).withRequestRetryBackoffLimit(0).build();
    try (var api = new KubernetesClientBuilder().withConfig(once).build()) {
      var bookings = new LiveBookings(api);
      server.expect().get().withPath(PATH).andReturn(403, "{}").once();
      assertThat(bookings.target(chat())).isEmpty();

      server.expect().get().withPath(PATH).andReturn(503, "{}").always();
      assertThatThrownBy(() -> bookings.target(chat()))
          .isInstanceOf(KubernetesClientException.class);
    }
  }

  /** A tenant may write any group. Otherwise no node would be asked for, for any of them. */
  @Test
  void aTargetOfAGroupThatIsNotServedIsNotBookedFor() {
    assertThat(new LiveBookings(client).target(ofUnknownGroup())).isEmpty();
  }

  private static PredictiveHPA ofUnknownGroup() {
    var resource = chat();
    var spec = resource.getSpec();
    resource.setSpec(
        new PredictiveHPASpec(
            new ScaleTargetRef("foo.example/v1", "LeaderWorkerSet", "chat"),
            spec.minReplicas(),
            spec.maxReplicas(),
            spec.mode(),
            spec.scaleThrough(),
            spec.metrics(),
            spec.forecast(),
            spec.leadTime(),
            null,
            spec.fallback(),
            null,
            null,
            null,
            spec.schedules(),
            spec.booking(),
            null));
    return resource;
  }
}
