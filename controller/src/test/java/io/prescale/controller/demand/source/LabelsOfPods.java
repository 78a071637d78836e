package io.prescale.controller.demand.source;

import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.source.MetricSource.LatestReading;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A program with a small heap that reads the work of pods as often at a time as it may, from a
 * server whose answers are full of labels.
 */
final class LabelsOfPods {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:10Z");
  private static final int MOST_BYTES = 4 << 20;
  private static final int CHUNK = 16_384;

  private LabelsOfPods() {}

  public static void main(String[] ignored) throws Exception {
    var body = matrix(series()).getBytes(UTF_8);
    try (var server = new ScriptedServer(exchange -> send(exchange, body));
        var source = new PrometheusSource(InventedServersTest.patient(), new SplittableRandom(1))) {
      var readings = new ArrayList<CompletableFuture<LatestReading>>();
      for (int i = 0; i < 8; i++) {
        var query =
            new MetricQuery(
                "team", PrometheusServer.at(server.url()), "load" + i, Duration.ofMinutes(1));
        readings.add(source.latest(query, NOW));
      }
      for (var reading : readings) {
        System.out.println(reading.get(4, TimeUnit.MINUTES).getClass().getSimpleName());
      }
    }
  }

  /** In small pieces: the server keeps twice the largest for each connection. */
  private static void send(HttpExchange exchange, byte[] body) throws IOException {
    exchange.sendResponseHeaders(200, body.length);
    for (int sent = 0; sent < body.length; sent += CHUNK) {
      exchange.getResponseBody().write(body, sent, Math.min(CHUNK, body.length - sent));
    }
  }

  /** Thousands, each with as many labels as it may have. */
  private static String series() {
    var series = new StringBuilder(MOST_BYTES);
    for (int label = 0; series.length() < MOST_BYTES - 4096; ) {
      series.append(series.isEmpty() ? "{\"metric\":{" : ",{\"metric\":{");
      for (int i = 0; i < 127; i++) {
        series.append('"').append(Integer.toString(label++, Character.MAX_RADIX)).append("\":1,");
      }
      series.append("\"pod\":\"a\"},\"values\":[[1767225600,1]]}");
    }
    return series.toString();
  }
}
