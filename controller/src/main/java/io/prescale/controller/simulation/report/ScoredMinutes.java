package io.prescale.controller.simulation.report;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.Tick;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Figures derived from the minutes of a replay. */
final class ScoredMinutes {

  private static final double ROUNDING = 1e-9;

  /** Minutes from (inclusive) to (exclusive), counted from the start of the trace. */
  record Stretch(int from, int to) {}

  private final ReplaySettings settings;
  private final int from;
  private final int to;

  ScoredMinutes(ReplayResult result) {
    this.settings = result.settings();
    this.from = result.trace().scoredFrom();
    this.to = result.trace().minutes();
  }

  /** The replicas needed to carry the demand, and at least the minimum of the HPA. */
  int needed(double demand) {
    return Math.max(
        HpaRules.replicasFor(demand, settings.capacityPerReplica()),
        settings.rules().minReplicas());
  }

  /**
   * The stretches in which observed demand exceeded the capacity of the replicas ready at the end
   * of the minute.
   */
  List<Stretch> overloaded(PolicyRun run) {
    var stretches = new ArrayList<Stretch>();
    for (int i = from; i < to; i++) {
      int start = i;
      while (i < to && isOverloaded(run.ticks().get(i))) {
        i++;
      }
      if (i > start) {
        stretches.add(new Stretch(start, i));
      }
    }
    return stretches;
  }

  private boolean isOverloaded(Tick tick) {
    return tick.observed().isPresent()
        && tick.observed().getAsDouble() / settings.capacityPerReplica()
            > tick.readyReplicas() + ROUNDING;
  }

  /**
   * The highest demand in the window forecast at a minute; empty if part of it was not observed or
   * lies past the end.
   */
  OptionalDouble windowMaximum(List<Tick> ticks, int minute) {
    int begin = minute + settings.leadMinutes();
    if (begin + settings.windowMinutes() > ticks.size()) {
      return OptionalDouble.empty();
    }
    double highest = Double.NEGATIVE_INFINITY;
    for (Tick tick : ticks.subList(begin, begin + settings.windowMinutes())) {
      if (tick.observed().isEmpty()) {
        return OptionalDouble.empty();
      }
      highest = Math.max(highest, tick.observed().getAsDouble());
    }
    return OptionalDouble.of(highest);
  }
}
