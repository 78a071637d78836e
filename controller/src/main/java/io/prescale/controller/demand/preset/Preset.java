package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.api.v1alpha1.PresetSignal;
import io.prescale.controller.demand.preset.PresetQuery.Template;
import java.util.List;
import java.util.Optional;

/**
 * The queries for one model server, and their pitfalls.
 *
 * @param server its name, with the versions whose metrics were examined
 * @param modelSelects what the name of a model selects
 * @param requests the number of present requests
 * @param tokens the tokens per second that those requests need; empty if the server has no such
 *     metric
 * @param workByPod one series for each pod, with the label {@code pod}: its present requests; empty
 *     if the metrics are not those of the pods that do the work
 * @param traps the pitfalls: at least three things that can make the value wrong, each with a
 *     remedy
 */
public record Preset(
    PresetName name,
    String server,
    String modelSelects,
    PresetQuery requests,
    Optional<PresetQuery> tokens,
    Optional<Template> workByPod,
    List<String> traps) {
  public Preset {
    traps = List.copyOf(traps);
  }

  /** The query for a signal. */
  public Optional<PresetQuery> query(PresetSignal signal) {
    return switch (signal) {
      case Requests -> Optional.of(requests);
      case Tokens -> tokens;
    };
  }
}
