package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.chart.ChartFiles;
import io.prescale.controller.chart.Dashboards;
import io.prescale.controller.demand.preset.Exposition;
import io.prescale.controller.demand.prometheus.RealPrometheus;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the dashboards and the recording rules ask, put to a real Prometheus that scrapes a running
 * Prescale, its extender, and an exporter of cards: every panel has something to show.
 */
class DashboardsLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration DAY = Duration.ofMinutes(10);
  private static final int DAYS_BEFORE = 18;
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Path RULES = ChartFiles.folder().resolve("rules/prescale.yaml");
  private static final Pattern RECORD = Pattern.compile("record: (\\S+)");
  private static final Map<String, String> VARIABLES =
      Map.of("namespace", "default", "name", "predictive", "job", "prescale", "window", "10s");
  private static final HamiVendor VENDOR = HamiVendor.NVIDIA;
  private static final int NODES_OF_A_VENDOR = 2;
  private static final int CARDS = NODES_OF_A_VENDOR * HamiVendor.CARDS;

  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private Path folder;

  @Test
  void everyPanelAndEveryRecordingRuleHasData() throws Exception {
    var began = CLOCK.instant();
    var load = new DailyLoad(1, began, DAY, 200);
    var from = began.minus(DAY.multipliedBy(DAYS_BEFORE));
    int metricsPort = PrescaleInLab.freePort();
    int extenderPort = PrescaleInLab.freePort();
    try (var exporter = LoadExporter.start(load, CLOCK);
        var cards = Exposition.serving(cards());
        var prometheus =
            RealPrometheus.scraping(
                folder,
                LoadExporter.history(load, from, began),
                exporter.prometheusConfig()
                    + scraping("prescale", "127.0.0.1:" + metricsPort)
                    + scraping("prescale-scheduler", "127.0.0.1:" + extenderPort)
                    + scraping("dcgm-exporter", cards.address())
                    + "rule_files: ['%s']\n".formatted(RULES));
        var cluster = ExtenderCluster.start(NODES_OF_A_VENDOR, "--hpa-sync-period=2s")) {
      var lab = cluster.lab();
      var prescale = PrescaleInLab.install(lab, folder);
      lab.apply(LabObjects.deployment("predictive", Duration.ofSeconds(2)));
      lab.kubectl("create", "quota", "pods", "--hard=pods=1000");
      lab.apply(
          """
          apiVersion: placement.prescale.io/v1alpha1
          kind: GpuQueue
          metadata: {name: default}
          spec: {guarantee: 1}
          """);
      lab.apply(LabObjects.predictiveHpa("predictive", 10, DAY.multipliedBy(DAYS_BEFORE), ""));
      try (var _ =
              prescale.start(
                  "dashboards",
                  "--prometheus=" + prometheus.url(),
                  "--metrics-port=" + metricsPort);
          var _ =
              cluster
                  .extender()
                  .start(
                      "dashboards-extender",
                      "--claims",
                      "--prometheus=" + prometheus.url(),
                      "--metrics-port=" + extenderPort)) {
        fill(cluster, prometheus.url());
        var unanswered = questions();
        patiently()
            .untilAsserted(() -> assertThat(without(unanswered, prometheus.url())).isEmpty());
        assertThat(ask(prometheus.url(), "ALERTS{severity=\"critical\",alertstate=\"firing\"}"))
            .isEmpty();
      }
    }
  }

  /** All cards but the sick one are taken, and a pod is refused. */
  private void fill(ExtenderCluster cluster, URI prometheus) throws Exception {
    patiently().until(() -> ask(prometheus, "prescale_gpu_card_usable == 0").size() == 1);
    cluster.lab().apply(VENDOR.pods("whole", CARDS, VENDOR.cardMib));
    patiently().until(() -> ask(prometheus, "prescale_gpu_refused_pods == 1").size() == 1);
    // How long answers take is known from the second scrape on after the first of each kind.
    patiently().until(() -> !ask(prometheus, bindings()).isEmpty());
    cluster.lab().apply(HamiVendor.HYGON.pods("share", 4, HamiVendor.HYGON.cardMib / 4));
  }

  private static String bindings() {
    return "prescale_extender_seconds_count{verb=\"bind\"}";
  }

  private static String scraping(String job, String address) {
    return """
    - job_name: %s
      scrape_interval: 2s
      honor_labels: true
      static_configs:
      - {targets: ['%s']}
    """
        .formatted(job, address);
  }

  /** As dcgm-exporter has them: the first of all is sick, and the others of its node are idle. */
  private static String cards() {
    return IntStream.range(0, CARDS)
        .mapToObj(card -> card(card / HamiVendor.CARDS, card % HamiVendor.CARDS))
        .collect(Collectors.joining());
  }

  private static String card(int node, int card) {
    var labels =
        "gpu=\"%d\",UUID=\"CARD-%s-%d\",Hostname=\"%s\""
            .formatted(card, VENDOR.node(node), card, VENDOR.node(node));
    return """
    DCGM_FI_DEV_GPU_UTIL{%1$s} %2$d
    DCGM_FI_DEV_GPU_TEMP{%1$s} %3$d
    DCGM_FI_DEV_POWER_USAGE{%1$s} %4$d
    DCGM_FI_DEV_XID_ERRORS{%1$s} %5$d
    """
        .formatted(labels, node * 80, 40 + card, 70 + node * 200, node + card == 0 ? 79 : 0);
  }

  /** What every panel and every recording rule asks, by where it stands. */
  private static Map<String, String> questions() throws IOException {
    var questions = new LinkedHashMap<String, String>();
    for (var query : Dashboards.queries()) {
      var place = "%s, %s: %s".formatted(query.dashboard(), query.panel(), query.expression());
      questions.put(place, query.with(VARIABLES));
    }
    // Everything can be read here; the rule about what cannot has its own test with promtool.
    var records = RECORD.matcher(Files.readString(RULES));
    while (records.find()) {
      if (!records.group(1).contains("errors")) {
        questions.put(records.group(1), records.group(1));
      }
    }
    return questions;
  }

  /** Leaves out what has an answer: rates of what happened once are known for a while only. */
  private Map<String, String> without(Map<String, String> questions, URI prometheus)
      throws Exception {
    for (var question : List.copyOf(questions.entrySet())) {
      if (!ask(prometheus, question.getValue()).isEmpty()) {
        questions.remove(question.getKey());
      }
    }
    return questions;
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
