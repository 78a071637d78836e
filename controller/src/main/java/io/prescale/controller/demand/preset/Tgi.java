package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.demand.preset.PresetQuery.Saturation;
import java.util.List;
import java.util.Optional;

/** Hugging Face's Text Generation Inference. */
final class Tgi {
  private static final String PRESENT = "tgi_(queue_size|batch_current_size)";

  private Tgi() {}

  static Preset preset() {
    return new Preset(
        PresetName.TGI,
        "Text Generation Inference 3 (port 3000, in its image 80; on by default)",
        "the label model, which TGI does not set: add it by relabelling, from a label of the pods",
        new PresetQuery(
            "requests in the batch and in the queue of all pods",
            "requests",
            scope -> "sum(%s)".formatted(series(scope).named(PRESENT)),
            Optional.of(
                new Saturation(
                    scope -> Pods.sum(series(scope).of("tgi_batch_current_size")), Tgi::waiting))),
        Optional.of(
            new PresetQuery(
                "tokens of finished requests per second, plus those that the waiting requests would"
                    + " add at the pace of the running ones",
                "tokens/s",
                Tgi::tokens,
                Optional.of(
                    new Saturation(
                        scope ->
                            Pods.sum(
                                "rate("
                                    + series(scope).of("tgi_request_generated_tokens_sum")
                                    + "[5m])"),
                        Tgi::waiting)))),
        List.of(
            "The queue is capped by --max-concurrent-requests (128): above it, TGI responds with"
                + " 429 and the value stops growing. Raise that limit, so that the demand is"
                + " visible.",
            "Without the label model, the query sums all models of the namespace.",
            "Before the first request after a start there are no series: the metric is then"
                + " unknown, not 0.",
            "tgi_request_count is not used, because it counts chat requests twice.",
            "Tokens are counted when a request finishes, so that the value lags by the duration of"
                + " a request."));
  }

  private static Series series(PresetScope scope) {
    return Series.labelled("model", scope);
  }

  private static String tokens(PresetScope scope) {
    return Pace.tokens(
        "sum(rate(%s[5m]))".formatted(series(scope).of("tgi_request_generated_tokens_sum")),
        "sum(%s)".formatted(series(scope).named(PRESENT)),
        "sum(%s)".formatted(series(scope).of("tgi_batch_current_size")));
  }

  private static String waiting(PresetScope scope) {
    return Pods.sum(series(scope).of("tgi_queue_size"));
  }
}
