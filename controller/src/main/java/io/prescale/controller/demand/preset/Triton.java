package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import java.util.List;
import java.util.Optional;

/**
 * NVIDIA Triton: with TensorRT-LLM, the backend's own metrics; with other backends, the metrics of
 * the core.
 */
final class Triton {
  private static final String ACTIVE = "request_type=\"active\"";
  private static final String SCHEDULED = "request_type=\"scheduled\"";
  private static final String WAITING = "request_type=\"waiting\"";
  private static final String BATCHER = "nv_trt_llm_request_metrics";
  private static final String PENDING = "nv_inference_pending_request_count";

  private static final ServerMetrics METRICS =
      new ServerMetrics(
          scope -> languageModel(scope).of(BATCHER, ACTIVE),
          scope -> languageModel(scope).of(BATCHER, SCHEDULED),
          scope -> languageModel(scope).of(BATCHER, WAITING),
          scope ->
              "rate(%s[5m])".formatted(languageModel(scope).of("nv_llm_output_token_len_sum")));

  private Triton() {}

  static Preset preset() {
    return new Preset(
        PresetName.TRITON,
        "NVIDIA Triton of 2026, with TensorRT-LLM or any other backend (port 8002, on by default)",
        "the label model_id with TensorRT-LLM, which Triton does not set: add it by relabelling,"
            + " from a label of the pods; with other backends the label model, which is the name in"
            + " the model repository",
        new PresetQuery(
            "requests in TensorRT-LLM's batcher and before it; with another backend and a given"
                + " model, waiting requests plus the average number being computed",
            "requests",
            Triton::present,
            Optional.of(METRICS.saturation()),
            Optional.of(Triton::series)),
        Optional.of(
            METRICS.tokens(
                "tokens of finished requests per second, plus those that the waiting requests would"
                    + " add at the pace of the scheduled ones (TensorRT-LLM only)")),
        Optional.of(Triton::presentByPod),
        List.of(
            "Active requests include waiting ones, so that only active is counted.",
            "Active requests are capped at max (request_type=\"max\" in the exposition); further"
                + " requests queue where no metric sees them. Keep the target of one replica below"
                + " max.",
            "The label model is tensorrt_llm for every LLM: without model_id, the query sums all"
                + " LLMs of a namespace.",
            "ensemble, preprocessing and postprocessing count the same request again: select one"
                + " model.",
            "With the vLLM backend, use the preset vllm; its metrics are on the same port.",
            "Durations are in microseconds; the query converts them to seconds."));
  }

  private static Series languageModel(PresetScope scope) {
    return Series.labelled("model_id", scope);
  }

  private static String present(PresetScope scope) {
    var llm = batched(scope, "sum");
    return scope.model().isPresent()
        ? "(%s) or (%s)".formatted(llm, otherBackend(scope, "sum"))
        : llm;
  }

  /** Of one metric of each pod, since the others come and go with it. */
  private static String series(PresetScope scope) {
    var llm = "count(%s)".formatted(languageModel(scope).of(BATCHER, ACTIVE));
    return scope.model().isPresent()
        ? "%s or count(%s)".formatted(llm, Series.labelled("model", scope).of(PENDING))
        : llm;
  }

  private static String presentByPod(PresetScope scope) {
    var sum = "sum by (pod) ";
    return "(%s) or (%s)".formatted(batched(scope, sum), otherBackend(scope, sum));
  }

  private static String batched(PresetScope scope, String sum) {
    var batched = "%s(%s)".formatted(sum, languageModel(scope).of(BATCHER, ACTIVE));
    var before =
        "%s(%s)".formatted(sum, languageModel(scope).of(PENDING, "model=\"tensorrt_llm\""));
    return "%s + (%s or 0 * %s)".formatted(batched, before, batched);
  }

  /** The average number of requests being computed is the rate of computing seconds per second. */
  private static String otherBackend(PresetScope scope, String sum) {
    var model = Series.labelled("model", scope);
    var computing = new StringBuilder();
    for (var phase : List.of("input", "infer", "output")) {
      computing
          .append(computing.isEmpty() ? "" : " + ")
          .append(
              "rate(%s[1m])"
                  .formatted(model.of("nv_inference_compute_%s_duration_us".formatted(phase))));
    }
    return "%1$s(%2$s) + 1e-6 * %1$s(%3$s)".formatted(sum, model.of(PENDING), computing);
  }
}
