package io.prescale.controller.demand.preset;

import io.prescale.controller.demand.preset.PresetQuery.Saturation;
import java.time.Duration;

/**
 * Queries for the capacity of one replica: the demand that each carried while work waited for it.
 * Only then is a replica full; at other times its demand says nothing about its capacity.
 *
 * @param full subquery with one series per replica, restricted to times with waiting work
 * @param any the same subquery without that restriction
 */
record CapacityQueries(String full, String any) {
  static CapacityQueries of(
      Saturation saturation, PresetScope scope, Duration window, Duration resolution) {
    var carried = saturation.carried().promql(scope);
    var range = "[%ds:%ds]".formatted(window.toSeconds(), resolution.toSeconds());
    return new CapacityQueries(
        "(%s and (%s > 0))%s".formatted(carried, saturation.waiting().promql(scope), range),
        "(%s)%s".formatted(carried, range));
  }

  /**
   * The 90 % quantile of the median replica, which is robust against outlying replicas and minutes.
   */
  String typical() {
    return "quantile(0.5, %s)".formatted(highOfEach());
  }

  String lowest() {
    return "min(%s)".formatted(highOfEach());
  }

  String highest() {
    return "max(%s)".formatted(highOfEach());
  }

  /** The number of samples with a full replica, summed over replicas. */
  String points() {
    return "sum(count_over_time(%s))".formatted(full);
  }

  /** The number of replicas that were full at any time. */
  String replicas() {
    return "count(count_over_time(%s))".formatted(full);
  }

  /** The highest demand that a replica carried, full or not. */
  String mostSeen() {
    return "max(max_over_time(%s))".formatted(any);
  }

  private String highOfEach() {
    return "quantile_over_time(0.9, %s)".formatted(full);
  }
}
