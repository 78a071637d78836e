package io.prescale.controller.demand.source;

import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A program with a small heap that reads histories of a week from a hundred servers, all of which
 * send them whole and end their answers when nothing more is asked.
 */
final class HistoriesOfManyServers {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration WEEK = Duration.ofDays(7);
  private static final int SERVERS = 100;
  private static final AtomicInteger SENT = new AtomicInteger();
  private static final byte[] BODY = body();
  private static final int BEGINNING = BODY.length - 10;

  private HistoriesOfManyServers() {}

  public static void main(String[] ignored) throws Exception {
    var kinds = new ArrayList<CompletableFuture<String>>();
    try (var source =
        new PrometheusSource(InventedServersTest.patient(), new SplittableRandom(1))) {
      for (int i = 0; i < SERVERS; i++) {
        var url = new ScriptedServer(HistoriesOfManyServers::send).url();
        var server = InventedServersTest.namedByUser(url);
        for (var promql : new String[] {"load", "more"}) {
          var query = new MetricQuery("team", server, promql, Duration.ofMinutes(1));
          kinds.add(
              source
                  .history(query, NOW.minus(WEEK), NOW)
                  .thenApply(it -> it.getClass().getSimpleName()));
        }
      }
      for (var kind : kinds) {
        System.out.println(kind.get(5, TimeUnit.MINUTES));
      }
    }
    System.exit(0); // and so do the servers
  }

  private static byte[] body() {
    var samples =
        IntStream.rangeClosed(0, 7 * 1440)
            .mapToObj(i -> "[%d,1]".formatted(NOW.minus(WEEK).getEpochSecond() + 60L * i))
            .collect(Collectors.joining(","));
    return matrix("{\"metric\":{},\"values\":[" + samples + "]}").getBytes(UTF_8);
  }

  /** All but the end, for which it waits until no other answer has come as far for a while. */
  private static void send(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().add("Connection", "close"); // buffers of the server
    exchange.sendResponseHeaders(200, BODY.length);
    var out = exchange.getResponseBody();
    out.write(BODY, 0, BEGINNING);
    out.flush();
    awaitAll(SENT.incrementAndGet());
    out.write(BODY, BEGINNING, BODY.length - BEGINNING);
  }

  private static void awaitAll(int sent) {
    try {
      Thread.sleep(500);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the server ends
      return;
    }
    if (sent != SENT.get()) {
      awaitAll(SENT.get());
    }
  }
}
