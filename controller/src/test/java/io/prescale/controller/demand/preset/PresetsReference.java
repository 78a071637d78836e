package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import java.time.Duration;
import java.util.Optional;

/** Generates the reference of the presets. */
public final class PresetsReference {
  private static final PresetScope SCOPE =
      new PresetScope(Optional.of("MODEL"), Optional.of("NAMESPACE"));

  private static final String HEAD =
      """
      # Presets

      <!-- Generated from io.prescale.controller.demand.preset; renew with
      RENEWAL -->

      A preset is a query for the demand of a model server: present work, running or waiting. A utilisation does
      not show demand, because it is the same at capacity and at twice the capacity; `dcgm` below has that
      limitation. In a PredictiveHPA:

      ```yaml
      metrics:
      - name: chat-requests
        preset: vllm
        model: meta-llama/Llama-3.1-8B-Instruct   # default: the sum of all models in the namespace
        namespace: inference                      # default: the PredictiveHPA's own
        signal: Requests                          # or Tokens
        target:
          averageValue: "180"
      ```

      `prescale preset NAME --model MODEL --namespace NAMESPACE` prints the query. Prometheus must attach the
      labels `namespace` and `pod` to its targets, as the Prometheus operator does. No series means unknown, not
      0: a server that is not scraped need not be idle. Where an administrator lets queries find only series of
      their own namespace ([security](../security.md#which-series-are-found)), `namespace` can be no other.

      ## Capacity of one replica

      `prescale preset NAME --capacity --prometheus URL` looks for times at which work waited for a replica,
      which is then full. It proposes the 90 % quantile of the demand that the median replica carried at such
      times, and reports how long and on how many replicas this was observed. The confidence is high from two
      hours on at least two replicas that differ by less than half, medium from half an hour, and low below that.
      If no replica was ever full, it proposes nothing. No proposal is applied automatically: you write it into
      `target.averageValue`.
      """;

  private PresetsReference() {}

  /** The reference as Markdown. */
  public static String markdown() {
    var text = new StringBuilder(HEAD.replace("RENEWAL", GeneratedCrd.RENEWAL));
    for (var preset : Presets.all()) {
      text.append("\n## `%s`\n\n%s.\n\n".formatted(preset.name().text(), preset.server()));
      text.append("`model` selects %s.\n".formatted(preset.modelSelects()));
      append("Requests", preset.requests(), text);
      preset.tokens().ifPresent(tokens -> append("Tokens", tokens, text));
      text.append("\nPitfalls:\n\n");
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
                    "\nDemand that one replica carries:\n\n```promql\n%s\n```\n"
                        .formatted(capacity.typical())));
  }
}
