package io.prescale.controller.demand.preset;

import java.util.Optional;

/**
 * One demand of a server.
 *
 * @param measures what the value is, as the rest of a sentence
 * @param unit of the value, and so of the target
 * @param demand the whole workload's; one series at most, none while nothing is known
 * @param saturation from which the capacity of a replica can be told; empty where nothing shows it
 */
public record PresetQuery(
    String measures, String unit, Template demand, Optional<Saturation> saturation) {

  /** A query but for the series that it selects. */
  @FunctionalInterface
  public interface Template {
    /** The PromQL expression for these series. */
    String promql(PresetScope scope);
  }

  /**
   * When a replica was full, and what it carried then.
   *
   * @param carried one series for each replica, in the unit of the demand
   * @param waiting one series for each replica, above 0 while work waits for it
   */
  public record Saturation(Template carried, Template waiting) {}
}
