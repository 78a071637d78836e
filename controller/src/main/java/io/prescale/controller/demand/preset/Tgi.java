package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import java.util.List;
import java.util.Optional;

/** Hugging Face's Text Generation Inference. */
final class Tgi {

  private static final ServerMetrics METRICS =
      new ServerMetrics(
          scope -> series(scope).named("tgi_(queue_size|batch_current_size)"),
          scope -> series(scope).of("tgi_batch_current_size"),
          scope -> series(scope).of("tgi_queue_size"),
          scope -> "rate(%s[5m])".formatted(series(scope).of("tgi_request_generated_tokens_sum")));

  private Tgi() {}

  static Preset preset() {
    return new Preset(
        PresetName.TGI,
        "Text Generation Inference 3 (port 3000, in its image 80; on by default)",
        "the label model, which TGI does not set: add it by relabelling, from a label of the pods",
        METRICS.requests("requests in the batch and in the queue of all pods"),
        Optional.of(
            METRICS.tokens(
                "tokens of finished requests per second, plus those that the waiting requests would"
                    + " add at the pace of the running ones")),
        Optional.of(METRICS.workByPod()),
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
}
