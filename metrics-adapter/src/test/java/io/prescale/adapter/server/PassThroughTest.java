package io.prescale.adapter.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.adapter.MetricKey;
import io.prescale.adapter.api.ApiRequest;
import io.prescale.adapter.api.ApiResponse;
import io.prescale.adapter.api.Upstream;
import io.prescale.adapter.api.UpstreamException;
import io.prescale.adapter.identity.User;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An adapter in front of another one. */
class PassThroughTest {
  private static final String GROUP = "/apis/external.metrics.k8s.io/v1beta1";
  private static final String OURS = GROUP + "/namespaces/default/rps";
  private static final String THEIRS = GROUP + "/namespaces/default/queue%2Flength";
  private static final String QUEUE = GROUP + "/namespaces/default/queue";

  private final Other other = new Other();
  private final TestServer server = new TestServer(Map.of(), TestServer::mayDo, Optional.of(other));

  /** The other adapter: what it was asked, and what it says. */
  private static final class Other implements Upstream {
    final List<String> asked = new ArrayList<>();
    boolean isDown;
    int status = 200;
    Supplier<InputStream> body = () -> new ByteArrayInputStream("their words".getBytes(UTF_8));

    @Override
    public ApiResponse answer(ApiRequest request, User caller) throws UpstreamException {
      asked.add(caller.name() + " " + request.rawPath() + "?" + request.rawQuery());
      if (isDown) {
        throw new UpstreamException("keda/metrics did not answer within 10 s.");
      }
      var headers = new TreeMap<>(Map.of("Content-Type", "application/x-theirs", "X-Theirs", "1"));
      return ApiResponse.passingOn(status, headers, body.get());
    }

    @Override
    public List<String> resources() {
      return List.of("externalmetrics", "queue");
    }
  }

  @BeforeEach
  void publish() {
    server.publish(7_000);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void ownMetricsAreAnsweredHere() throws IOException {
    assertThat(get(OURS).body()).contains("\"7\"");
    assertThat(other.asked).isEmpty();
  }

  @Test
  void othersGoToTheOtherAdapterWithTheCallersIdentityAndComeBackAsTheyAre() throws IOException {
    var reply = get(QUEUE + "?labelSelector=a%3Db");

    assertThat(other.asked)
        .containsExactly(TestServer.AUTOSCALER + " " + QUEUE + "?labelSelector=a%3Db");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers()).containsEntry("content-type", "application/x-theirs");
    assertThat(reply.headers()).containsEntry("x-theirs", "1");
    assertThat(reply.body()).isEqualTo("their words");

    other.status = 403;
    assertThat(get(QUEUE).status()).isEqualTo(403);
    assertThat(get(QUEUE).body()).isEqualTo("their words");
  }

  /** Behind the other adapter's address it would name another server. */
  @Test
  void aTargetWithoutASlashIsRefused() throws IOException {
    for (var before : List.of("@elsewhere.example", "7", ":", "x")) {
      assertThat(get(before + QUEUE).status()).as(before).isEqualTo(400);
    }
    assertThat(other.asked).isEmpty();
  }

  @Test
  void namesOfUsersAreInUtf8() throws IOException {
    var refusal = server.proxy().send("GET", QUEUE, "X-Remote-User: jürgen");

    assertThat(refusal.status()).isEqualTo(403);
    assertThat(refusal.body().getBytes(ISO_8859_1)).asString(UTF_8).contains("jürgen");
  }

  @Test
  void anAnswerIsHandedOnAsItComes() throws IOException {
    var theirs = Pipe.open();
    other.body = () -> Channels.newInputStream(theirs.source());
    try (var socket = server.proxy().connect()) {
      var request =
          "GET %s HTTP/1.1\r\nHost: x\r\nX-Remote-User: %s\r\nConnection: close\r\n\r\n"
              .formatted(QUEUE, TestServer.AUTOSCALER);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      theirs.sink().write(UTF_8.encode("first"));
      var read = new StringBuilder();
      while (read.indexOf("first") < 0) {
        read.append((char) socket.getInputStream().read());
      }
      theirs.sink().write(UTF_8.encode("last"));
      theirs.sink().close();
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8)).contains("last");
    }
  }

  @Test
  void aLongAnswerComesWholeAndOneThatBreaksOffBreaksOff() throws IOException {
    var megabytes = "metric ".repeat(1_000_000);
    other.body = () -> new ByteArrayInputStream(megabytes.getBytes(UTF_8));
    assertThat(get(QUEUE).body()).isEqualTo(megabytes);

    other.body =
        () ->
            new SequenceInputStream(
                new ByteArrayInputStream("half of".getBytes(UTF_8)), new Broken());
    assertThatThrownBy(() -> get(QUEUE)).isInstanceOf(IOException.class);
    assertThat(get(OURS).status()).isEqualTo(200);
  }

  @Test
  void theBodyOfAnAnswerThatHasNoneHereIsClosed() throws IOException {
    var closed = new AtomicInteger();
    other.body =
        () ->
            new ByteArrayInputStream(new byte[0]) {
              @Override
              public void close() {
                closed.incrementAndGet();
              }
            };
    other.status = 304;
    assertThat(get(QUEUE).status()).isEqualTo(304);
    assertThat(closed).hasValue(1);
  }

  /** Of a connection that was lost. */
  private static final class Broken extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("connection reset");
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      return read();
    }
  }

  @Test
  void aSelectorThatFindsNothingOfOursIsForTheOther() throws IOException {
    assertThat(get(OURS + "?labelSelector=scaledobject%3Dx").body()).isEqualTo("their words");
  }

  @Test
  void anUnknownValueOfOursIsOurError() throws IOException {
    server.metrics.withdraw(new MetricKey("default", "rps"), "chat");
    server.metrics.refuse(
        new MetricKey("default", "rps"), "chat", new TreeMap<>(), "Prometheus answered 503");

    assertThat(get(OURS).status()).isEqualTo(503);
    assertThat(get(OURS).body()).contains("Prometheus answered 503");
    assertThat(other.asked).isEmpty();
  }

  @Test
  void whileTheOtherIsDownOnlyItsMetricsFail() throws IOException {
    other.isDown = true;

    assertThat(get(QUEUE).status()).isEqualTo(503);
    assertThat(get(QUEUE).body()).contains("keda/metrics did not answer");
    assertThat(get(QUEUE).headers()).doesNotContainKey("retry-after");
    assertThat(get(OURS).status()).isEqualTo(200);
    assertThat(get(GROUP).status()).isEqualTo(200);
  }

  @Test
  void whoMayNotReadIsRefusedHere() throws IOException {
    assertThat(server.proxy().send("GET", QUEUE, "X-Remote-User: mallory").status()).isEqualTo(403);
    assertThat(get(THEIRS).status()).as("no name of a metric").isEqualTo(404);
    assertThat(other.asked).isEmpty();
  }

  @Test
  void discoveryHasTheResourcesOfBoth() throws IOException {
    assertThat(get(GROUP).body()).contains("\"externalmetrics\"", "\"queue\"");
    assertThat(get(GROUP).body().split("\"externalmetrics\"", -1)).hasSize(2);
    var accept = "Accept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    assertThat(get("/apis", accept).body())
        .contains("\"resource\":\"externalmetrics\"", "\"resource\":\"queue\"");
  }

  private RawClient.Reply get(String target, String... headers) throws IOException {
    var all = new ArrayList<>(List.of(headers));
    all.add("X-Remote-User: " + TestServer.AUTOSCALER);
    all.add("X-Remote-Group: system:authenticated");
    return server.proxy().send("GET", target, all.toArray(String[]::new));
  }
}
