package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.at;
import static io.prescale.controller.plan.live.BookedServices.groups;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.plan.BufferWish.Held;
import io.prescale.controller.plan.live.BufferStore.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** ProvisioningRequests for gangs of two, as they are written to and read from the API server. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class LiveProvisioningTest {
  private static final String PATH =
      "/apis/autoscaling.x-k8s.io/v1/namespaces/models/provisioningrequests";
  private static final String SELECTED =
      "?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dprescale%2Cautoscaling.prescale.io%2Fbooking%3Du-1";
  private static final String TEMPLATES = "/api/v1/namespaces/models/podtemplates/";
  private static final BookedTemplate PAIR = BookedTemplate.of(groups("llm", 2, "")).orElseThrow();
  private final List<String> bodies = new ArrayList<>();
  private int seen;
  private KubernetesMockServer server;
  private KubernetesClient client;

  private static GpuBooking booking() {
    return BookedServices.booking("llm", "u-1");
  }

  private static Buffer buffer(BookedTemplate template, int replicas) {
    return new Buffer(
        true,
        template.digest(),
        new Held(replicas, Optional.of(at("07:55")), Optional.empty()),
        Optional.of(at("07:45")));
  }

  private static String request(int number, String shape, String condition) {
    return """
    {"apiVersion": "autoscaling.x-k8s.io/v1", "kind": "ProvisioningRequest",
     "metadata": {"name": "prescale-u-1-%d", "namespace": "models", "resourceVersion": "7",
       "annotations": {
       "autoscaling.prescale.io/shape": "%s",
       "autoscaling.prescale.io/asked-since": "2026-11-24T07:45:00Z",
       "autoscaling.prescale.io/held-up-to": "2026-11-24T07:55:00Z"}},
     "status": {"conditions": [{"type": "%s", "status": "True"}]}}
    """
        .formatted(number, shape, condition);
  }

  private void there(String... requests) {
    server
        .expect()
        .get()
        .withPath(PATH + SELECTED)
        .andReturn(200, "{\"items\": [%s]}".formatted(String.join(",", requests)))
        .always();
  }

  /** What may be asked of the server, each of which it answers as if it had been done. */
  private void permit(String method, String path) {
    var expected = server.expect();
    (method.equals("DELETE") ? expected.delete() : expected.patch())
        .withPath(path)
        .andReturn(200, "{\"metadata\": {\"name\": \"x\"}}")
        .once();
  }

  private void permitApplying(String path) {
    permit("PATCH", path + "?fieldManager=prescale-bookings&force=true");
  }

  /** What was asked of the server but the list, as method and last part of the path. */
  private List<String> asked() throws InterruptedException {
    var asked = new ArrayList<String>();
    while (server.getRequestCount() > seen) {
      seen++;
      var request = server.takeRequest();
      var path = request.getPath().replaceAll("\\?.*", "");
      if (!request.getMethod().equals("GET")) {
        asked.add(request.getMethod() + " " + path.substring(path.lastIndexOf('/') + 1));
        bodies.add(request.getBody().readUtf8());
      }
    }
    return asked;
  }

  @Test
  void eachGangHasARequestOfItsOwnForAllItsPods() throws InterruptedException {
    there();
    permitApplying(TEMPLATES + "prescale-u-1-worker");
    permitApplying(PATH + "/prescale-u-1-0");
    permitApplying(PATH + "/prescale-u-1-1");

    new LiveProvisioning(client).apply(booking(), PAIR, buffer(PAIR, 2));

    assertThat(asked())
        .containsExactly(
            "PATCH prescale-u-1-worker", "PATCH prescale-u-1-0", "PATCH prescale-u-1-1");
    assertThat(bodies.getFirst()).contains("\"requests\":{\"nvidia.com/gpu\":");
    assertThat(bodies.getLast())
        .contains("best-effort-atomic-scale-up.autoscaling.x-k8s.io")
        .contains("\"ValidUntilSeconds\":\"3600\"", "\"uid\":\"u-1\"", "\"count\":2")
        .contains("\"autoscaling.prescale.io/booking\":\"u-1\"");
  }

  @Test
  void aLeaderOfItsOwnHasATemplateOfItsOwn() throws InterruptedException {
    var led =
        template("{spec: {containers: [{name: head, resources: {limits: {nvidia.com/gpu: 8}}}]}}");
    there();
    permitApplying(TEMPLATES + "prescale-u-1-worker");
    permitApplying(TEMPLATES + "prescale-u-1-leader");
    permitApplying(PATH + "/prescale-u-1-0");

    new LiveProvisioning(client).apply(booking(), led, buffer(led, 1));

    assertThat(asked()).hasSize(3);
    assertThat(bodies.getLast())
        .contains("\"count\":1", "{\"name\":\"prescale-u-1-leader\"}")
        .contains("\"count\":3", "{\"name\":\"prescale-u-1-worker\"}");
  }

  @Test
  void noNodeIsAskedForForALeaderWithoutCards() throws InterruptedException {
    var led = template("{spec: {containers: [{name: main, image: head}]}}");
    there();
    permitApplying(TEMPLATES + "prescale-u-1-worker");
    permitApplying(PATH + "/prescale-u-1-0");

    new LiveProvisioning(client).apply(booking(), led, buffer(led, 1));

    assertThat(asked()).hasSize(2);
    assertThat(bodies.getLast()).contains("\"count\":3").doesNotContain("\"count\":1", "leader");
  }

  private static BookedTemplate template(String leader) {
    return BookedTemplate.of(groups("llm", 4, leader)).orElseThrow();
  }

  @Test
  void whatIsAskedForIsRead() {
    assertThat(new LiveProvisioning(client).find(booking())).as("not served").isEmpty();
    var shape = PAIR.digest();
    there(request(1, shape, "Accepted"), request(0, shape, "Provisioned"));
    assertThat(new LiveProvisioning(client).find(booking())).contains(buffer(PAIR, 2));
  }

  /** The nodes are there, and would go. */
  @Test
  void aRequestThatIsOverIsHeldAndHasToBeWrittenAgain() {
    var shape = PAIR.digest();
    there(
        request(0, shape, "Provisioned"),
        request(1, shape, "BookingExpired"),
        request(2, shape, "Failed"),
        request(3, shape, "CapacityRevoked"));

    assertThat(new LiveProvisioning(client).find(booking())).contains(buffer(PAIR, 4).unwritten());
  }

  @Test
  void whatIsOverOrOfAnotherShapeOrTooManyIsReplacedBeforeItGoes() throws InterruptedException {
    var shape = PAIR.digest();
    there(
        request(0, shape, "BookingExpired"),
        request(1, "other", "Accepted"),
        request(2, shape, "Accepted"));
    permitApplying(TEMPLATES + "prescale-u-1-worker");
    List.of(2, 3, 4).forEach(it -> permitApplying(PATH + "/prescale-u-1-" + it));
    List.of(0, 1).forEach(it -> permit("DELETE", PATH + "/prescale-u-1-" + it));

    new LiveProvisioning(client).apply(booking(), PAIR, buffer(PAIR, 3));

    assertThat(asked())
        .containsExactly(
            "PATCH prescale-u-1-worker",
            "PATCH prescale-u-1-2",
            "PATCH prescale-u-1-3",
            "PATCH prescale-u-1-4",
            "DELETE prescale-u-1-0",
            "DELETE prescale-u-1-1");
    assertThat(bodies.get(1)).as("as it was read").contains("\"resourceVersion\":\"7\"");
    assertThat(bodies.get(2)).as("a new one").doesNotContain("resourceVersion");
  }

  @Test
  void fewerAreHeldAsGangsComeAndInTheEndNothingIsLeft() throws InterruptedException {
    var shape = PAIR.digest();
    there(request(0, shape, "Accepted"), request(1, shape, "Accepted"));
    permitApplying(TEMPLATES + "prescale-u-1-worker");
    permitApplying(PATH + "/prescale-u-1-0");
    permit("DELETE", PATH + "/prescale-u-1-1");
    new LiveProvisioning(client).apply(booking(), PAIR, buffer(PAIR, 1));
    assertThat(asked().getLast()).isEqualTo("DELETE prescale-u-1-1");

    for (var path : List.of(PATH + "/prescale-u-1-0", PATH + "/prescale-u-1-1")) {
      permit("DELETE", path);
    }
    permit("DELETE", TEMPLATES + "prescale-u-1-worker");
    permit("DELETE", TEMPLATES + "prescale-u-1-leader");
    new LiveProvisioning(client).release(booking());
    assertThat(asked())
        .containsExactly(
            "DELETE prescale-u-1-0",
            "DELETE prescale-u-1-1",
            "DELETE prescale-u-1-worker",
            "DELETE prescale-u-1-leader");
  }

  @Test
  void onlyGangsAreAskedForLikeThis() {
    var store = new LiveProvisioning(client);
    assertThat(store.suits(PAIR)).isTrue();
    assertThat(store.suits(BookedTemplate.of(groups("llm", 1, "")).orElseThrow())).isFalse();
  }
}
