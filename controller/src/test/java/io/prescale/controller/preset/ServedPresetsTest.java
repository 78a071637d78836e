package io.prescale.controller.preset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.prometheus.Patience;
import io.prescale.controller.prometheus.PrometheusClient;
import io.prescale.controller.prometheus.PrometheusServer;
import io.prescale.controller.prometheus.RangeQuery;
import io.prescale.controller.prometheus.RealPrometheus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * From the page that a server shows, through a real Prometheus that scrapes it, to the value of the
 * preset's query.
 */
class ServedPresetsTest {
  private static final String NO_MODEL = "";

  /** How many pods were; a rate needs two points. */
  private static final String SCRAPED_TWICE = "sum(count_over_time(up[1m]) >= bool 2)";

  @TempDir private Path folder;

  @Test
  void vllmAddsRunningAndWaitingOfItsModelAndCountsNoQueueTwice() throws Exception {
    var one =
        """
        # TYPE vllm:num_requests_running gauge
        vllm:num_requests_running{engine="0",model_name="org/m"} 256.0
        vllm:num_requests_running{engine="1",model_name="org/m"} 200.0
        vllm:num_requests_running{engine="0",model_name="org/other"} 7.0
        # TYPE vllm:num_requests_waiting gauge
        vllm:num_requests_waiting{engine="0",model_name="org/m"} 39.0
        # TYPE vllm:num_requests_waiting_by_reason gauge
        vllm:num_requests_waiting_by_reason{engine="0",model_name="org/m",reason="capacity"} 37.0
        vllm:num_requests_waiting_by_reason{engine="0",model_name="org/m",reason="deferred"} 2.0
        # TYPE vllm:kv_cache_usage_perc gauge
        vllm:kv_cache_usage_perc{engine="0",model_name="org/m"} 0.99
        """;
    var other =
        """
        # TYPE vllm:num_requests_running gauge
        vllm:num_requests_running{engine="0",model_name="org/m"} 5.0
        """;

    assertThat(value(PresetName.VLLM, "org/m", one, other)).hasValue(256 + 200 + 39 + 5);
  }

  @Test
  void anIdleServerHasNoDemandAndAMissingOneIsUnknown() throws Exception {
    var idle =
        """
        vllm:num_requests_running{engine="0",model_name="org/m"} 0
        vllm:num_requests_waiting{engine="0",model_name="org/m"} 0
        """;

    assertThat(value(PresetName.VLLM, "org/m", idle)).hasValue(0);
    assertThat(value(PresetName.VLLM, "org/absent", idle)).isEmpty();
  }

  @Test
  void sglangCountsEachRankAndPriorityOnce() throws Exception {
    var page =
        """
        sglang:num_running_reqs{model_name="m",engine_type="unified",tp_rank="0",pp_rank="0",dp_rank="0",priority=""} 40
        sglang:num_running_reqs{model_name="m",engine_type="unified",tp_rank="1",pp_rank="0",dp_rank="0",priority=""} 40
        sglang:num_running_reqs{model_name="m",engine_type="unified",tp_rank="0",pp_rank="0",dp_rank="1",priority=""} 30
        sglang:num_running_reqs{model_name="m",engine_type="unified",tp_rank="0",pp_rank="0",dp_rank="0",priority="1"} 25
        sglang:num_queue_reqs{model_name="m",engine_type="unified",tp_rank="0",pp_rank="0",dp_rank="0",priority=""} 9
        sglang:num_queue_reqs{model_name="m",engine_type="unified",tp_rank="0",pp_rank="1",dp_rank="0",priority=""} 9
        sglang:num_grammar_queue_reqs{model_name="m",engine_type="unified",tp_rank="0",pp_rank="0",dp_rank="0"} 2
        """;

    assertThat(value(PresetName.SGLANG, "m", page)).hasValue(40 + 30 + 9 + 2);
  }

  @Test
  void tgiAddsItsQueueAndItsBatch() throws Exception {
    var page =
        """
        tgi_queue_size 33
        tgi_batch_current_size 88
        tgi_batch_current_max_tokens 131072
        """;

    assertThat(value(PresetName.TGI, NO_MODEL, page)).hasValue(121);
  }

  @Test
  void tritonWithTensorRtCountsActiveAndWhatWaitsBeforeIt() throws Exception {
    var page =
        """
        nv_trt_llm_request_metrics{request_type="active",model="tensorrt_llm",version="1"} 83
        nv_trt_llm_request_metrics{request_type="scheduled",model="tensorrt_llm",version="1"} 64
        nv_trt_llm_request_metrics{request_type="waiting",model="tensorrt_llm",version="1"} 19
        nv_inference_pending_request_count{model="ensemble",version="1"} 50
        nv_inference_pending_request_count{model="tensorrt_llm",version="1"} 2
        """;

    assertThat(value(PresetName.TRITON, NO_MODEL, page)).hasValue(85);
  }

