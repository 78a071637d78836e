package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Thirty bookings whose statuses always have news. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class StatusReportsTest {
  private static final ResourceDefinitionContext KIND =
      ResourceDefinitionContext.fromResourceType(GpuBooking.class);

  private KubernetesMockServer server;
  private KubernetesClient client;
  private KubernetesClient unrepeated;
  private StatusReports reports;

  @BeforeEach
  void withoutRepetition() {
    var config = Config.empty();
    config.setMasterUrl(client.getConfiguration().getMasterUrl());
    config.setTrustCerts(true);
    config.setRequestRetryBackoffLimit(0);
    unrepeated = new KubernetesClientBuilder().withConfig(config).build();
    reports = new StatusReports(unrepeated, KIND, List.of("missingFrom"));
  }

  @AfterEach
  void close() {
    unrepeated.close();
  }

  private static GpuBooking booking(String name) {
    var booking = new GpuBooking();
    booking.getMetadata().setNamespace("team");
    booking.getMetadata().setName(name);
    return booking;
  }

  private static List<GpuBooking> thirty() {
    return IntStream.range(10, 40).mapToObj(i -> booking("b" + i)).toList();
  }

  private static GpuBookingStatus expecting(int replicas) {
    return new GpuBookingStatus(1L, replicas, 0, 0, 0, null, List.of(), null, List.of());
  }

  /** It writes without reading: there is no answer to a GET. */
  private void answer(String name, int code) {
    var path = "/apis/placement.prescale.io/v1alpha1/namespaces/team/gpubookings/" + name;
    server
        .expect()
        .patch()
        .withPath(path + "/status")
        .andReturn(code, code == 200 ? booking(name) : "{}")
        .always();
  }

  /** Name and body of each write of a round. */
  private List<String> sent(Runnable round) throws InterruptedException {
    int before = server.getRequestCount();
    round.run();
    var writes = new ArrayList<String>();
    for (int i = before; i < server.getRequestCount(); i++) {
      var request = server.takeRequest();
      if (request.getMethod().equals("PATCH")) {
        var name = request.getPath().replaceAll(".*/gpubookings/(.*)/status", "$1");
        writes.add(name + request.getBody().readUtf8());
      }
    }
    return writes;
  }

  @Test
  void thoseThatWaitedLongestComeFirstSoThatNoneStarves() throws InterruptedException {
    thirty().forEach(it -> answer(it.getMetadata().getName(), 200));

    var first = sent(() -> reports.report(thirty(), Function.identity(), _ -> expecting(1)));
    var second = sent(() -> reports.report(thirty(), Function.identity(), _ -> expecting(2)));

    assertThat(first).hasSize(20);
    assertThat(first.getFirst())
        .isEqualTo(
            "b10{\"status\":{\"observedGeneration\":1,\"expected\":1,\"booked\":0,\"asked\":0,"
                + "\"missing\":0,\"room\":[],\"conditions\":[],\"missingFrom\":null}}");
    assertThat(second.subList(0, 10)).allMatch(it -> it.compareTo("b30") >= 0);
  }

  @Test
  void whatTheServerRefusesStopsNoOtherAndWhatItDoesNotAnswerDoes() throws InterruptedException {
    var three = List.of(booking("a"), booking("b"), booking("c"));
    answer("a", 422);
    answer("b", 503);
    answer("c", 200);

    assertThat(sent(() -> reports.report(three, Function.identity(), _ -> expecting(1))))
        .hasSize(2);
    assertThat(sent(() -> reports.report(three, Function.identity(), _ -> expecting(1))))
        .as("those that were tried come last")
        .first()
        .asString()
        .startsWith("c");
  }

  /** Of those above all it is to be said why. */
  @Test
  void anObjectThatCannotBeReadInJavaHasItsStatusWritten() throws InterruptedException {
    var two = List.of(booking("a"), booking("b"));
    var path = "/apis/placement.prescale.io/v1alpha1/namespaces/team/gpubookings/a/status";
    var unreadable = "{\"kind\": \"GpuBooking\", \"spec\": {\"size\": \"x\"}}";
    server.expect().patch().withPath(path).andReturn(200, unreadable).always();
    answer("b", 200);

    assertThat(sent(() -> reports.report(two, Function.identity(), _ -> expecting(1)))).hasSize(2);
  }

  @Test
  void whatIsAsItShouldBeIsNotWritten() throws InterruptedException {
    var known = booking("a");
    known.setStatus(expecting(3));

    assertThat(sent(() -> reports.report(List.of(known), Function.identity(), _ -> expecting(3))))
        .isEmpty();
    assertThat(Optional.ofNullable(known.getStatus())).contains(expecting(3));
  }
}
