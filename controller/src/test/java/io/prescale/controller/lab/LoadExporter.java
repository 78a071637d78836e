package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Shows a load to Prometheus as a gauge, and tells what it would have shown before. */
final class LoadExporter implements AutoCloseable {
  /** The demand, from history and live alike: the labels are those that a scrape gives. */
  static final String SERIES = "lab_requests_in_flight{instance=\"load\",job=\"lab\"}";

  private final Load load;
  private final InstantSource clock;
  private final HttpServer server;

  private LoadExporter(Load load, InstantSource clock, HttpServer server) {
    this.load = load;
    this.clock = clock;
    this.server = server;
  }

  /** An exporter on a free port of the loopback interface. */
  static LoadExporter start(Load load, InstantSource clock) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var exporter = new LoadExporter(load, clock, HttpServer.create(address, 0));
    exporter.server.createContext("/metrics", exporter::answer);
    exporter.server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    exporter.server.start();
    return exporter;
  }

  /** Of a Prometheus that reads this exporter once a step into {@link #SERIES}. */
  String prometheusConfig() {
    return """
    global: {scrape_interval: %ds}
    scrape_configs:
    - job_name: lab
      static_configs:
      - {targets: ['127.0.0.1:%d'], labels: {instance: load}}
    """
        .formatted(load.step().toSeconds(), server.getAddress().getPort());
  }

  /** What such a Prometheus would have read, as lines of OpenMetrics without the end mark. */
  static Stream<String> history(Load load, Instant from, Instant to) {
    long steps = Duration.between(from, to).dividedBy(load.step());
    return LongStream.range(0, steps)
        .mapToObj(step -> from.plus(load.step().multipliedBy(step)))
        .map(at -> "%s %.3f %.3f".formatted(SERIES, load.at(at), at.toEpochMilli() / 1000.0));
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var page =
          """
          # HELP lab_requests_in_flight What all replicas together have to do at the moment.
          # TYPE lab_requests_in_flight gauge
          lab_requests_in_flight %.3f
          """
              .formatted(load.at(clock.instant()));
      byte[] body = page.getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
