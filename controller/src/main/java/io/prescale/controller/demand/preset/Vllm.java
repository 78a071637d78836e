package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import java.util.List;
import java.util.Optional;

/** vLLM. */
final class Vllm {

  private static final ServerMetrics METRICS =
      new ServerMetrics(
          scope -> series(scope).named("vllm:num_requests_(running|waiting)"),
          scope -> series(scope).of("vllm:num_requests_running"),
          scope -> series(scope).of("vllm:num_requests_waiting"),
          scope -> "rate(%s[2m])".formatted(series(scope).of("vllm:generation_tokens_total")));

  private Vllm() {}

  static Preset preset() {
    return new Preset(
        PresetName.VLLM,
        "vLLM (metrics of 0.6 to 0.33; port 8000, on by default)",
        "the label model_name, which is the first name in --served-model-name",
        METRICS.requests("running and waiting requests of all engines and pods"),
        Optional.of(
            METRICS.tokens(
                "tokens generated per second, plus those that the waiting requests would add at the"
                    + " pace of the running ones")),
        Optional.of(METRICS.workByPod()),
        List.of(
            "Running requests are capped by --max-num-seqs and the KV cache; above that, only"
                + " waiting requests grow. The query therefore adds both.",
            "The pattern matches exactly these two metrics: num_requests_waiting_by_reason would"
                + " count the queue twice.",
            "Requests for LoRA adapters count as requests for the base model.",
            "With disaggregated prefill and decode, both fleets count the same request: scale each"
                + " by its own query, selected by namespace or by a metric of your own.",
            "--disable-log-stats disables the metrics; the demand is then unknown, not 0.",
            "Collectors that replace the colon in metric names (OpenTelemetry, StatsD) need a query"
                + " of your own."));
  }

  private static Series series(PresetScope scope) {
    return Series.labelled("model_name", scope);
  }
}
