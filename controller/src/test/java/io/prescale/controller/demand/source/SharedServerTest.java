package io.prescale.controller.demand.source;

import static io.prescale.controller.demand.prometheus.ScriptedServer.hanging;
import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Observed;
import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One server that several namespaces ask, some of them what it never answers. */
class SharedServerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:10Z");
  private static final Instant MINUTE_BEFORE = NOW.minusSeconds(70);
  private static final String SAMPLE = "{\"metric\":{},\"values\":[[1767225600,\"7.5\"]]}";

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (var resource : open.reversed()) {
      resource.close();
    }
  }

  @Test
  void historiesThatHangDelayNoReadAndNoOtherNamespace() throws Exception {
    var server = server();
    var source = source();
    for (int i = 0; i < 20; i++) {
      var _ = source.history(query("team", server, "slow" + i), NOW.minusSeconds(600), NOW);
    }
    await().until(() -> server.requests().size() >= 8);
    var other = query("other", server, "load");

    assertThat(
            source.read(query("team", server, "load"), MINUTE_BEFORE, NOW).get(3, TimeUnit.SECONDS))
        .isInstanceOf(Observed.class);
    assertThat(source.history(other, NOW.minusSeconds(600), NOW).get(3, TimeUnit.SECONDS))
        .isInstanceOf(HistoryReading.Found.class);
    assertThat(server.requests()).as("half of all histories").hasSize(8 + 2);
  }

  @Test
  void aSlowQueryDelaysNoOtherNamespace() throws Exception {
    var server = server();
    var source = source();
    var slow = new ArrayList<CompletableFuture<Reading>>();
    for (int i = 0; i < 20; i++) {
      slow.add(source.read(query("team", server, "slow" + i), MINUTE_BEFORE, NOW));
    }
    var other = query("other", server, "load");

    assertThat(source.read(other, MINUTE_BEFORE, NOW).get(3, TimeUnit.SECONDS))
        .isInstanceOf(Observed.class);
    for (var reading : slow) {
      assertThat(get(reading)).isInstanceOf(Missing.class);
    }
    assertThat(get(source.read(other, MINUTE_BEFORE, NOW.plusSeconds(60))))
        .as("the slow queries made their own namespace back off")
        .isInstanceOf(Observed.class);
  }

  @Test
  void manyServersShareOneClient() throws Exception {
    var source = source();
    var before = clients(); // of other tests, which end at any time
    for (int i = 0; i < 5; i++) {
      get(source.read(query("team", server(), "load"), MINUTE_BEFORE, NOW));
    }

    assertThat(clients()).filteredOn(it -> !before.contains(it)).hasSizeLessThan(5);
  }

  /** The threads that the JDK's HTTP clients have one of each. */
  private static Set<Thread> clients() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("HttpClient-\\d+-SelectorManager"))
        .collect(Collectors.toSet());
  }

  /** It answers all queries but those for {@code slow…}. */
  private ScriptedServer server() throws IOException {
    var server =
        new ScriptedServer(
            exchange -> {
              boolean slow = exchange.getRequestURI().getQuery().contains("slow");
              (slow ? hanging("") : json(matrix(SAMPLE))).to(exchange);
            });
    open.add(server);
    return server;
  }

  private static MetricQuery query(String namespace, ScriptedServer server, String promql) {
    return new MetricQuery(
        namespace, PrometheusServer.at(server.url()), promql, Duration.ofMinutes(1));
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  private PrometheusSource source() {
    var patience =
        new Patience(Duration.ofSeconds(5), Duration.ofSeconds(5), 1, Duration.ZERO, Duration.ZERO);
    var settings =
        new SourceSettings(
            4,
            16,
            patience,
            patience,
            Duration.ofMillis(20),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30));
    var source = new PrometheusSource(settings, new SplittableRandom(1));
    open.add(source);
    return source;
  }
}
