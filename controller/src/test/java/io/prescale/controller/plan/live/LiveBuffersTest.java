package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.at;
import static io.prescale.controller.plan.live.BookedServices.deployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.plan.BufferWish.Held;
import io.prescale.controller.plan.live.BufferStore.Buffer;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What is read of CapacityBuffers, and what is sent. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class LiveBuffersTest {
  private static final String PATH =
      "/apis/autoscaling.x-k8s.io/v1beta1/namespaces/models/capacitybuffers/chat";

  private KubernetesMockServer server;
  private KubernetesClient client;

  private static GpuBooking booking() {
    return BookedServices.booking("chat", "u-1");
  }

  private static Held held(int replicas) {
    return new Held(replicas, Optional.empty(), Optional.empty());
  }

  private Optional<Buffer> found(String manifest) {
    server.expect().get().withPath(PATH).andReturn(200, manifest).once();
    return new LiveBuffers(client).find(booking());
  }

  private static String manifest(String owner, String annotations, String spec) {
    return """
    {"apiVersion": "autoscaling.x-k8s.io/v1beta1", "kind": "CapacityBuffer",
     "metadata": {"name": "chat", "namespace": "models", "annotations": {%s},
                  "ownerReferences": [{"uid": "%s"}]},
     "spec": %s}
    """
        .formatted(annotations, owner, spec);
  }

  @Test
  void whatMakesNoSenseHoldsNothing() {
    var since = "\"autoscaling.prescale.io/asked-since\": \"2026-11-24T07:45:00Z\"";
    assertThat(found(manifest("u-1", since, "{\"replicas\": 3}")))
        .contains(new Buffer(true, "", held(3), Optional.of(at("07:45"))));
    assertThat(found(manifest("other", "", "{\"replicas\": 3}")))
        .contains(new Buffer(false, "", held(3), Optional.empty()));
    assertThat(found(manifest("u-1", since.replace("07:45", "soon"), "{\"replicas\": -3}")))
        .contains(Buffer.NONE);
    assertThat(found(manifest("u-1", "", "{\"limits\": {\"cpu\": 1}}"))).contains(Buffer.NONE);
    assertThat(new LiveBuffers(client).find(booking())).isEmpty();
  }

  @Test
  void aBufferIsWrittenWithATemplateThatRequestsWhatItLimits() throws InterruptedException {
    var templates = "/api/v1/namespaces/models/podtemplates/prescale-u-1";
    var query = "?fieldManager=prescale-bookings&force=true";
    server.expect().patch().withPath(templates + query).andReturn(200, "{}").once();
    server
        .expect()
        .patch()
        .withPath(PATH + query)
        .andReturn(200, manifest("u-1", "", "{\"replicas\": 2}"))
        .once();
    var template = BookedTemplate.of(deployment("chat", 1)).orElseThrow();

    new LiveBuffers(client)
        .apply(
            booking(),
            template,
            new Buffer(
                true,
                template.digest(),
                new Held(2, Optional.of(at("07:55")), Optional.of(at("07:46"))),
                Optional.of(at("07:45").plusMillis(5))));

    assertThat(server.takeRequest().getBody().readUtf8())
        .contains("\"requests\":{\"memory\":\"1Gi\",\"nvidia.com/gpu\":\"1\"}")
        .contains("\"uid\":\"u-1\"");
    assertThat(server.takeRequest().getBody().readUtf8())
        .contains("\"replicas\":2", "\"podTemplateRef\":{\"name\":\"prescale-u-1\"}")
        .contains("\"autoscaling.prescale.io/asked-since\":\"2026-11-24T07:45:00Z\"")
        .contains("\"autoscaling.prescale.io/held-up-to\":\"2026-11-24T07:55:00Z\"")
        .contains("\"autoscaling.prescale.io/unknown-since\":\"2026-11-24T07:46:00Z\"")
        .contains("\"app.kubernetes.io/managed-by\":\"prescale\"");
  }

  /** So that what a former leader sent late changes nothing that the next one has written. */
  @Test
  void aBufferThatWasReadIsWrittenAndReleasedAsItWasOnly() throws Exception {
    var applied = "?fieldManager=prescale-bookings&force=true";
    var template = BookedTemplate.of(deployment("chat", 1)).orElseThrow();
    var there =
        manifest("u-1", "", "{}").replace("\"name\"", "\"resourceVersion\": \"7\", \"name\"");
    server.expect().get().withPath(PATH).andReturn(200, there).times(2);
    server
        .expect()
        .patch()
        .withPath("/api/v1/namespaces/models/podtemplates/prescale-u-1" + applied)
        .andReturn(200, "{}")
        .once();
    server.expect().patch().withPath(PATH + applied).andReturn(200, there).once();
    server.expect().patch().withPath(PATH).andReturn(200, there).once();
    var buffers = new LiveBuffers(client);
    assertThat(buffers.find(booking())).isPresent();

    buffers.apply(
        booking(), template, new Buffer(true, template.digest(), held(2), Optional.empty()));
    assertThat(version(server.getLastRequest())).isEqualTo("7");
    buffers.release(booking());
    assertThat(version(server.getLastRequest())).isEqualTo("7");
  }

  private static String version(RecordedRequest request) throws Exception {
    var json = new ObjectMapper().readTree(request.getBody().readUtf8());
    return json.at("/metadata/resourceVersion").asText();
  }

  @Test
  void onlyBuffersOfBookingsEndWithTheRest() throws InterruptedException {
    var version = "/apis/autoscaling.x-k8s.io/v1beta1";
    var buffers = new LeftBuffers(client);
    assertThat(buffers.end(Set.of())).as("no such kind").isZero();
    server
        .expect()
        .get()
        .withPath(version)
        .andReturn(200, "{\"resources\": [{\"name\": \"capacitybuffers\"}]}")
        .always();
    var bookings = owner("GpuBooking", "chat", "u-1") + "," + owner("GpuBooking", "other", "u-2");
    server
        .expect()
        .get()
        .withPath(
            version
                + "/namespaces/models/capacitybuffers?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dprescale")
        .andReturn(
            200,
            "{\"items\": [%s, %s, %s]}"
                .formatted(
                    buffer("chat", bookings),
                    buffer("chosen", owner("Deployment", "chosen", "u-3")),
                    buffer("free", "")))
        .once();
    server
        .expect()
        .get()
        .withPath(
            version
                + "/namespaces/forbidden/capacitybuffers?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dprescale")
        .andReturn(403, "{}")
        .once();
    server.expect().delete().withPath(PATH).andReturn(200, "{}").once();

    assertThat(buffers.end(Set.of("forbidden", "models"))).isEqualTo(1);

    assertThat(server.getLastRequest().getPath())
        .isEqualTo("/api/v1/namespaces/models/podtemplates/prescale-u-1");
  }

  @Test
  void aBufferHoldsNothingOnceItIsReleasedAndKeepsItsTemplate() throws InterruptedException {
    var manifest = manifest("u-1", "", "{}");
    server.expect().get().withPath(PATH).andReturn(200, manifest).once();
    server.expect().patch().withPath(PATH).andReturn(200, manifest).once();

    new LiveBuffers(client).release(booking());

    assertThat(server.getLastRequest().getBody().readUtf8())
        .contains("\"spec\":{\"replicas\":0}", "\"autoscaling.prescale.io/asked-since\":null");
  }

  private static String owner(String kind, String name, String uid) {
    return "{\"kind\": \"%s\", \"name\": \"%s\", \"uid\": \"%s\"}".formatted(kind, name, uid);
  }

  private static String buffer(String name, String owners) {
    return """
    {"apiVersion": "autoscaling.x-k8s.io/v1beta1", "kind": "CapacityBuffer",
     "metadata": {"name": "%s", "namespace": "models", "ownerReferences": [%s]}}
    """
        .formatted(name, owners);
  }
}
