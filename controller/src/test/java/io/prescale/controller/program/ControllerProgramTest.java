package io.prescale.controller.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.adapter.server.ListenerException;
import io.prescale.controller.MockApi;
import io.prescale.controller.operator.ControllerSettings;
import io.prescale.controller.operator.TenantLimits;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.plan.live.AheadSettings;
import io.prescale.controller.telemetry.MetricsEndpoint;
import io.prescale.controller.web.PageController;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The order in which a replica starts, seen from the API server; the laboratory has a real one. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class ControllerProgramTest {
  private KubernetesMockServer server;
  private KubernetesClient client;

  @Test
  void watchesStatusesAndStandsForElection() throws Exception {
    try (var _ =
        ControllerProgram.start(
            client, new HpaFeatures(true), settings(freePort(), freePort()), Clock.systemUTC())) {
      var asked = new ArrayList<String>();
      await()
          .until(
              () -> {
                var request = server.takeRequest(1, TimeUnit.SECONDS);
                asked.add(request == null ? "" : request.getPath());
                // On connections of their own, so that neither waits for the other.
                return Stream.of("/leases", "/predictivehpas")
                    .allMatch(wanted -> asked.stream().anyMatch(path -> path.contains(wanted)));
              });
    }
  }

  @Test
  void aTakenPortLeavesNothingRunning() throws IOException {
    int metrics = freePort();
    try (var page = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var settings = settings(metrics, page.getLocalPort());

      assertThatThrownBy(
              () ->
                  ControllerProgram.start(
                      client, new HpaFeatures(true), settings, Clock.systemUTC()))
          .isInstanceOfSatisfying(
              ListenerException.class,
              e -> assertThat(e.listener().name()).isEqualTo(PageController.LISTENER));
    }

    assertThat(server.getRequestCount()).as("questions to the API server").isZero();
    new ServerSocket(metrics, 1, InetAddress.getLoopbackAddress()).close();
  }

  @Test
  void aRouteAnswersOnItsOwnListenerAlone() throws Exception {
    try (var context =
        ControllerProgram.start(
            client, new HpaFeatures(true), settings(freePort(), freePort()), Clock.systemUTC())) {
      int metrics = context.port(MetricsEndpoint.LISTENER);
      int page = context.port(PageController.LISTENER);
      for (int i = 0; i < 9; i++) { // a HEAD takes no place of the page
        assertThat(status(metrics, "/metrics", "HEAD")).isEqualTo(404);
      }
      assertThat(status(metrics, "/metrics")).isEqualTo(200);
      assertThat(status(metrics, "/health/liveness")).isEqualTo(200);
      assertThat(status(metrics, "/api/v1/about")).isEqualTo(404);
      assertThat(status(page, "/api/v1/about")).isEqualTo(401);
      assertThat(status(page, "/metrics")).isNotEqualTo(200);
      assertThat(status(page, "/health/liveness")).isNotEqualTo(200);
    }
  }

  @Test
  void withoutThePageItsFilesAreNowhere() throws Exception {
    try (var context =
        ControllerProgram.start(
            client, new HpaFeatures(true), settings(freePort(), 0), Clock.systemUTC())) {
      assertThat(status(context.port(MetricsEndpoint.LISTENER), "/")).isEqualTo(404);
      assertThat(status(context.port(MetricsEndpoint.LISTENER), "/index.html")).isEqualTo(404);
    }
  }

  @Test
  void twoListenersOnOnePortAreRefused() {
    assertThatThrownBy(() -> settings(8088, 8088))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "two of the ports [8088, 8088] are the same; give each listener a port of its own");
  }

  private static int status(int port, String path) throws IOException, InterruptedException {
    return status(port, path, "GET");
  }

  private static int status(int port, String path, String method)
      throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
              .method(method, BodyPublishers.noBody());
      return http.send(request.build(), BodyHandlers.discarding()).statusCode();
    }
  }

  private ControllerProgram.Settings settings(int metricsPort, int pagePort) {
    return new ControllerProgram.Settings(
        new ControllerSettings(
            Optional::empty, Set.of(), "prescale", "replica", false, TenantLimits.defaults()),
        true,
        Optional.empty(),
        Optional.empty(),
        "127.0.0.1",
        metricsPort,
        pagePort,
        Optional.empty(),
        OptionalDouble.empty(),
        new AheadSettings(Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
