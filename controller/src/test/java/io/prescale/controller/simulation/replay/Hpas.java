package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** Simulated HPAs whose target is 1 per replica, and what they do sync by sync. */
final class Hpas {

  static final Duration COLD_START = Duration.ofMinutes(1);

  private Hpas() {}

  static HpaSimulation hpa(HpaRules rules, int initialReplicas) {
    return new HpaSimulation(
        rules, 1, new ColdStart.Constant(COLD_START), initialReplicas, seeded());
  }

  static SplittableRandom seeded() {
    return new SplittableRandom(1);
  }

  /** Scale-down without a stabilization window. */
  static HpaRules immediate(HpaRules rules) {
    var down =
        new ScalingRules(
            Duration.ZERO,
            rules.scaleDown().tolerance(),
            Selection.MAX,
            rules.scaleDown().policies());
    return rules.withBehavior(rules.scaleUp(), down);
  }

  static double[] repeat(double metric, int syncs) {
    return Collections.nCopies(syncs, metric).stream().mapToDouble(Double::doubleValue).toArray();
  }

  static List<Integer> currentAfterEach(HpaSimulation hpa, double... metrics) {
    return Arrays.stream(metrics)
        .mapToObj(
            metric -> {
              hpa.sync(metric);
              return hpa.currentReplicas();
            })
        .toList();
  }

  static List<Integer> readyAfterEach(HpaSimulation hpa, double... metrics) {
    return Arrays.stream(metrics)
        .mapToObj(
            metric -> {
              hpa.sync(metric);
              return hpa.readyReplicas();
            })
        .toList();
  }
}
