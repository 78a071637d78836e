package io.prescale.controller.demand.preset;

import io.prescale.controller.demand.preset.PresetQuery.Saturation;
import java.time.Duration;

/**
 * What to ask Prometheus for the capacity of one replica: what each carried while work waited for
 * it. Replicas are full then; what they carry at other times says nothing.
 *
 * @param full subquery with one series for each replica, only at times at which work waited
 * @param any subquery of the same at all times
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

  /** The median replica's 90 % quantile, so that neither one odd replica nor one minute decides. */
  String typical() {
    return "quantile(0.5, %s)".formatted(highOfEach());
  }

  String lowest() {
    return "min(%s)".formatted(highOfEach());
  }

  String highest() {
    return "max(%s)".formatted(highOfEach());
  }

  /** Points in time at which a replica was full, over all replicas. */
  String points() {
    return "sum(count_over_time(%s))".formatted(full);
  }

  /** Replicas that were full at any time. */
  String replicas() {
    return "count(count_over_time(%s))".formatted(full);
  }

  /** The most that a replica ever carried, full or not. */
  String mostSeen() {
    return "max(max_over_time(%s))".formatted(any);
  }

  private String highOfEach() {
    return "quantile_over_time(0.9, %s)".formatted(full);
  }
}
