package io.prescale.adapter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.adapter.MetricKey;
import io.prescale.adapter.ServedMetric;
import io.prescale.adapter.TestAuthority;
import io.prescale.adapter.identity.AccessReviewer;
import io.prescale.adapter.identity.ReviewException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the recordings do not show. */
class HttpsServerTest {
  private static final String GROUP = "/apis/external.metrics.k8s.io/v1beta1";
  private static final String RPS = GROUP + "/namespaces/default/rps";
  private static final String ASKS = "X-Remote-User: " + TestServer.AUTOSCALER;

  private TestServer server = TestServer.start();

  @BeforeEach
  void publish() {
    publish("chat", 128_500);
    publish("code", 2_000);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "predictivehpa%3Dchat",
        "predictivehpa+in+%28chat%2Cother%29",
        "predictivehpa%20in%20(chat)",
        "predictivehpa,predictivehpa!=code",
        "predictivehpa notin (code)",
      })
  void selectsByEverySpelling(String selector) throws IOException {
    var reply = get(RPS + "?labelSelector=" + selector.replace(" ", "+"));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).contains("\"128500m\"").doesNotContain("\"code\"");
  }

  @Test
  void anUnknownValueIsAnErrorWithItsReason() throws IOException {
    server.metrics.refuse(
        new MetricKey("default", "rps"),
        "late",
        new TreeMap<>(Map.of("predictivehpa", "late")),
        "Prometheus answered 503");

    var reply = get(RPS);

    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.body())
        .contains("\"reason\":\"ServiceUnavailable\"", "Prometheus answered 503")
        .doesNotContain("items");
    assertThat(reply.headers()).doesNotContainKey("retry-after");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/..",
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/%2e%2e",
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/a%2Fb",
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/%00",
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/%25",
        "/apis/external.metrics.k8s.io/v1beta1/namespaces//rps",
        "/apis/external.metrics.k8s.io/v1beta1//namespaces/default/rps",
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/%20/rps",
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/rps/chat/scale",
        "/apis/external.metrics.k8s.io/v1/namespaces/default/rps",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/default/rps",
      })
  void hostilePathsAreNotFoundOrNotAllowed(String path) throws IOException {
    var reply = get(path);

    assertThat(reply.status()).isIn(403, 404);
    assertThat(reply.body()).contains("\"kind\":\"Status\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/apis/%zz", "/apis/%", "/apis/%c3%28", "/version?x=%f", RPS + "?labelSelector=%"})
  void malformedEncodingIsRefusedInAStatus(String target) throws IOException {
    var reply = server.client().send("GET", target); // before it asks who the caller is
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("\"kind\":\"Status\"", "\"reason\":\"BadRequest\"");
  }

  @Test
  void aSelectorOfThousandsOfValuesIsRead() throws IOException {
    var values = IntStream.range(0, 5_000).mapToObj(i -> "v" + i).collect(Collectors.joining(","));

    assertThat(get(RPS + "?labelSelector=predictivehpa+in+(" + values + ",chat)").body())
        .contains("\"128500m\"");
    assertThat(get(RPS + "?labelSelector=" + "a".repeat(40_000)).status()).isEqualTo(400);
  }

  @Test
  void aTooLongRequestLineIsRefused() throws IOException {
    assertThat(get(RPS + "?labelSelector=" + "a".repeat(100_000)).status()).isIn(413, 414);
  }

  @Test
  void answersWithThousandsOfItems() throws IOException {
    for (int i = 0; i < 5_000; i++) {
      publish("phpa-" + i, i);
    }

    var reply = get(RPS);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body().split("\"metricName\"", -1)).hasSize(5_003);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=abc",
        "limit=99999999999999999999",
        "timeoutSeconds=1.5",
        "fieldSelector=a%3Db"
      })
  void malformedOptionsAreBadRequests(String option) throws IOException {
    var reply = get(RPS + "?" + option);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("\"reason\":\"BadRequest\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"OPTIONS", "TRACE", "PROPFIND", "PATCH"})
  void otherMethodsAreNotAllowed(String method) throws IOException {
    var reply = server.proxy().send(method, RPS, ASKS);

    assertThat(reply.status()).isIn(403, 405);
    assertThat(reply.body()).contains("\"kind\":\"Status\"");
  }

  @Test
  void discoveryAndSchemasMayBeKept() throws IOException {
    var discovery = "Accept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    var index = get("/openapi/v3");
    var page = index.body().replaceAll(".*\"serverRelativeURL\":\"([^\"]*)\".*", "$1");

    assertThat(get("/apis", discovery).body())
        .contains("\"freshness\":\"Current\"", "\"resource\":\"externalmetrics\"");
    for (var path : List.of("/openapi/v2", "/openapi/v3", page, "/apis")) {
      var etag =
          get(path, discovery.replace("as=", path.equals("/apis") ? "as=" : "x=")).header("etag");
      var again =
          get(
              path,
              discovery.replace("as=", path.equals("/apis") ? "as=" : "x="),
              "If-None-Match: W/\"other\", " + etag);
      assertThat(etag).as(path).matches("\"[0-9A-F]{128}\"");
      assertThat(again.status()).as(path).isEqualTo(304);
      assertThat(again.body()).isEmpty();
    }
    assertThat(get(page).header("cache-control")).isEqualTo("public, immutable");
    assertThat(get(page).body())
        .contains("\"io.k8s.metrics.pkg.apis.external_metrics.v1beta1.ExternalMetricValueList\"");
    assertThat(get("/openapi/v2", "Accept: text/html").status()).isEqualTo(406);
  }

  @Test
  void errorsComeInTheFormatThatIsAskedFor() throws IOException {
    assertThat(get(RPS + "x", "Accept: application/yaml").body()).contains("\nkind: Status\n");
    assertThat(get(RPS + "x", "Accept: application/vnd.kubernetes.protobuf").body())
        .startsWith("k8s\0")
        .contains("Status", "NotFound");
  }

  @Test
  void probesTellWhatIsWrong() throws IOException {
    var anonymous = server.client();
    assertThat(anonymous.send("GET", "/readyz?verbose").body())
        .isEqualTo("[+]ping ok\n[+]authentication ok\nreadyz check passed\n");
    assertThat(anonymous.send("HEAD", "/livez").status()).isEqualTo(200);

    server.trust.set(Optional.empty());

    assertThat(anonymous.send("GET", "/livez").body()).isEqualTo("ok");
    var reply = anonymous.send("GET", "/readyz");
    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.body())
        .contains("[-]authentication failed: not loaded", "readyz check failed");
    assertThat(get(RPS).status()).isEqualTo(503);
    assertThat(get(GROUP).status()).isEqualTo(503);
  }

  @Test
  void showsANewCertificateToNewConnections() throws IOException {
    var before = server.client();
    var next = new TestAuthority("next-ca", server.now);
    server.serveAs(next);

    assertThatThrownBy(() -> before.send("GET", "/healthz")).isInstanceOf(SSLException.class);
    var after = new RawClient(server.port(), next.certificate(), Optional.empty());
    assertThat(after.send("GET", "/healthz").status()).isEqualTo(200);
  }

  @Test
  void newAuthoritiesCountWithoutARestart() throws IOException {
    var next = new TestAuthority("next-proxies", server.now);
    var issued = next.client("CN=front-proxy-client");
    assertThat(server.client(issued).send("GET", RPS, ASKS).status()).isEqualTo(403);

    server.trust.set(Optional.of(TestServer.trustOf(server.clients, next)));

    assertThat(server.client(issued).send("GET", RPS, ASKS).status()).isEqualTo(200);
    assertThat(get(RPS).status()).as("no longer trusted").isEqualTo(403);
  }

  @Test
  void speaksNothingOlderThanTls12() throws IOException {
    server.client().connect("TLSv1.2").close();
    server.client().connect("TLSv1.3").close();

    assertThat(server.client().answerToHello(0x0303)).as("TLS 1.2").isEqualTo(22);
    assertThat(server.client().answerToHello(0x0302)).as("TLS 1.1").isEqualTo(21);
  }

  @Test
  void aClusterThatDoesNotAnswerClosesTheDoor() throws IOException {
    restart(
        400,
        _ -> {
          throw new ReviewException("connection refused");
        });

    var reply = get(RPS);

    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.body()).contains("\"reason\":\"InternalError\"", "connection refused");
    assertThat(server.client().send("GET", "/readyz").status()).isEqualTo(200);
  }

  @Test
  void refusesMoreThanItCanHandleAtOnce() throws Exception {
    var waiting = new CountDownLatch(1);
    var asked = new CountDownLatch(1);
    restart(
        1,
        access -> {
          asked.countDown();
          try {
            waiting.await();
          } catch (InterruptedException e) {
            throw new ReviewException("interrupted", e);
          }
          return TestServer.mayDo(access);
        });
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = threads.submit(() -> get(RPS).status());
      asked.await();

      var second = server.client().send("GET", RPS);

      assertThat(server.client().send("GET", "/livez").status()).isEqualTo(200);
      assertThat(second.status()).isEqualTo(429);
      assertThat(second.header("retry-after")).isEqualTo("1");
      waiting.countDown();
      assertThat(first.get()).isEqualTo(200);
    }
  }

  @Test
  void readersAtOnceGetWholeAnswers() throws Exception {
    var good = new AtomicInteger();
    var proxy = server.proxy();
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 60; i++) {
        var milli = i;
        threads.execute(
            () -> {
              publish("chat", 128_500 + milli);
              try {
                var reply = proxy.send("GET", RPS + "?labelSelector=predictivehpa%3Dcode", ASKS);
                if (reply.status() == 200 && reply.body().contains("\"value\":\"2\"")) {
                  good.incrementAndGet();
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
      }
    }
    assertThat(good).hasValue(60);
  }

  private void restart(int maxInFlight, AccessReviewer reviewer) {
    server.close();
    server =
        new TestServer(Map.of("prescale.external-metrics.max-in-flight", maxInFlight), reviewer);
    publish("chat", 128_500);
  }

  private RawClient.Reply get(String target, String... headers) throws IOException {
    var all = new ArrayList<>(List.of(headers));
    all.add(ASKS);
    return server.proxy().send("GET", target, all.toArray(String[]::new));
  }

  private void publish(String source, long milli) {
    server.metrics.publish(
        new MetricKey("default", "rps"),
        source,
        new ServedMetric(
            new TreeMap<>(Map.of("predictivehpa", source)),
            milli,
            server.now,
            60,
            List.of(),
            Duration.ofMinutes(2),
            Duration.ofMinutes(10),
            0));
  }
}
