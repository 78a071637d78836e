package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.demand.preset.PresetQuery.Saturation;
import java.util.List;
import java.util.Optional;

/** vLLM. */
final class Vllm {
  private static final String PRESENT = "vllm:num_requests_(running|waiting)";

  private Vllm() {}

  static Preset preset() {
    return new Preset(
        PresetName.VLLM,
        "vLLM (metrics of 0.6 to 0.33; port 8000, on by default)",
        "the label model_name, which is the first name in --served-model-name",
        new PresetQuery(
            "running and waiting requests of all engines and pods",
            "requests",
            scope -> "sum(%s)".formatted(series(scope).named(PRESENT)),
            Optional.of(
                new Saturation(
                    scope -> perPod(scope, "vllm:num_requests_running"), Vllm::waiting))),
        Optional.of(
            new PresetQuery(
                "tokens generated per second, plus those that the waiting requests would add at the"
                    + " pace of the running ones",
                "tokens/s",
                Vllm::tokens,
                Optional.of(
                    new Saturation(
                        scope ->
                            Pods.sum(
                                "rate("
                                    + series(scope).of("vllm:generation_tokens_total")
                                    + "[2m])"),
                        Vllm::waiting)))),
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

  private static String tokens(PresetScope scope) {
    return Pace.tokens(
        "sum(rate(%s[2m]))".formatted(series(scope).of("vllm:generation_tokens_total")),
        "sum(%s)".formatted(series(scope).named(PRESENT)),
        "sum(%s)".formatted(series(scope).of("vllm:num_requests_running")));
  }

  private static String perPod(PresetScope scope, String metric) {
    return Pods.sum(series(scope).of(metric));
  }

  private static String waiting(PresetScope scope) {
    return perPod(scope, "vllm:num_requests_waiting");
  }
}
