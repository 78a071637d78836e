package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RangeQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** VictoriaMetrics in Prometheus' place. Its first run builds it. */
class VictoriaMetricsLabIT {
  private static final Duration HISTORY = Duration.ofHours(6);
  private static final InstantSource CLOCK = InstantSource.system();
  private static final double CAPACITY = 10;
  private static final double QUIET = 20;
  private static final double BUSY = 100;
  private static final String NOTHING = "scrape_configs: []\n";

  /** Steps of a second and more are answered as they are. */
  private static final String AS_IT_IS = "-search.maxStepForPointsAdjustment=1s";

  @Test
  void aTargetScalesAheadOfWhatItsHistoryForetells(@TempDir Path folder) throws Exception {
    try (var exporter = LoadExporter.start(new Visits(), CLOCK);
        var metrics =
            VictoriaMetrics.start(folder, "metrics", exporter.prometheusConfig(), AS_IT_IS);
        var lab = Lab.start("--nodes=3", "--hpa-sync-period=2s", "--pod-start-delay=2s")) {
      var now = CLOCK.instant();
      metrics.fill(LoadExporter.history(new Visits(), now.minus(HISTORY), now));
      var prescale = PrescaleInLab.install(lab, folder);
      try (var replica =
              prescale.start("victoria", "--prometheus=" + metrics.url().resolve("/prometheus"));
          var client = LabObjects.client(lab)) {
        lab.apply(LabObjects.deployment("visits", Duration.ofSeconds(2)));
        lab.apply(
            LabObjects.predictiveHpa(
                "visits",
                CAPACITY,
                "step: 5s, history: 6h, models: [Boosting]",
                "  leadTime: 10s\n  behavior: {scaleDown: {stabilizationWindowSeconds: 0}}"));

        var foresees =
            patiently()
                .until(
                    () -> LabObjects.predictiveHpa(client, "visits").orElseThrow(),
                    it -> isTrusted(it) && foreseesAVisit(it));
        System.out.println("Before a visit: " + metric(foresees));
        patiently()
            .until(
                () -> LabObjects.predictiveHpa(client, "visits").orElseThrow().getStatus(),
                it -> Objects.requireNonNull(it.readyReplicas()) >= BUSY / CAPACITY);
        assertThat(replica.process().isAlive()).isTrue();
      }
    }
  }

  @Test
  void ofStepsBelowAMinuteItHoldsTheNewestHalfMinuteBack(@TempDir Path folder) throws Exception {
    try (var usual = VictoriaMetrics.start(folder, "usual", NOTHING);
        var set = VictoriaMetrics.start(folder, "set", NOTHING, AS_IT_IS)) {
      var now = CLOCK.instant().truncatedTo(ChronoUnit.SECONDS);
      for (var each : List.of(usual, set)) {
        each.fill(LoadExporter.history(new Clock(), now.minusSeconds(600), now.plusSeconds(600)));
      }

      patiently()
          .until(
              () -> ages(usual, 50, 5),
              List.of(50, 45, 40, 35, 30, 30, 30, 30, 30, 30, 30)::equals);
      patiently().until(() -> ages(usual, 20, 5), List::isEmpty);
      assertThat(ages(usual, 300, 60)).containsExactly(300, 240, 180, 120, 60, 0);
      assertThat(ages(set, 20, 5)).containsExactly(20, 15, 10, 5, 0);
    }
  }

  /** How many seconds ago each value of an answer about the last seconds was measured. */
  private static List<Integer> ages(VictoriaMetrics server, int lastSeconds, int stepSeconds)
      throws Exception {
    var now = Instant.ofEpochSecond(CLOCK.instant().getEpochSecond() / 5 * 5);
    var step = Duration.ofSeconds(stepSeconds);
    try (var client =
        new PrometheusClient(
            PrometheusServer.at(server.url()),
            io.prescale.controller.demand.prometheus.Patience.defaults())) {
      var query = new RangeQuery(LoadExporter.SERIES, now.minusSeconds(lastSeconds), now, step);
      return client.range(query).samples().stream()
          .map(sample -> Math.floorMod((int) (new Clock().at(now) - sample.value()), 3600))
          .toList();
    }
  }

  /** Half a minute of work every minute and a half. */
  private static final class Visits implements Load {
    @Override
    public Duration step() {
      return Duration.ofSeconds(1);
    }

    @Override
    public double at(Instant time) {
      return time.getEpochSecond() % 90 < 30 ? BUSY : QUIET;
    }
  }

  /** The second of the hour. */
  private static final class Clock implements Load {
    @Override
    public Duration step() {
      return Duration.ofSeconds(1);
    }

    @Override
    public double at(Instant time) {
      return time.getEpochSecond() % 3600;
    }
  }

  private static MetricStatus metric(PredictiveHPA resource) {
    return LabObjects.metrics(resource).getFirst();
  }

  private static boolean isTrusted(PredictiveHPA resource) {
    return resource.getStatus().conditions().stream()
        .anyMatch(
            it ->
                it.type() == ConditionType.ForecastTrusted && it.status() == ConditionStatus.True);
  }

  /** More is served than there is. */
  private static boolean foreseesAVisit(PredictiveHPA resource) {
    return LabObjects.number(metric(resource).observed()) <= QUIET
        && LabObjects.number(metric(resource).served()) >= 2 * QUIET;
  }
}
