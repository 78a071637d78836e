package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.demand.preset.PresetQuery.Saturation;
import java.util.List;
import java.util.Optional;

/** SGLang, which repeats its series per rank and priority. */
final class Sglang {
  /**
   * With priorities, the series with an empty priority is the total; without, the label is absent.
   */
  private static final String TOTAL = "priority=\"\"";

  private Sglang() {}

  static Preset preset() {
    return new Preset(
        PresetName.SGLANG,
        "SGLang (metrics of 0.4.10 to 0.5.23; port 30000, only with --enable-metrics)",
        "the label model_name",
        new PresetQuery(
            "running and waiting requests, including those waiting for a grammar, of all"
                + " data-parallel ranks and pods",
            "requests",
            Sglang::present,
            Optional.of(new Saturation(Sglang::runningByPod, Sglang::waitingByPod))),
        Optional.of(
            new PresetQuery(
                "tokens decoded per second, plus those that the waiting requests would add at the"
                    + " pace of the running ones (from 0.5.6 on)",
                "tokens/s",
                Sglang::tokens,
                Optional.of(
                    new Saturation(
                        scope -> Pods.sum(eachRankOnce(decoded(scope))), Sglang::waitingByPod)))),
        Optional.of(Sglang::presentByPod),
        List.of(
            "Metrics are disabled unless the server runs with --enable-metrics.",
            "Every pipeline stage, and with --enable-metrics-for-all-schedulers every tensor rank,"
                + " reports the same queue: the inner max counts it once, but counts data-parallel"
                + " ranks separately.",
            "With priorities, the query selects only the total, which has an empty priority.",
            "Running requests are capped by --max-running-requests or the token pool; the queue"
                + " keeps growing.",
            "Values are updated every 40 decode steps, and every 30 s when idle: do not choose a"
                + " step below 15 s.",
            "With disaggregated prefill and decode, both count the same request: scale each by a"
                + " query of your own with engine_type."));
  }

  private static Series series(PresetScope scope) {
    return Series.labelled("model_name", scope);
  }

  private static String present(PresetScope scope) {
    return "sum(%s)".formatted(presentOnce(scope));
  }

  private static String presentByPod(PresetScope scope) {
    return "sum by (pod) (%s)".formatted(presentOnce(scope));
  }

  private static String presentOnce(PresetScope scope) {
    var present = series(scope).named("sglang:num_(running|queue|grammar_queue)_reqs", TOTAL);
    return "max by (__name__,model_name,%s,engine_type,dp_rank) (%s)"
        .formatted(Pods.LABELS, present);
  }

  private static String eachRankOnce(String expression) {
    return "max by (model_name,%s,engine_type,dp_rank) (%s)".formatted(Pods.LABELS, expression);
  }

  private static String decoded(PresetScope scope) {
    return "rate(%s[2m])"
        .formatted(series(scope).of("sglang:realtime_tokens_total", "mode=\"decode\""));
  }

  private static String running(PresetScope scope) {
    return eachRankOnce(series(scope).of("sglang:num_running_reqs", TOTAL));
  }

  private static String tokens(PresetScope scope) {
    return Pace.tokens(
        "sum(%s)".formatted(eachRankOnce(decoded(scope))),
        present(scope),
        "sum(%s)".formatted(running(scope)));
  }

  private static String runningByPod(PresetScope scope) {
    return Pods.sum(running(scope));
  }

  private static String waitingByPod(PresetScope scope) {
    return Pods.sum(eachRankOnce(series(scope).of("sglang:num_queue_reqs", TOTAL)));
  }
}
