package io.prescale.controller.demand.source;

import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import com.sun.net.httpserver.HttpExchange;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Measures the processor time of this process for a read of a metric's newest sample, from a server
 * in a process of its own: of a thousand at each of twelve steps. After {@code ./mvnw -q
 * -DskipTests package}:
 *
 * <pre>
 * java -cp "controller/target/test-classes:controller/target/classes:controller/target/lib/*" \
 *   io.prescale.controller.demand.source.ReadCost</pre>
 */
final class ReadCost {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(1);
  private static final int STEPS = 12;
  private static final int READS = 1000;

  private ReadCost() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      System.out.println(new ScriptedServer(ReadCost::answer).url());
      return; // its threads go on
    }
    var server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ReadCost.class.getName(),
                "serve")
            .start();
    try (var lines = server.inputReader(UTF_8);
        var source = new PrometheusSource(InventedServersTest.patient(), new SplittableRandom(1))) {
      measure(source, PrometheusServer.at(URI.create(lines.readLine())));
    } finally {
      server.destroy();
    }
  }

  @SuppressWarnings("SystemOut")
  private static void measure(PrometheusSource source, PrometheusServer server) {
    for (int step = 1; step <= STEPS; step++) {
      var now = START.plus(STEP.multipliedBy(step));
      long begun = cpuNanos();
      var readings = new ArrayList<CompletableFuture<Reading>>();
      for (int i = 0; i < READS; i++) {
        var query =
            new MetricQuery(
                "team-" + i % 4, server, "sum(load{service=\"%d\"})".formatted(i), STEP);
        readings.add(source.read(query, now.minus(STEP), now));
      }
      long observed = readings.stream().filter(it -> it.join() instanceof Reading.Observed).count();
      System.out.printf(
          "%d of %d read, %.2f ms of CPU each%n",
          observed, READS, (cpuNanos() - begun) / 1e6 / READS);
    }
  }

  /** One sample, at the end of what is asked for. */
  private static void answer(HttpExchange exchange) throws IOException {
    var end = exchange.getRequestURI().getQuery().replaceAll(".*&end=([0-9]+).*", "$1");
    var body = matrix("{\"metric\":{},\"values\":[[" + end + ",\"7\"]]}");
    ScriptedServer.json(body).to(exchange);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
