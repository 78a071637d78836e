package io.prescale.controller.plan.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What is read of targets, and what is sent. */
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

  /** So that what a former leader sent late changes nothing that the next one has written. */
  @Test
  void whatIsWrittenIsAboutTheVersionThatWasSeenOnly() throws Exception {
    var path = "/apis/placement.prescale.io/v1alpha1/namespaces/models/gpubookings/chat";
    var query = "?fieldManager=prescale-bookings&force=true";
    var status =
        "/apis/autoscaling.prescale.io/v1alpha1/namespaces/models/predictivehpas/chat/status";
    server.expect().patch().withPath(path + query).andReturn(200, "{}").times(2);
    server.expect().patch().withPath(status + query).andReturn(200, "{}").once();
    server.expect().delete().withPath(path).andReturn(200, "{}").once();
    var chat = chat();
    chat.getMetadata().setResourceVersion("7");
    var seen = BookedServices.booking("chat", "u-1");
    seen.getMetadata().setResourceVersion("5");
    var bookings = new LiveBookings(client);
    var spec = seen.getSpec();

    bookings.apply(chat, spec, Optional.empty());
    assertThat(sent().at("/metadata").has("resourceVersion")).as("the first").isFalse();
    bookings.apply(chat, spec, Optional.of(seen));
    assertThat(sent().at("/metadata/resourceVersion").asText()).isEqualTo("5");
    bookings.report(chat, null);
    assertThat(sent().at("/metadata/resourceVersion").asText()).isEqualTo("7");
    bookings.delete(seen);
    assertThat(sent().at("/preconditions/resourceVersion").asText()).isEqualTo("5");
  }

  private JsonNode sent() throws Exception {
    return new ObjectMapper().readTree(server.takeRequest().getBody().readUtf8());
  }

  @Test
  void oneThatWasMadeAnewIsAnother() {
    var path = "/apis/autoscaling.prescale.io/v1alpha1/namespaces/models/predictivehpas/chat";
    var anew = chat();
    anew.getMetadata().setUid("uid-anew");
    server.expect().get().withPath(path).andReturn(200, chat()).once();
    server.expect().get().withPath(path).andReturn(200, anew).once();

    assertThat(new LiveBookings(client).present(chat())).isPresent();
    assertThat(new LiveBookings(client).present(chat())).isEmpty();
    assertThat(new LiveBookings(client).present(chat())).as("none is left").isEmpty();
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
