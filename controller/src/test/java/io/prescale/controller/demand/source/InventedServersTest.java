package io.prescale.controller.demand.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
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

  private static CompletableFuture<Reading> read(PrometheusSource source, int port, Instant now) {
    var server = PrometheusServer.at(URI.create("http://127.0.0.1:" + port));
    var query = new MetricQuery("team", server, "up", Duration.ofMinutes(1));
    return source.read(query, now.minusSeconds(60), now);
  }
}
