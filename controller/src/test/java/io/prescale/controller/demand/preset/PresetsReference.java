package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import java.time.Duration;
import java.util.Optional;

/** The reference of the presets for people. */
public final class PresetsReference {
  private static final PresetScope SCOPE =
      new PresetScope(Optional.of("MODEL"), Optional.of("NAMESPACE"));

  private static final String HEAD =
      """
      # Presets

      <!-- Generated from io.prescale.controller.demand.preset; renew with
      RENEWAL -->

      A preset is a query for the demand of a model server: work that is present, running or waiting. A
      utilisation is none, because it looks the same at the capacity and at twice the capacity; what `dcgm`
      cannot see is said there. In a PredictiveHPA:

      ```yaml
      metrics:
      - name: chat-requests
        preset: vllm
        model: meta-llama/Llama-3.1-8B-Instruct   # without it: all models of the namespace, added up
        namespace: inference                      # without it: the PredictiveHPA's own
        signal: Requests                          # or Tokens
        target:
          averageValue: "180"
      ```

      `prescale preset NAME --model MODEL --namespace NAMESPACE` prints the query. Prometheus must attach the
      labels `namespace` and `pod` to its targets, as the Prometheus operator does. No series means unknown, never
      0: a server that is not scraped is not idle.

      ## What one replica carries

      `prescale preset NAME --capacity --prometheus URL` looks for times at which work waited for a replica: it is
      full then. It proposes the median replica's 90 % quantile of what was carried at such times, says how long
      and on how many replicas that was seen, and how far to trust it: high from two hours on at least two
      replicas that differ by less than half, medium from half an hour, low below. Where no replica was ever full
      it proposes nothing. Nothing uses a proposal by itself: you write it into `target.averageValue`.
      """;

  private PresetsReference() {}

  /** As Markdown. */
  public static String markdown() {
    var text = new StringBuilder(HEAD.replace("RENEWAL", GeneratedCrd.RENEWAL));
    for (var preset : Presets.all()) {
      text.append("\n## `%s`\n\n%s.\n\n".formatted(preset.name().text(), preset.server()));
      text.append("`model` selects %s.\n".formatted(preset.modelSelects()));
      append("Requests", preset.requests(), text);
      preset.tokens().ifPresent(tokens -> append("Tokens", tokens, text));
      text.append("\nTraps:\n\n");
      preset.traps().forEach(trap -> text.append("- ").append(trap).append('\n'));
    }
    return text.toString();
  }

  private static void append(String signal, PresetQuery query, StringBuilder text) {
    text.append(
        "\n### `%s`: %s\n\nMeasures %s.\n\n```promql\n%s\n```\n"
            .formatted(signal, query.unit(), query.measures(), query.demand().promql(SCOPE)));
    query
        .saturation()
        .map(
            saturation ->
                CapacityQueries.of(saturation, SCOPE, Duration.ofDays(7), Duration.ofMinutes(1)))
        .ifPresent(
            capacity ->
                text.append(
                    "\nWhat one replica carries:\n\n```promql\n%s\n```\n"
                        .formatted(capacity.typical())));
  }
}
