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
        "the label model, which TGI does not have: attach it by relabelling, from a label of the"
            + " pods",
        new PresetQuery(
            "requests in the batch and requests in the queue, of all pods",
            "requests",
            scope -> "sum(%s)".formatted(series(scope).named(PRESENT)),
            Optional.of(
                new Saturation(
                    scope -> Pods.sum(series(scope).of("tgi_batch_current_size")), Tgi::waiting))),
        Optional.of(
            new PresetQuery(
                "tokens of finished requests a second, and those that the waiting requests would"
                    + " take at the pace of the running ones",
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
            "The queue ends at --max-concurrent-requests (128): beyond, TGI answers 429 and the"
                + " value stays. Raise that limit, so that demand can be seen.",
            "Without the label model, all models of the namespace are added up.",
            "After a start nothing is there until the first request: the metric is then unknown,"
                + " not 0.",
            "tgi_request_count counts chat requests twice; it is not used.",
            "Tokens are counted when a request ends, so that the value lags by a request's"
                + " length."));
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
