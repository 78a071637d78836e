package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.prescale.controller.operator.hpa.HpaWish.Keeper;
import java.util.Collection;
import java.util.Optional;

/** Finds the HPA that acts on the metrics of a PredictiveHPA, its own or another's. */
public final class HpaInForce {
  private HpaInForce() {}

  /**
   * That HPA; empty while there is none.
   *
   * @param existing the HPAs that {@link HpaIndex} finds for the wish, or more of its namespace
   */
  public static Optional<HorizontalPodAutoscaler> of(
      HpaWish wish, Collection<HorizontalPodAutoscaler> existing) {
    return wish.keeper() == Keeper.PRESCALE
        ? existing.stream().filter(hpa -> HpaPlanner.isKept(hpa, wish)).findFirst()
        : new ForeignHpa(wish, existing).reading();
  }

  /**
   * How a sentence about it begins.
   *
   * @param inForce that HPA
   */
  public static String called(HpaWish wish, Optional<HorizontalPodAutoscaler> inForce) {
    if (wish.keeper() == Keeper.PRESCALE) {
      return "The HPA";
    }
    var name = inForce.map(it -> " " + it.getMetadata().getName()).orElse("");
    return wish.keeper() == Keeper.KEDA
        ? "KEDA's HorizontalPodAutoscaler" + name
        : "Your HorizontalPodAutoscaler" + name;
  }
}
