package io.prescale.adapter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.identity.AccessReviewer;
import io.prescale.adapter.identity.ReviewException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of Kubernetes' own servers that the recordings do not show. */
class ReferenceRulesTest {
  private static final String RPS = "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/rps";
  private static final String ASKS = "X-Remote-User: " + TestServer.AUTOSCALER;

  private TestServer server = TestServer.start();

  @BeforeEach
  void publish() {
    server.publish(1_000);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Impersonate-User: root", "impersonate-group: system:masters"})
  void impersonationIsForbiddenToEveryCaller(String header) throws IOException {
    var root = server.client(server.clients.client("CN=root,O=system:masters"));

    for (var reply : List.of(get(RPS, header), root.send("GET", RPS, header))) {
      assertThat(reply.status()).isEqualTo(403);
      assertThat(reply.body()).contains("\"reason\":\"Forbidden\"", "impersonate");
    }
    assertThat(server.client(server.proxies.client("CN=x")).send("GET", RPS, header).status())
        .isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "abc", "1d", "s", "1s2", "%201s"})
  void aMalformedTimeoutIsABadRequestOfAnyCaller(String timeout) throws IOException {
    assertThat(get(RPS + "?timeout=" + timeout).body()).contains("\"reason\":\"BadRequest\"");
    assertThat(server.client().send("GET", "/version?timeout=" + timeout).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "5s", "1m30s", "1.5h", "100ms", "%2B.5s", "-1s"})
  void aTimeoutInGosSyntaxIsFine(String timeout) throws IOException {
    assertThat(get(RPS + "?timeout=" + timeout).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/com.github.proto-openapi.spec.v2@v1.0+protobuf                 | protobuf
          application/com.github.proto-openapi.spec.v2.v1.0+protobuf                 | protobuf
          application/com.github.proto-openapi.spec.v2@v1.0+protobuf,application/json | protobuf
          application/json,application/com.github.proto-openapi.spec.v2@v1.0+protobuf | json
          */*                                                                        | json
          """)
  void theSchemaComesAsProtobufToo(String accept, String format) throws IOException {
    var reply = get("/openapi/v2", "Accept: " + accept);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type"))
        .isEqualTo(
            format.equals("json")
                ? "application/json"
                : "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    assertThat(reply.body()).startsWith(format.equals("json") ? "{" : "\n\u00032.0");
  }

  @Test
  void anonymousRequestsUnderReviewDoNotStarveTheHpa() throws Exception {
    var hanging = new CountDownLatch(1);
    var statuses = new ArrayList<Integer>();
    restart(
        access -> {
          if (access.user().isAnonymous()) {
            try {
              hanging.await();
            } catch (InterruptedException e) {
              throw new ReviewException("interrupted", e);
            }
          }
          return TestServer.mayDo(access);
        });
    var stranger = server.client();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var floods =
          IntStream.range(0, 20)
              .mapToObj(i -> threads.submit(() -> stranger.send("GET", RPS + i).status()))
              .toList();
      await(() -> floods.stream().filter(Future::isDone).count() == 19);

      assertThat(get(RPS).status()).isEqualTo(200);
      hanging.countDown();
      for (var flood : floods) {
        statuses.add(flood.get());
      }
      assertThat(statuses).containsOnly(403, 429).filteredOn(status -> status == 403).hasSize(1);
    }
  }

  private static void await(BooleanSupplier done) throws InterruptedException {
    for (int tries = 0; !done.getAsBoolean(); tries++) {
      assertThat(tries).as("tries of 10 ms").isLessThan(1_000);
      Thread.sleep(10);
    }
  }

  private void restart(AccessReviewer reviewer) {
    server.close();
    server = new TestServer(Map.of("prescale.external-metrics.max-in-flight", 20), reviewer);
    publish();
  }

  private RawClient.Reply get(String target, String... headers) throws IOException {
    var all = new ArrayList<>(List.of(headers));
    all.add(ASKS);
    return server.proxy().send("GET", target, all.toArray(String[]::new));
  }
}
