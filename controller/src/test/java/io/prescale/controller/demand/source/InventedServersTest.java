package io.prescale.controller.demand.source;

import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Servers that a user names once each, as many as there are names. */
class InventedServersTest {
  private static final Instant NOON = Instant.parse("2026-11-25T12:00:00Z");

  @Test
  void areForgottenOnceTheyAreNoLongerAsked() {
    try (var source = new PrometheusSource(SourceSettings.defaults(), new SplittableRandom(1))) {
      var readings =
          IntStream.rangeClosed(1, 50).mapToObj(port -> read(source, port, NOON)).toList();
      CompletableFuture.allOf(readings.toArray(CompletableFuture[]::new)).join();
      assertThat(source.hosts()).isEqualTo(50);

      read(source, 1, NOON.plus(Duration.ofMinutes(9))).join();
      read(source, 1, NOON.plus(Duration.ofMinutes(11))).join();

      assertThat(source.hosts()).isEqualTo(1);
    }
  }

  /** However many servers it names, what is being read of them has a place in memory. */
  @Test
  void aNamespaceHas16PartsOfHistoriesUnderWayAndLeavesAsManyToOthers() throws Exception {
    try (var servers = new HeldServers(100);
        var source = new PrometheusSource(patient(), new SplittableRandom(1))) {
      var histories = new ArrayList<CompletableFuture<HistoryReading>>();
      servers.each(
          url -> {
            histories.add(history(source, "team", url, "load"));
            histories.add(history(source, "team", url, "more"));
          });
      servers.requireUnderWay(16);

      servers.each(url -> histories.add(history(source, "other", url, "load")));
      servers.requireUnderWay(16 + 8);

      servers.answer();
      for (var history : histories) {
        assertThat(history.get(1, TimeUnit.MINUTES)).isInstanceOf(HistoryReading.Found.class);
      }
    }
  }

  @Test
  void aNamespaceHas32ReadsUnderWay() throws Exception {
    try (var servers = new HeldServers(100);
        var source = new PrometheusSource(patient(), new SplittableRandom(1))) {
      var readings = new ArrayList<CompletableFuture<Reading>>();
      servers.each(url -> readings.add(read(source, url, NOON)));
      servers.requireUnderWay(32);

      servers.answer();
      for (var reading : readings) {
        assertThat(reading.get(1, TimeUnit.MINUTES)).isInstanceOf(Reading.Observed.class);
      }
    }
  }

  @Test
  void theAdministratorsServerIsReadHoweverManyInventedOnesHang() throws Exception {
    try (var servers = new HeldServers(100);
        var own = new ScriptedServer(json(HeldServers.SAMPLE));
        var source = new PrometheusSource(patient(), new SplittableRandom(1))) {
      var hanging = new ArrayList<CompletableFuture<Reading>>();
      for (var namespace : List.of("a", "b", "c", "d", "e", "f", "g")) {
        servers.each(url -> hanging.add(read(source, namespace, namedByUser(url), NOON)));
      }
      servers.requireUnderWay(64);

      for (var namespace : List.of("i", "j", "k", "l", "m")) {
        for (int i = 0; i < 16; i++) { // of the administrator's host, which they name themselves
          hanging.add(read(source, namespace, namedByUser(own.url().resolve("/t" + i)), NOON));
        }
      }

      var reading = read(source, "h", PrometheusServer.at(own.url()), NOON);
      assertThat(reading.get(1, TimeUnit.MINUTES)).isInstanceOf(Reading.Observed.class);
    }
  }

  /** A busy machine may take its time to accept hundreds of connections. */
  static SourceSettings patient() {
    var usual = SourceSettings.defaults();
    var minutes =
        new Patience(Duration.ofMinutes(2), Duration.ofMinutes(4), 1, Duration.ZERO, Duration.ZERO);
    return new SourceSettings(
        usual.requestsPerServer(),
        usual.historiesPerServer(),
        minutes,
        minutes,
        Duration.ZERO,
        usual.firstBackOff(),
        usual.longestBackOff());
  }

  private static CompletableFuture<HistoryReading> history(
      PrometheusSource source, String namespace, URI url, String promql) {
    var query = new MetricQuery(namespace, namedByUser(url), promql, Duration.ofMinutes(1));
    return source.history(query, NOON.minusSeconds(600), NOON);
  }

  private static CompletableFuture<Reading> read(PrometheusSource source, int port, Instant now) {
    return read(source, URI.create("http://127.0.0.1:" + port), now);
  }

  private static CompletableFuture<Reading> read(PrometheusSource source, URI url, Instant now) {
    return read(source, "team", namedByUser(url), now);
  }

  private static CompletableFuture<Reading> read(
      PrometheusSource source, String namespace, PrometheusServer server, Instant now) {
    var query = new MetricQuery(namespace, server, "up", Duration.ofMinutes(1));
    return source.read(query, now.minusSeconds(60), now);
  }

  /** One that the owner of a PredictiveHPA named, and an administrator has listed. */
  static PrometheusServer namedByUser(URI url) {
    var listed = AllowedServers.of(List.of()).and(PrometheusServer.at(url));
    return new PrometheusServer(
        url, new Credentials.None(), List.of(), TlsOptions.system(), Optional.of(listed));
  }

  /** Servers that count who asks, and answer nothing until they shall answer all. */
  private static final class HeldServers implements AutoCloseable {
    private static final String SAMPLE =
        matrix("{\"metric\":{},\"values\":[[%d,\"7\"]]}".formatted(NOON.getEpochSecond()));

    private final List<ScriptedServer> servers = new ArrayList<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    HeldServers(int number) throws IOException {
      for (int i = 0; i < number; i++) {
        servers.add(new ScriptedServer(this::hold));
      }
    }

    private void hold(HttpExchange exchange) throws IOException {
      underWay.incrementAndGet();
      try {
        mayAnswer.await();
        json(SAMPLE).to(exchange);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt(); // the server ends
      }
    }

    void each(Consumer<URI> action) {
      servers.forEach(it -> action.accept(it.url()));
    }

    /** So many and no more. */
    void requireUnderWay(int number) {
      await()
          .atMost(Duration.ofMinutes(1))
          .during(Duration.ofMillis(500))
          .untilAsserted(() -> assertThat(underWay).hasValue(number));
    }

    void answer() {
      mayAnswer.countDown();
    }

    @Override
    public void close() {
      mayAnswer.countDown();
      servers.forEach(ScriptedServer::close);
    }
  }
}
