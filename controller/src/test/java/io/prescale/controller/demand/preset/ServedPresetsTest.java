package io.prescale.controller.demand.preset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.prescale.controller.Checkout;
import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RangeAnswer;
import io.prescale.controller.demand.prometheus.RangeQuery;
import io.prescale.controller.demand.prometheus.RealPrometheus;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * From the page that a server shows, through a real Prometheus that scrapes it, to the value of the
 * preset's query. The pages are in the folder {@code expositions}, a folder for each namespace and
 * a page for each pod; those of real servers beside the repository, where they are.
 */
class ServedPresetsTest {
  private static final String NO_MODEL = "";

  /** How many pages were read; a rate needs two points. */
  private static final String READ_TWICE = "sum(count_over_time(up[1m]) >= bool 2)";

  private static final List<Exposition> PAGES = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private static RealPrometheus prometheus;

  @BeforeAll
  static void scrape(@TempDir Path folder) throws Exception {
    var targets = new StringBuilder();
    try (var own = Files.walk(own())) {
      for (var page : own.filter(Files::isRegularFile).toList()) {
        targets.append(target(page, folderName(page), page.getFileName().toString()));
      }
    }
    if (Files.isDirectory(shared())) {
      try (var others = Files.newDirectoryStream(shared(), "*.txt")) {
        for (var page : others) {
          targets.append(target(page, "shared", page.getFileName().toString()));
        }
      }
    }
    prometheus = RealPrometheus.scraping(folder, config(targets));
    try (var client = client()) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(200))
          .until(() -> now(client, READ_TWICE).equals(OptionalDouble.of(PAGES.size())));
    }
  }

  @AfterAll
  static void stop() {
    if (prometheus != null) {
      prometheus.close();
    }
    PAGES.forEach(Exposition::close);
  }

  @Test
  void vllmAddsRunningAndWaitingOfItsModelAndCountsNoQueueTwice() throws Exception {
    assertThat(value(PresetName.VLLM, "org/m", "vllm")).hasValue(256 + 200 + 39 + 5);
  }

  @Test
  void anIdleServerHasNoDemandAndAMissingOneIsUnknown() throws Exception {
    assertThat(value(PresetName.VLLM, "org/m", "vllm-idle")).hasValue(0);
    assertThat(value(PresetName.VLLM, "org/absent", "vllm-idle")).isEmpty();
  }

  @Test
  void sglangCountsEachRankAndPriorityOnce() throws Exception {
    assertThat(value(PresetName.SGLANG, "m", "sglang")).hasValue(40 + 30 + 9 + 2);
  }

  @Test
  void tgiAddsItsQueueAndItsBatch() throws Exception {
    assertThat(value(PresetName.TGI, NO_MODEL, "tgi")).hasValue(33 + 88);
  }

  @Test
  void tritonWithTensorRtCountsActiveAndWhatWaitsBeforeIt() throws Exception {
    assertThat(value(PresetName.TRITON, NO_MODEL, "triton-tensorrt")).hasValue(83 + 2);
  }

  @Test
  void tritonWithAnotherBackendCountsTheNamedModel() throws Exception {
    assertThat(value(PresetName.TRITON, "bert", "triton-other")).hasValue(12);
  }

  @ParameterizedTest
  @CsvSource({"'', triton-tensorrt", "bert, triton-other"})
  void ofTritonAPodIsCountedOnce(String model, String namespace) throws Exception {
    var series = Presets.of(PresetName.TRITON).requests().series().orElseThrow();
    try (var client = client()) {
      assertThat(now(client, series.promql(scope(model, namespace)))).hasValue(1);
    }
  }

  @Test
  void nimIsDistinguishedFromOtherSoftwareByItsModel() throws Exception {
    assertThat(value(PresetName.NIM, "m", "nim")).hasValue(64 + 11);
  }

  @Test
  void dcgmAddsTheGpusOfTheWorkloadsPods() throws Exception {
    assertThat(value(PresetName.DCGM, "chat", "dcgm")).hasValue(0.75 + 0.5 + 0.25);
  }

  @Test
  void llmDAddsWhatItsRouterHoldsAndWhatItHasPassedOn() throws Exception {
    assertThat(value(PresetName.LLM_D, "org/m", "llm-d")).hasValue(3 + 4 + 20);
    assertThat(value(PresetName.LLM_D, "org/absent", "llm-d")).isEmpty();
  }

  @Test
  void theHttpAddOnCountsARouteInTheNamespaceOfItsWorkload() throws Exception {
    assertThat(value(PresetName.HTTP_ADD_ON, "chat", "models")).hasValue(6);
    assertThat(value(PresetName.HTTP_ADD_ON, NO_MODEL, "models")).hasValue(6 + 9);
  }

  /** Whichever the model: a pod that goes takes all its requests with it. */
  @ParameterizedTest
  @CsvSource({
    "VLLM, vllm, 507",
    "SGLANG, sglang, 81",
    "TGI, tgi, 121",
    "TRITON, triton-tensorrt, 85",
    "TRITON, triton-other, 62",
    "NIM, nim, 1075",
  })
  void theWorkOfAPodIsAllThatIsPresentThere(PresetName preset, String namespace, double work)
      throws Exception {
    var scope = new PresetScope(Optional.empty(), Optional.of(namespace));
    var promql = Presets.of(preset).workByPod().orElseThrow().promql(scope);
    try (var client = client()) {
      var now = Instant.now();
      var answer = client.range(new RangeQuery(promql, now, now, Duration.ofSeconds(1)));

      assertThat(answer.latest()).as(promql).isNotEmpty();
      assertThat(answer.series())
          .allSatisfy(it -> assertThat(it.values()).containsOnlyKeys("pod"))
          .doesNotHaveDuplicates();
      assertThat(answer.latest().stream().mapToDouble(RangeAnswer.Latest::value).sum())
          .isEqualTo(work);
    }
  }

  @Test
  void aHostileModelSelectsItselfAndNothingElse() throws Exception {
    assertThat(value(PresetName.VLLM, "m\"} or {a=\"b\\", "vllm-hostile")).hasValue(3);
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource({
    "VLLM, shared, meta-llama/Llama-3.1-8B-Instruct, 295",
    "VLLM, shared, Qwen/Qwen3-32B, 94",
    "SGLANG, shared, Qwen/Qwen2.5-72B-Instruct, 120",
    "TGI, shared, '', 121",
    "TRITON, shared, '', 85",
    "NIM, shared, meta/llama-3.1-8b-instruct, 75",
    "DCGM, inference, llama-8b, 0.987112",
    "DCGM, inference, '', 2.360119",
  })
  void readsTheExpositionOfTheServer(
      PresetName preset, String namespace, String model, double demand) throws Exception {
    assumeTrue(
        Files.isDirectory(shared()),
        "skipped: without ../shared/expositions it stays unproven that the presets read what real"
            + " servers expose; pages made by hand stand in");

    assertThat(value(preset, model, namespace)).hasValue(demand);
  }

  private static OptionalDouble value(PresetName preset, String model, String namespace)
      throws Exception {
    try (var client = client()) {
      return now(client, Presets.of(preset).requests().demand().promql(scope(model, namespace)));
    }
  }

  private static PresetScope scope(String model, String namespace) {
    return new PresetScope(
        Optional.of(model).filter(name -> !name.isEmpty()), Optional.of(namespace));
  }

  private static PrometheusClient client() throws Exception {
    return new PrometheusClient(PrometheusServer.at(prometheus.url()), Patience.defaults());
  }

  private static OptionalDouble now(PrometheusClient client, String promql) throws Exception {
    var now = Instant.now();
    var answer = client.range(new RangeQuery(promql, now, now, Duration.ofSeconds(1)));
    assertThat(answer.series()).as(promql).hasSizeLessThan(2);
    return answer.samples().isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(answer.samples().getLast().value());
  }

  private static String config(CharSequence targets) {
    return "global: {scrape_interval: 1s}\n"
        + "scrape_configs:\n"
        + "- job_name: pods\n"
        + "  static_configs:\n"
        + targets;
  }

  private static String target(Path page, String namespace, String pod) throws IOException {
    var exposition = Exposition.serving(Files.readString(page));
    PAGES.add(exposition);
    return "  - {targets: ['%s'], labels: {namespace: %s, pod: %s}}\n"
        .formatted(exposition.address(), namespace, pod);
  }

  private static String folderName(Path page) {
    return Objects.requireNonNull(page.getParent()).getFileName().toString();
  }

  private static Path own() {
    var folder = ServedPresetsTest.class.getResource("expositions");
    return Path.of(URI.create(Objects.requireNonNull(folder).toString()));
  }

  private static Path shared() {
    return Checkout.shared().resolve("expositions");
  }
}
