package io.prescale.controller.demand.preset;

import io.prescale.controller.demand.preset.PresetQuery.Saturation;
import io.prescale.controller.demand.preset.PresetQuery.Template;
import java.util.Optional;

/**
 * What a server of language models counts, and the queries that follow from it.
 *
 * @param present running and waiting requests
 * @param running requests that are being answered
 * @param waiting requests that wait for the server
 * @param generated tokens per second
 */
record ServerMetrics(Template present, Template running, Template waiting, Template generated) {
  /** The query for the number of present requests. */
  PresetQuery requests(String measures) {
    return new PresetQuery(
        measures, "requests", scope -> sum(present, scope), Optional.of(saturation()));
  }

  /** The present requests of each pod. */
  Template workByPod() {
    return scope -> "sum by (pod) (%s)".formatted(present.promql(scope));
  }

  /** The requests that a replica answers while others wait for it. */
  Saturation saturation() {
    return new Saturation(byPod(running), byPod(waiting));
  }

  /** The query for the tokens that all present requests would generate, see {@link Pace}. */
  PresetQuery tokens(String measures) {
    return new PresetQuery(
        measures,
        "tokens/s",
        scope -> Pace.tokens(sum(generated, scope), sum(present, scope), sum(running, scope)),
        Optional.of(new Saturation(byPod(generated), byPod(waiting))));
  }

  private static String sum(Template template, PresetScope scope) {
    return "sum(%s)".formatted(template.promql(scope));
  }

  private static Template byPod(Template template) {
    return scope -> Pods.sum(template.promql(scope));
  }
}
