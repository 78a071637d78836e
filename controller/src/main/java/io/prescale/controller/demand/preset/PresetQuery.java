package io.prescale.controller.demand.preset;

import java.util.Optional;

/**
 * The query for one kind of demand.
 *
 * @param measures what the value is, as a phrase
 * @param unit the unit of the value and of the target
 * @param demand the demand of the whole workload: one series, or none while it is unknown
 * @param saturation the queries for the capacity of a replica; empty if no metric shows saturation
 * @param series the number of series behind the demand; empty if that is one sum, whose series can
 *     be counted
 */
public record PresetQuery(
    String measures,
    String unit,
    Template demand,
    Optional<Saturation> saturation,
    Optional<Template> series) {
  /** A query that is one sum. */
  PresetQuery(String measures, String unit, Template demand, Optional<Saturation> saturation) {
    this(measures, unit, demand, saturation, Optional.empty());
  }

  /** A query without its selectors. */
  @FunctionalInterface
  public interface Template {
    /** The PromQL expression for a scope. */
    String promql(PresetScope scope);
  }

  /**
   * Queries that show when a replica is full and what it carries.
   *
   * @param carried one series per replica, in the unit of the demand
   * @param waiting one series per replica, above 0 while work waits for it
   */
  public record Saturation(Template carried, Template waiting) {}
}
