package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import java.util.List;
import java.util.Optional;

/** NVIDIA NIM for LLMs, whose metrics are those of vLLM without a prefix. */
final class Nim {

  private static final ServerMetrics METRICS =
      new ServerMetrics(
          scope -> series(scope).named("num_requests_(running|waiting)"),
          scope -> series(scope).of("num_requests_running"),
          scope -> series(scope).of("num_requests_waiting"),
          scope -> "rate(%s[2m])".formatted(series(scope).of("generation_tokens_total")));

  private Nim() {}

  static Preset preset() {
    return new Preset(
        PresetName.NIM,
        "NVIDIA NIM for LLMs 1.x (port 8000, path /v1/metrics, on by default)",
        "the label model_name",
        METRICS.requests("running and waiting requests of all pods"),
        Optional.of(
            METRICS.tokens(
                "tokens generated per second, plus those that the waiting requests would add at the"
                    + " pace of the running ones")),
        Optional.of(METRICS.workByPod()),
        List.of(
            "The metric names have no prefix, so that other software may use them too: set model or"
                + " namespace. Without either, the query selects job=\"nim\".",
            "NIM 2.x exposes the engine's own metrics: use the preset vllm (2.0), or vllm or sglang"
                + " (2.1). An upgrade from 1.x to 2.x renames all metrics.",
            "The label model_name is taken from the documentation, not from a running server:"
                + " compare it with a scrape.",
            "num_request_max is a hard limit on running requests."));
  }

  private static Series series(PresetScope scope) {
    var labelled = Series.labelled("model_name", scope);
    return labelled.matchers().isEmpty() ? new Series(List.of("job=\"nim\"")) : labelled;
  }
}