  @Test
  void tritonWithAnotherBackendCountsTheNamedModel() throws Exception {
    var page =
        """
        nv_inference_pending_request_count{model="bert",version="1"} 12
        nv_inference_pending_request_count{model="ensemble",version="1"} 50
        nv_inference_compute_input_duration_us{model="bert",version="1"} 0
        nv_inference_compute_infer_duration_us{model="bert",version="1"} 0
        nv_inference_compute_output_duration_us{model="bert",version="1"} 0
        """;

    assertThat(value(PresetName.TRITON, "bert", page)).hasValue(12);
  }

  @Test
  void nimIsToldFromOtherSoftwareByItsModel() throws Exception {
    var page =
        """
        num_requests_running{model_name="m"} 64
        num_requests_waiting{model_name="m"} 11
        num_requests_waiting{queue="mail"} 1000
        """;

    assertThat(value(PresetName.NIM, "m", page)).hasValue(75);
  }

  @Test
  void dcgmAddsTheGpusOfTheWorkloadsPods() throws Exception {
    var page =
        """
        DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",UUID="a",namespace="team",pod="chat-7c9-x"} 0.75
        DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="1",UUID="b",namespace="team",pod="chat-7c9-y"} 0.5
        DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="2",UUID="c",namespace="team",pod="chatter-0"} 1
        DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="3",UUID="d"} 0.25
        DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="3",UUID="d",GPU_I_ID="2",namespace="team",pod="chat-7c9-z"} 0.25
        """;

    assertThat(value(PresetName.DCGM, "chat", page)).hasValue(1.5);
  }

  @Test
  void aHostileModelSelectsItselfAndNothingElse() throws Exception {
    var model = "m\"} or {a=\"b\\";
    var page =
        """
        vllm:num_requests_running{model_name="m\\"} or {a=\\"b\\\\"} 3
        vllm:num_requests_running{model_name="m"} 100
        """;

    assertThat(value(PresetName.VLLM, model, page)).hasValue(3);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource({
    "VLLM, vllm.txt, meta-llama/Llama-3.1-8B-Instruct, 295",
    "VLLM, vllm-dp2.txt, Qwen/Qwen3-32B, 94",
    "SGLANG, sglang.txt, Qwen/Qwen2.5-72B-Instruct, 120",
    "TGI, tgi.txt, '', 121",
    "TRITON, triton.txt, '', 85",
    "NIM, nim.txt, meta/llama-3.1-8b-instruct, 75",
    "DCGM, dcgm.txt, llama-8b, 0.987112",
  })
  void readsTheExpositionOfTheServer(PresetName preset, String file, String model, double demand)
      throws Exception {
    assertThat(value(preset, model, Files.readString(shared(file)))).hasValue(demand);
  }

  /** What the preset's query gives for pods with these pages, in the namespace team. */
  private OptionalDouble value(PresetName preset, String model, String... pages) throws Exception {
    var namespace = model.equals("llama-8b") ? "inference" : "team";
    var scope =
        new PresetScope(Optional.of(model).filter(name -> !name.isEmpty()), Optional.of(namespace));
    var promql = Presets.of(preset).requests().demand().promql(scope);
    var pods = new ArrayList<Exposition>();
    try {
      for (var page : pages) {
        pods.add(Exposition.serving(page));
      }
      return askedOfPrometheus(pods, promql);
    } finally {
      pods.forEach(Exposition::close);
    }
  }

  private OptionalDouble askedOfPrometheus(List<Exposition> pods, String promql) throws Exception {
    var own = Files.createTempDirectory(folder, "prometheus");
    try (var prometheus = RealPrometheus.scraping(own, config(pods));
        var client =
            new PrometheusClient(PrometheusServer.at(prometheus.url()), Patience.defaults())) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .pollInterval(Duration.ofMillis(200))
          .until(() -> now(client, SCRAPED_TWICE).equals(OptionalDouble.of(pods.size())));
      return now(client, promql);
    }
  }

  private static String config(List<Exposition> pods) {
    var config =
        new StringBuilder("global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: pods\n");
    config.append("  static_configs:\n");
    for (int i = 0; i < pods.size(); i++) {
      config.append(
          "  - {targets: ['%s'], labels: {namespace: team, pod: pod-%d}}\n"
              .formatted(pods.get(i).address(), i));
    }
    return config.toString();
  }

  private static OptionalDouble now(PrometheusClient client, String promql) throws Exception {
    var now = Instant.now();
    var answer = client.range(new RangeQuery(promql, now, now, Duration.ofSeconds(1)));
    assertThat(answer.series()).as(promql).hasSizeLessThan(2);
    return answer.samples().isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(answer.samples().getLast().value());
  }

  private static Path shared(String name) {
    Path repository = Path.of("").toAbsolutePath();
    while (repository.getParent() != null && !Files.exists(repository.resolve("mvnw"))) {
      repository = repository.getParent();
    }
    Path file = repository.resolveSibling("shared").resolve("expositions").resolve(name);
    assumeTrue(Files.isReadable(file), "skipped: there is no ../shared/expositions/" + name);
    return file;
  }
}
