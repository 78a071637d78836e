package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.prescale.controller.cluster.BoundedHttpClient.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An API server that answers as many requests as it is allowed to. */
@Timeout(60)
class BoundedHttpClientTest {
  private static final String SLOW = "/api/v1/namespaces/slow/pods";
  private static final String STALLED = "/api/v1/namespaces/stalled/pods";

  private final Semaphore answers = new Semaphore(0);
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpServer server;

  BoundedHttpClientTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
  }

  @BeforeEach
  void start() {
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          received.add(exchange.getRequestURI().getPath());
          answers.acquireUninterruptibly();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.createContext(
        SLOW,
        exchange -> {
          received.add(exchange.getRequestURI().getPath());
          answers.acquireUninterruptibly();
          exchange.sendResponseHeaders(200, 4);
          exchange.getResponseBody().write(new byte[4]);
          exchange.close();
        });
    server.createContext(
        STALLED,
        exchange -> {
          received.add(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(200, 4);
          exchange.getResponseBody().write(new byte[2]);
          exchange.getResponseBody().flush();
          answers.acquireUninterruptibly();
          exchange.getResponseBody().write(new byte[2]);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    answers.release(10_000);
    http.shutdownNow();
    server.stop(0);
  }

  @Test
  void aRequestThatHasWaitedForLongerThanItsTimeoutIsNotSent() {
    var one = client(limits(1, 100, 100));
    var first = send(one, pods("team"));
    var late = send(one, pods("team"));
    nanos.set(Duration.ofSeconds(21).toNanos());
    answers.release();

    assertThat(first.join().statusCode()).isEqualTo(200);
    assertThatThrownBy(late::get).hasCauseInstanceOf(HttpTimeoutException.class);
    assertThat(received).hasSize(1);
  }

  @Test
  void oneNamespaceWhoseRequestsHangDelaysNoOther() {
    var client = client(limits(8, 1_000, 1_000));
    for (int i = 0; i < 100; i++) {
      var _ = send(client, pods("hanging"));
    }
    await().until(() -> received.size() == 4);

    var _ = send(client, "/apis/apps/v1/namespaces/other/deployments/chat/scale");
    var _ = send(client, "/apis/autoscaling.prescale.io/v1alpha1/predictivehpas");
    await().until(() -> received.size() == 6);
    assertThat(received.subList(4, 6))
        .containsExactlyInAnyOrder(
            "/apis/apps/v1/namespaces/other/deployments/chat/scale",
            "/apis/autoscaling.prescale.io/v1alpha1/predictivehpas");
  }

  @Test
  void namespacesTakeTurns() {
    var client = client(limits(1, 1_000, 1_000));
    for (int i = 0; i < 50; i++) {
      var _ = send(client, pods("many"));
    }
    var other = send(client, pods("other"));
    await().until(() -> received.size() == 1);
    answers.release(3);

    assertThat(other).succeedsWithin(10, TimeUnit.SECONDS);
    assertThat(received.indexOf(pods("other"))).as("after two of the many").isEqualTo(2);
  }

  @Test
  void afterABurstTheRateIsLimited() {
    answers.release(1_000);
    var client = client(limits(64, 50, 10));
    for (int i = 0; i < 30; i++) {
      var _ = send(client, pods("team-" + i));
    }
    await().during(Duration.ofMillis(200)).until(() -> received.size() == 10);

    nanos.addAndGet(Duration.ofMillis(100).toNanos());
    await().during(Duration.ofMillis(200)).until(() -> received.size() == 15);
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());
    await().during(Duration.ofMillis(200)).until(() -> received.size() == 25);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    await().until(() -> received.size() == 30);
  }

  @Test
  void aRequestMayWaitForLongerThanForItsAnswer() {
    var quick = new Limits(1, 100, 100, Duration.ofMillis(300), Duration.ofSeconds(20));
    var client = client(quick);
    var first = send(client, pods("team"));
    var second = send(client, pods("team"));

    assertThat(first)
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableThat()
        .withCauseInstanceOf(HttpTimeoutException.class);
    answers.release(2);
    assertThat(second).succeedsWithin(10, TimeUnit.SECONDS);
  }

  @Test
  void aPageOfAListMayTakeThreeTimesAsLongToBegin() {
    var quick = new Limits(2, 100, 100, Duration.ofSeconds(2), Duration.ofSeconds(20));
    var client = client(quick);

    var object = send(client, "/object");
    var page = send(client, "/list?limit=500&continue=x");
    await().until(object::isCompletedExceptionally);
    assertThat(page).isNotDone();

    answers.release(2);
    assertThat(page).succeedsWithin(10, TimeUnit.SECONDS);
  }

  @Test
  void whatIsTooLateTakesNoneOfTheRate() {
    var client = client(limits(1, 1, 2));
    var _ = send(client, pods("team"));
    for (int i = 0; i < 50; i++) {
      var _ = send(client, pods("team"));
    }
    await().until(() -> received.size() == 1);
    nanos.set(Duration.ofSeconds(21).toNanos());
    var late = send(client, pods("team"));
    answers.release(2);

    assertThat(late).succeedsWithin(10, TimeUnit.SECONDS);
    assertThat(received).hasSize(2);
  }

  @Test
  void aPlaceIsTakenUntilTheBodyOfTheAnswerHasEnded() {
    var client = client(limits(1, 1_000, 1_000));
    var first = client.sendAsync(request(SLOW), BodyHandlers.ofPublisher());
    answers.release(10);
    assertThat(first).succeedsWithin(10, TimeUnit.SECONDS);
    var second = send(client, pods("other"));
    await().during(Duration.ofMillis(300)).until(() -> received.size() == 1);

    var read = BodySubscribers.ofByteArray();
    first.join().body().subscribe(read);

    assertThat(second).succeedsWithin(10, TimeUnit.SECONDS);
    assertThat(read.getBody().toCompletableFuture().join()).hasSize(4);
  }

  @Test
  void aBodyKeepsItsPlaceForLongerThanItsBeginningMayTake() {
    var client = client(patient(Duration.ofSeconds(2)));
    var first = send(client, STALLED);
    var second = send(client, pods("other"));
    await().during(Duration.ofSeconds(4)).until(() -> received.equals(List.of(STALLED)));

    answers.release(10);
    assertThat(first)
        .succeedsWithin(10, TimeUnit.SECONDS)
        .satisfies(it -> assertThat(it.body()).hasSize(4));
    assertThat(second).succeedsWithin(10, TimeUnit.SECONDS);
  }

  @Test
  void aWatchHoldsNoPlace() {
    var client = client(limits(1, 1_000, 1_000));
    answers.release(10);
    var _ = client.sendAsync(request(SLOW + "?watch=true"), BodyHandlers.ofPublisher()).join();

    assertThat(send(client, pods("other"))).succeedsWithin(10, TimeUnit.SECONDS);
  }

  @Test
  void aBodyThatDoesNotGoOnFailsAndFreesItsPlace() {
    var client = client(patient(Duration.ofMillis(500)));

    assertThat(send(client, STALLED)).failsWithin(10, TimeUnit.SECONDS);
    answers.release(10);
    assertThat(send(client, pods("other"))).succeedsWithin(10, TimeUnit.SECONDS);
  }

  /**
   * One place.
   *
   * @param answer time until an answer begins
   */
  private static Limits patient(Duration answer) {
    return new Limits(1, 1_000, 1_000, answer, Duration.ofSeconds(20));
  }

  private static Limits limits(int inFlight, int perSecond, int burst) {
    return new Limits(inFlight, perSecond, burst, Duration.ofSeconds(10), Duration.ofSeconds(20));
  }

  private BoundedHttpClient client(Limits limits) {
    return new BoundedHttpClient(http, limits, Optional.empty(), nanos::get);
  }

  private static String pods(String namespace) {
    return "/api/v1/namespaces/" + namespace + "/pods";
  }

  private CompletableFuture<HttpResponse<String>> send(BoundedHttpClient client, String path) {
    return client.sendAsync(request(path), BodyHandlers.ofString());
  }

  private HttpRequest request(String path) {
    var uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    return HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build();
  }
}
