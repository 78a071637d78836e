package io.prescale.placement.ledger;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.preference.Policy;
import java.util.List;

/** The requests by which fragmentation is measured when future requests are unknown. */
public final class UsualWorkload {
  private UsualWorkload() {}

  /** The usual mix of requests: shares, cards, and whole machines. */
  public static TargetWorkload shares() {
    return new TargetWorkload(
        List.of(
            taskClass(1, new GpuDemand.Fraction(250), 3),
            taskClass(1, new GpuDemand.Fraction(500), 3),
            taskClass(1, GpuDemand.WholeGpu.ANY, 3),
            taskClass(4, GpuDemand.WholeGpu.ANY, 1),
            taskClass(8, GpuDemand.WholeGpu.ANY, 1)));
  }

  /** A placer by Prescale's own policy, for this mix; it remembers the verdicts on one cluster. */
  public static Placer placer() {
    var linkedCards = new LinkedCards();
    return new Placer(Policy.prescale(new Fragmentation(shares()), linkedCards), linkedCards);
  }

  private static TaskClass taskClass(int cards, GpuDemand demand, int weight) {
    return new TaskClass(HostDemand.NONE.cpuMilli(), cards, demand, CardSelector.ANY, weight);
  }
}
