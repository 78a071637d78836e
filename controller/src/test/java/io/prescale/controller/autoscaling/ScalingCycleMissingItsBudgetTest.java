package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.DAY;
import static io.prescale.controller.autoscaling.ScalingCycles.LEAD;
import static io.prescale.controller.autoscaling.ScalingCycles.START;
import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static io.prescale.controller.autoscaling.ScalingCycles.reading;
import static io.prescale.controller.autoscaling.ScalingCycles.series;
import static io.prescale.controller.autoscaling.ScalingCycles.settings;
import static io.prescale.controller.autoscaling.ScalingCycles.wave;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bursts without any warning, more than the budget covers. */
class ScalingCycleMissingItsBudgetTest {
  private static final int LEAD_MINUTES = Math.toIntExact(LEAD.toMinutes());
  private static final int KNOWN = 3 * DAY;

  @Test
  void whatKeepingItWouldCostIsSaidWhateverTheReasonOfTheMoment() {
    var risk = new Risk.Budget(0.005, 2, new StartCost(20));
    var cycle = ScalingCycles.cycle(settings(Duration.ofMinutes(1)).withRisk(risk));
    double[] demand = wave(KNOWN + 2 * DAY, DAY, 8);
    burst(demand);
    cycle.learn("requests", series(START.minus(Duration.ofDays(3)), Arrays.copyOf(demand, KNOWN)));

    int[] desired = new int[2 * DAY + 1];
    Arrays.fill(desired, 15);
    var reasons = EnumSet.noneOf(Reason.class);
    for (int minute = 1; minute <= 2 * DAY; minute++) {
      int ready = desired[Math.max(0, minute - LEAD_MINUTES)];
      int current = Math.max(ready, desired[minute - 1]);
      var state =
          new ReplicaState(
              current, ready, LeadTime.declared(LEAD), ScalingCycles.scaled(current, LEAD).hpa());
      var read = reading(at(minute), demand[KNOWN + minute - 1]);
      var result = Ticks.tick(cycle, at(minute), read, state);
      desired[minute] = result.desiredReplicas().orElse(current);
      if (minute > 2 * DAY - 6 * 60) {
        var decision = result.explanation().orElseThrow();
        reasons.add(decision.reason());
        assertThat(decision.missedBudget())
            .as("minute %d: %s", minute, decision.reason())
            .isPresent();
      }
    }

    assertThat(reasons).contains(Reason.FORECAST, Reason.KEPT);
  }

  /** For four minutes in every hour, demand is three times as high. */
  private static void burst(double[] demand) {
    var random = new SplittableRandom(5);
    for (int hour = 0; hour + 60 <= demand.length; hour += 60) {
      int begin = hour + random.nextInt(56);
      for (int i = begin; i < begin + 4; i++) {
        demand[i] *= 3;
      }
    }
  }
}
