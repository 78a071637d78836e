package io.prescale.controller.plan.cluster;

import io.prescale.controller.api.v1alpha1.PlanBounds;
import io.prescale.controller.api.v1alpha1.PlanDemand;
import io.prescale.controller.api.v1alpha1.PlanWorkload;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.Dependence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Demands as a status carries them. */
public final class WorkloadPlans {
  private static final double MILLI = 1000;

  private WorkloadPlans() {}

  /** A demand by quantile, in thousandths of a replica. */
  public static List<PlanDemand> demand(DemandAhead demand) {
    var quantiles = new ArrayList<PlanDemand>();
    for (int i = 0; i < demand.byLevel().size(); i++) {
      var milli = demand.byLevel().get(i).stream().map(it -> Math.round(it * MILLI)).toList();
      quantiles.add(new PlanDemand(DemandAhead.LEVELS.get(i), milli));
    }
    return quantiles;
  }

  /** How many replicas there may be. */
  public static List<PlanBounds> bounds(DemandAhead demand) {
    return demand.bounds().stream()
        .map(it -> new PlanBounds(it.steps(), it.fewest(), it.most()))
        .toList();
  }

  /**
   * The demand that a status carries.
   *
   * @throws IllegalArgumentException when it makes no sense
   */
  public static DemandAhead read(PlanWorkload workload, Instant from, Duration step) {
    return new DemandAhead(
        from,
        step,
        workload.demand().stream()
            .map(quantile -> quantile.milli().stream().map(it -> it / MILLI).toList())
            .toList(),
        workload.bounds().stream()
            .map(it -> new DemandAhead.Bounds(it.steps(), it.fewest(), it.most()))
            .toList());
  }

  /**
   * How the errors of workloads go together.
   *
   * @throws IllegalArgumentException when their ranks make no sense
   */
  public static Dependence dependence(List<PlanWorkload> workloads) {
    Map<String, List<Integer>> ranks = new TreeMap<>();
    for (var each : workloads) {
      if (!each.demand().isEmpty()) {
        ranks.put(each.name(), each.ranks());
      }
    }
    return new Dependence(ranks);
  }
}
