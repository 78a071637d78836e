package io.prescale.controller.demand.source;

import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.ScriptedServer.Answer;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program with a small heap that reads histories from servers that send too much. */
final class HostileHistories {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int TOO_MUCH = 64 << 20;
  private static final int CHUNK = 16_384;

  private HostileHistories() {}

  public static void main(String[] ignored) throws Exception {
    var answers =
        new Answer[] {
          endless("{\"metric\":{},\"values\":[", "[1767225600,\"1\"],"),
          endless(
              "{\"metric\":{},",
              "\"values\":[" + "[1767225600,1],".repeat(99) + "[1767225600,1]],"),
          endless("", "{\"metric\":{},\"values\":[[1767225600,\"1\"]]},"),
          endless("{\"metric\":{\"a\":\"", "x"),
          endless("{\"metric\":{", "\"%d\":\"\","),
          endless("],\"warnings\":[", "\"\","),
        };
    for (var answer : answers) {
      try (var server = new ScriptedServer(answer);
          var source = new PrometheusSource(SourceSettings.defaults(), new SplittableRandom(1))) {
        System.out.println(readings(server, source));
      }
    }
  }

  private static List<String> readings(ScriptedServer server, PrometheusSource source)
      throws Exception {
    var histories = new ArrayList<CompletableFuture<HistoryReading>>();
    for (int i = 0; i < 8; i++) {
      var query =
          new MetricQuery(
              "team", PrometheusServer.at(server.url()), "load" + i, Duration.ofMinutes(1));
      histories.add(source.history(query, NOW.minus(Duration.ofDays(14)), NOW));
    }
    var kinds = new ArrayList<String>();
    for (var history : histories) {
      kinds.add(history.get(2, TimeUnit.MINUTES).getClass().getSimpleName());
    }
    return kinds;
  }

  private static Answer endless(String beginning, String again) {
    var body = matrix(beginning);
    var head = body.substring(0, body.indexOf("[") + 1 + beginning.length());
    return exchange -> {
      exchange.sendResponseHeaders(200, 0);
      var out = exchange.getResponseBody();
      out.write(head.getBytes(UTF_8));
      for (int sent = 0, i = 0; sent < TOO_MUCH; ) {
        var chunk = new StringBuilder();
        while (chunk.length() < CHUNK) {
          chunk.append(again.formatted(i++));
        }
        out.write(chunk.toString().getBytes(UTF_8));
        sent += chunk.length();
      }
    };
  }
}
