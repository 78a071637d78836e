package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.demand.preset.PresetQuery.Saturation;
import java.util.List;
import java.util.Optional;

/** NVIDIA Triton: with the TensorRT-LLM backend by its own metrics, else by those of the core. */
final class Triton {
  private static final String ACTIVE = "request_type=\"active\"";
  private static final String SCHEDULED = "request_type=\"scheduled\"";
  private static final String WAITING = "request_type=\"waiting\"";
  private static final String BATCHER = "nv_trt_llm_request_metrics";
  private static final String PENDING = "nv_inference_pending_request_count";

  private Triton() {}

  static Preset preset() {
    return new Preset(
        PresetName.TRITON,
        "NVIDIA Triton of 2026, with TensorRT-LLM or any other backend (port 8002, on by default)",
        "with TensorRT-LLM the label model_id, which Triton does not have: attach it by"
            + " relabelling, from a label of the pods; with other backends the label model, the"
            + " name in the model repository",
        new PresetQuery(
            "with TensorRT-LLM, requests in its batcher and before it; with another backend, where"
                + " a model is given, requests that wait and those that are computed on average",
            "requests",
            Triton::present,
            Optional.of(
                new Saturation(scope -> batcherByPod(scope, SCHEDULED), Triton::waitingByPod))),
        Optional.of(
            new PresetQuery(
                "tokens of finished requests a second, and those that the waiting requests would"
                    + " take at the pace of the scheduled ones (TensorRT-LLM only)",
                "tokens/s",
                Triton::tokens,
                Optional.of(
                    new Saturation(
                        scope ->
                            Pods.sum(
                                "rate("
                                    + languageModel(scope).of("nv_llm_output_token_len_sum")
                                    + "[5m])"),
                        Triton::waitingByPod)))),
        List.of(
            "Waiting is a part of active, so that only active is counted.",
            "Active stops at max (in the exposition request_type=\"max\"); beyond it requests queue"
                + " where no metric sees them. Keep one replica's share below.",
            "model is the name in the repository, tensorrt_llm for every LLM: without model_id all"
                + " of a namespace are added up.",
            "ensemble, preprocessing and postprocessing count the same request again: name one"
                + " model.",
            "With the vLLM backend use the preset vllm; its metrics are on the same port.",
            "Durations are in microseconds; the query divides them."));
  }

  private static Series languageModel(PresetScope scope) {
    return Series.labelled("model_id", scope);
  }

  private static String present(PresetScope scope) {
    var batched = "sum(%s)".formatted(languageModel(scope).of(BATCHER, ACTIVE));
    var before = "sum(%s)".formatted(languageModel(scope).of(PENDING, "model=\"tensorrt_llm\""));
    var llm = "%s + (%s or 0 * %s)".formatted(batched, before, batched);
    return scope.model().isPresent() ? "(" + llm + ") or (" + otherBackend(scope) + ")" : llm;
  }

  /** Requests that are computed on average are seconds of computing in a second. */
  private static String otherBackend(PresetScope scope) {
    var model = Series.labelled("model", scope);
    var computing = new StringBuilder();
    for (var phase : List.of("input", "infer", "output")) {
      computing
          .append(computing.isEmpty() ? "" : " + ")
          .append(
              "rate(%s[1m])"
                  .formatted(model.of("nv_inference_compute_%s_duration_us".formatted(phase))));
    }
    return "sum(%s) + 1e-6 * sum(%s)".formatted(model.of(PENDING), computing);
  }

  private static String tokens(PresetScope scope) {
    return Pace.tokens(
        "sum(rate(%s[5m]))".formatted(languageModel(scope).of("nv_llm_output_token_len_sum")),
        "sum(%s)".formatted(languageModel(scope).of(BATCHER, ACTIVE)),
        "sum(%s)".formatted(languageModel(scope).of(BATCHER, SCHEDULED)));
  }

  private static String batcherByPod(PresetScope scope, String type) {
    return Pods.sum(languageModel(scope).of(BATCHER, type));
  }

  private static String waitingByPod(PresetScope scope) {
    return batcherByPod(scope, WAITING);
  }
}
