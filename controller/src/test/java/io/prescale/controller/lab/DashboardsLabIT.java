package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.chart.ChartFiles;
import io.prescale.controller.chart.Dashboards;
import io.prescale.controller.prometheus.RealPrometheus;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the dashboards and the recording rules ask, put to a real Prometheus that scrapes a running
 * Prescale: every panel has something to show.
 */
class DashboardsLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration DAY = Duration.ofMinutes(10);
  private static final int DAYS_BEFORE = 18;
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Path RULES = ChartFiles.folder().resolve("rules/prescale.yaml");
  private static final Pattern RECORD = Pattern.compile("record: (\\S+)");
  private static final Map<String, String> VARIABLES =
      Map.of("namespace", "default", "name", "predictive", "job", "prescale");

  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private Path folder;

  @Test
  void everyPanelAndEveryRecordingRuleHasData() throws Exception {
    var began = CLOCK.instant();
    var load = new DailyLoad(1, began, DAY, 200);
    var from = began.minus(DAY.multipliedBy(DAYS_BEFORE));
    int metricsPort = PrescaleInLab.freePort();
    try (var exporter = LoadExporter.start(load, CLOCK);
        var prometheus =
            RealPrometheus.scraping(
                folder,
                LoadExporter.history(load, from, began),
                exporter.prometheusConfig() + scraping(metricsPort));
        var lab = Lab.start("--nodes=3", "--hpa-sync-period=2s")) {
      var prescale = PrescaleInLab.install(lab, folder);
      lab.apply(LabObjects.deployment("predictive", Duration.ofSeconds(2)));
      lab.kubectl("create", "quota", "pods", "--hard=pods=1000");
      lab.apply(LabObjects.predictiveHpa("predictive", 10, DAY.multipliedBy(DAYS_BEFORE), ""));
      try (var _ =
          prescale.start(
              "dashboards", "--prometheus=" + prometheus.url(), "--metrics-port=" + metricsPort)) {
        await()
            .atMost(PATIENCE)
            .pollInterval(Duration.ofSeconds(2))
            .untilAsserted(() -> assertThat(withoutData(prometheus.url())).isEmpty());
        assertThat(ask(prometheus.url(), "ALERTS{severity=\"critical\"}")).isEmpty();
      }
    }
  }

  private static String scraping(int metricsPort) {
    return """
    - job_name: prescale
      scrape_interval: 2s
      honor_labels: true
      static_configs:
      - {targets: ['127.0.0.1:%d']}
    rule_files: ['%s']
    """
        .formatted(metricsPort, RULES);
  }

  private List<String> withoutData(URI prometheus) throws Exception {
    var without = new ArrayList<String>();
    for (var query : Dashboards.queries()) {
      if (ask(prometheus, query.with(VARIABLES)).isEmpty()) {
        without.add(query.dashboard() + ", " + query.panel() + ": " + query.expression());
      }
    }
    // Everything can be read here; the rule about what cannot has its own test with promtool.
    var records = RECORD.matcher(Files.readString(RULES));
    while (records.find()) {
      if (!records.group(1).contains("errors") && ask(prometheus, records.group(1)).isEmpty()) {
        without.add(records.group(1));
      }
    }
    return without;
  }

  /** The samples that are numbers. */
  private List<JsonNode> ask(URI prometheus, String query)
      throws IOException, InterruptedException {
    var url = prometheus + "/api/v1/query?query=" + URLEncoder.encode(query, UTF_8);
    var response =
        http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s: %s", query, response.body()).isEqualTo(200);
    var samples = new ArrayList<JsonNode>();
    for (JsonNode sample : JSON.readTree(response.body()).at("/data/result")) {
      if (!sample.at("/value/1").asText().equals("NaN")) {
        samples.add(sample);
      }
    }
    return samples;
  }
}
