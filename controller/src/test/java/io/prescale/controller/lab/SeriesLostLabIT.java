package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.demand.prometheus.RealPrometheus;
import io.prescale.controller.lab.Lab.Verb;
import io.prescale.controller.operator.status.Conditions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Half of the targets whose demand a query adds up cannot be scraped for a while. */
@Tag("long")
class SeriesLostLabIT {
  private static final String GAUGE = "lab_requests_in_flight";
  private static final int TARGETS = 10;
  private static final int STEP = 10;
  private static final int HISTORY = 6 * 3600;
  private static final double EACH = 8;

  private final AtomicBoolean lost = new AtomicBoolean();

  @Test
  void halfOfASumIsNotServedWhileHalfOfItsTargetsAreDown(@TempDir Path folder) throws Exception {
    var config = Files.writeString(folder.resolve("prometheus.yaml"), "scrape_configs: []\n");
    var targets = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve(targets);
    try (var lab =
            Lab.start(
                "--nodes=4",
                "--hpa-sync-period=2s",
                "--pod-start-delay=2s",
                "--prometheus-config=" + config);
        var client = LabObjects.client(lab)) {
      fill(lab, config, targets.getAddress().getPort());
      var prescale = PrescaleInLab.install(lab, folder);
      lab.apply(LabObjects.deployment("chat", Duration.ofSeconds(2)));
      lab.apply(
          LabObjects.predictiveHpa(
                  "chat", 10, "step: 10s, history: 6h, models: [RecentPeak]", "  leadTime: 10s")
              .replace(LoadExporter.SERIES, "sum(" + GAUGE + ")"));
      try (var replica = prescale.start("lost");
          var sampler = MetricSampler.of(lab, LabObjects.METRIC, "chat")) {
        patiently().until(() -> condition(client, ConditionType.ForecastTrusted), this::isTrue);
        patiently().until(() -> LabObjects.replicas(lab, "chat"), it -> it >= TARGETS * EACH / 10);
        int before = LabObjects.replicas(lab, "chat");

        lost.set(true);
        var served = servedUntil(client, sampler, this::isLost);
        lost.set(false);
        served.addAll(servedUntil(client, sampler, this::isTrue));

        assertThat(replica.process().isAlive()).isTrue();
        assertThat(served).isNotEmpty().allMatch(value -> value >= 0.95 * TARGETS * EACH);
        assertThat(LabObjects.replicas(lab, "chat")).isGreaterThanOrEqualTo(before);
      }
    } finally {
      targets.stop(0);
    }
  }

  private boolean isTrue(Optional<StatusCondition> condition) {
    return condition.filter(it -> it.status() == ConditionStatus.True).isPresent();
  }

  private boolean isLost(Optional<StatusCondition> condition) {
    return condition.filter(it -> it.reason() == ConditionReason.SeriesLost).isPresent();
  }

  /** What is served until the metrics' condition is as it should be. */
  private static List<Double> servedUntil(
      KubernetesClient client, MetricSampler sampler, Predicate<Optional<StatusCondition>> end) {
    var served = new ArrayList<Double>();
    patiently()
        .until(
            () -> {
              if (sampler.ask() instanceof MetricSampler.Answer.Value value) {
                served.add(value.value());
              }
              return condition(client, ConditionType.MetricsAvailable);
            },
            end);
    return served;
  }

  private static Optional<StatusCondition> condition(KubernetesClient client, ConditionType type) {
    return LabObjects.predictiveHpa(client, "chat")
        .map(PredictiveHPA::getStatus)
        .flatMap(status -> Conditions.of(status.conditions(), type));
  }

  /** Each target has a path of its own; half of them fail while they are lost. */
  private void serve(HttpServer targets) {
    targets.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    for (int i = 0; i < TARGETS; i++) {
      boolean mayBeLost = i < TARGETS / 2;
      targets.createContext(
          "/target-" + i + "/",
          exchange -> {
            try (exchange) {
              byte[] page =
                  "# TYPE %s gauge%n%s %.3f%n".formatted(GAUGE, GAUGE, EACH).getBytes(UTF_8);
              exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
              boolean fails = mayBeLost && lost.get();
              exchange.sendResponseHeaders(fails ? 503 : 200, page.length);
              exchange.getResponseBody().write(page);
            }
          });
    }
    targets.start();
  }

  private static void fill(Lab lab, Path config, int port)
      throws IOException, InterruptedException {
    long now = Instant.now().getEpochSecond();
    lab.command("prometheus", Verb.STOP);
    RealPrometheus.backfill(
        lab.describe().folder().resolve("prometheus"),
        Stream.concat(
            Stream.of("# TYPE " + GAUGE + " gauge"),
            LongStream.iterate(now - HISTORY, time -> time < now, time -> time + STEP)
                .boxed()
                .flatMap(SeriesLostLabIT::samples)));
    Files.writeString(config, config(port));
    lab.command("prometheus", Verb.START);
  }

  private static Stream<String> samples(long time) {
    return IntStream.range(0, TARGETS)
        .mapToObj(
            i -> "%s{instance=\"load-%d\",job=\"lab\"} %.3f %d".formatted(GAUGE, i, EACH, time));
  }

  private static String config(int port) {
    return IntStream.range(0, TARGETS)
        .mapToObj(
            i ->
                """
                  - targets: ['127.0.0.1:%d']
                    labels: {instance: load-%d, __metrics_path__: /target-%d/}
                """
                    .formatted(port, i, i))
        .collect(
            Collectors.joining(
                "",
                """
                global: {scrape_interval: 2s}
                scrape_configs:
                - job_name: lab
                  static_configs:
                """,
                ""));
  }
}
