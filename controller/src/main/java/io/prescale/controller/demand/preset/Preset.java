package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.api.v1alpha1.PresetSignal;
import java.util.List;
import java.util.Optional;

/**
 * What is known about the metrics of one server.
 *
 * @param server as its makers call it, with the versions whose metrics were looked at
 * @param modelSelects what a model's name selects
 * @param requests how many requests are present
 * @param tokens how many tokens a second those requests would take; empty where that is not told
 * @param traps what can make the value wrong, each with what to do
 */
public record Preset(
    PresetName name,
    String server,
    String modelSelects,
    PresetQuery requests,
    Optional<PresetQuery> tokens,
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
