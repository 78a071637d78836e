package io.prescale.controller.scheduler.extender;

import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static io.prescale.controller.demand.prometheus.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.prescale.controller.Checkout;
import io.prescale.controller.demand.preset.Exposition;
import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RealPrometheus;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.placement.cluster.GpuHealth.State;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.SeriesMatchers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the page of an exporter through a real Prometheus to what is known of the cards. */
class CardWatchTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Patience ONE_ATTEMPT =
      new Patience(PATIENCE, PATIENCE, 1, Duration.ZERO, Duration.ZERO);

  @Test
  void aRealPrometheusTellsOfSickAndBusyCards(@TempDir Path folder) throws Exception {
    var page =
        """
        DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-a",Hostname="n",pod="p"} 91
        DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",Hostname="n",pod="p"} 80
        DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",Hostname="n",pod="time-sliced"} 80
        DCGM_FI_DEV_XID_ERRORS{gpu="1",UUID="GPU-b",Hostname="n"} 79
        DCGM_FI_DEV_POWER_USAGE{gpu="2",UUID="GPU-c",Hostname="n",GPU_I_ID="3"} 71.8
        DCGM_FI_DEV_POWER_USAGE{gpu="2",UUID="GPU-c",Hostname="n"} NaN
        DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="2",UUID="GPU-c",Hostname="n",GPU_I_ID="3"} 1
        DCGM_FI_DEV_GPU_TEMP{gpu="3"} 20
        gpu_health{gpu_id="0",gpu_uuid="amd",gpu_partition_id="0"} 1
        gpu_health{gpu_id="0",gpu_uuid="amd",gpu_partition_id="1"} 0
        gpu_junction_temperature{gpu_id="0",gpu_uuid="amd",gpu_partition_id="0"} 71
        gpu_health{gpu_id="1"} 0
        npu_chip_info_health_status{id="0",vdie_id="ascend"} 0
        npu_chip_info_temperature{id="0",vdie_id="ascend"} 55
        """;

    var readings = read(folder, page, 5);

    assertThat(card(readings, "GPU-a").health().temperatureCelsius()).hasValue(91);
    assertThat(card(readings, "GPU-a").utilisationPercent()).as("not added up").hasValue(80);
    assertThat(card(readings, "GPU-b").health().state()).isEqualTo(State.UNHEALTHY);
    assertThat(card(readings, "GPU-c").health().powerWatts()).hasValue(72);
    assertThat(card(readings, "amd").isSick()).as("of two partitions one").isTrue();
    assertThat(card(readings, "amd").health().temperatureCelsius()).hasValue(71);
    assertThat(card(readings, "ascend").isSick()).isTrue();
    assertThat(card(readings, "ascend").health().temperatureCelsius()).hasValue(55);
    assertThat(card(readings, "GPU-c").utilisationPercent()).as("an instance's").isEmpty();
  }

  @Test
  void readsTheExpositionOfTheExporter(@TempDir Path folder) throws Exception {
    var exposition = shared().resolve("dcgm.txt");
    assumeTrue(
        Files.isRegularFile(exposition),
        "skipped: without ../shared/expositions it stays unproven that a real dcgm-exporter's page"
            + " is read; a page made by hand stands in");

    var readings = read(folder, Files.readString(exposition), 3);

    var busy = card(readings, "GPU-2f1a6a3e-0a7b-4c5d-9f7e-6b1d2c3e4f50");
    assertThat(busy.health().temperatureCelsius()).hasValue(62);
    assertThat(busy.health().powerWatts()).hasValue(598);
    assertThat(busy.utilisationPercent()).hasValue(99);
    assertThat(readings.values()).noneMatch(CardReading::isSick);
    assertThat(card(readings, "GPU-51d0c9aa-7e21-4b3c-8f0d-90e1f2a3b4c5").health().powerWatts())
        .as("the greatest of the card's and its instance's")
        .isPresent();
  }

  /** Which Prometheus scrapes as it does the exporters, by annotations of pods for example. */
  @Test
  void aTenantsPodMakesNoCardSickWhereASelectorNamesTheExporters(@TempDir Path folder)
      throws Exception {
    try (var exporter = Exposition.serving("DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-a\"} 80\n");
        var tenant = Exposition.serving("DCGM_FI_DEV_XID_ERRORS{UUID=\"GPU-a\"} 79\n");
        var prometheus =
            RealPrometheus.scraping(
                folder,
                """
                scrape_configs:
                - job_name: dcgm
                  scrape_interval: 1s
                  static_configs: [{targets: ['%s']}]
                - job_name: pods
                  scrape_interval: 1s
                  static_configs: [{targets: ['%s'], labels: {namespace: team}}]
                """
                    .formatted(exporter.address(), tenant.address()))) {
      var server = PrometheusServer.at(prometheus.url());
      var believed = new AtomicReference<Map<String, CardReading>>(Map.of());
      try (var _ = start(server, SeriesMatchers.NONE, believed)) {
        await().atMost(PATIENCE).until(() -> isSickAndBusy(believed.get().get("GPU-a")));
      }

      for (var exporters : List.of("job=\"dcgm\"", "namespace!=\"team\",job=~\"dcgm|amd.*\"")) {
        var told = new AtomicReference<Map<String, CardReading>>(Map.of());
        try (var _ = start(server, new SeriesMatchers(exporters), told)) {
          await().atMost(PATIENCE).until(() -> !told.get().isEmpty());
        }
        assertThat(card(told.get(), "GPU-a").utilisationPercent()).as(exporters).hasValue(80);
        assertThat(card(told.get(), "GPU-a").isSick()).as(exporters).isFalse();
      }
    }
  }

  private static boolean isSickAndBusy(@Nullable CardReading card) {
    return card != null && card.isSick() && card.utilisationPercent().isPresent();
  }

  @Test
  void withoutAnAnswerASickCardStaysSickAndNothingIsReported() throws Exception {
    var sick =
        """
        {"metric":{"__name__":"DCGM_FI_DEV_XID_ERRORS","UUID":"GPU-a"},"values":[[%d,"79"]]}\
        """
            .formatted(NOW.getEpochSecond());
    var reports = new CopyOnWriteArrayList<Map<String, CardReading>>();
    try (var server = new ScriptedServer(json(matrix(sick)), status(503, ""));
        var watch =
            CardWatch.start(
                new Exporters(
                    new PrometheusClient(PrometheusServer.at(server.url()), ONE_ATTEMPT),
                    SeriesMatchers.NONE),
                InstantSource.fixed(NOW),
                Duration.ofMillis(10),
                reports::add)) {
      await().atMost(PATIENCE).until(() -> server.requests().size() > 5);

      assertThat(reports).hasSize(1);
      assertThat(card(reports.getFirst(), "GPU-a").isSick()).isTrue();
      assertThat(watch.readings()).isEqualTo(reports.getFirst());
    }
  }

  @Test
  void aReadingThatCannotBeUsedDoesNotEndTheWatch() throws Exception {
    var calls = new AtomicInteger();
    try (var server = new ScriptedServer(json(matrix("")));
        var _ =
            CardWatch.start(
                new Exporters(
                    new PrometheusClient(PrometheusServer.at(server.url()), ONE_ATTEMPT),
                    SeriesMatchers.NONE),
                InstantSource.fixed(NOW),
                Duration.ofMillis(10),
                _ -> {
                  calls.incrementAndGet();
                  throw new IllegalStateException("a defect");
                })) {
      await().atMost(PATIENCE).until(() -> calls.get() >= 2);
    }
  }

  private static Map<String, CardReading> read(Path folder, String page, int cards)
      throws Exception {
    try (var exposition = Exposition.serving(page);
        var prometheus =
            RealPrometheus.scraping(
                folder,
                """
                scrape_configs:
                - job_name: dcgm
                  scrape_interval: 1s
                  static_configs: [{targets: ['%s']}]
                """
                    .formatted(exposition.address()))) {
      var told = new AtomicReference<Map<String, CardReading>>(Map.of());
      var server = PrometheusServer.at(prometheus.url());
      try (var _ = start(server, SeriesMatchers.NONE, told)) {
        await().atMost(PATIENCE).until(() -> told.get().size() >= cards);
      }
      return told.get();
    }
  }

  private static CardWatch start(
      PrometheusServer server,
      SeriesMatchers exporters,
      AtomicReference<Map<String, CardReading>> told)
      throws Exception {
    return CardWatch.start(
        new Exporters(new PrometheusClient(server, Patience.defaults()), exporters),
        InstantSource.system(),
        Duration.ofMillis(300),
        told::set);
  }

  private static CardReading card(Map<String, CardReading> readings, String uuid) {
    return Objects.requireNonNull(readings.get(uuid));
  }

  private static Path shared() {
    return Checkout.shared().resolve("expositions");
  }
}
