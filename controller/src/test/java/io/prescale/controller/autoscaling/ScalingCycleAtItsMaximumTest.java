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

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cycle learns from shortages that it may not, or cannot prevent: nothing. */
class ScalingCycleAtItsMaximumTest {
  @ParameterizedTest(name = "at most {0}")
  @ValueSource(ints = {10, 20})
  void aShortageDoesNotCountWhereReplicasAreNotAllowedOrDoNotServe(int most) {
    var rules = HpaRules.defaults().withReplicas(1, most);
    var cycle = ScalingCycles.cycle(settings(Duration.ofMinutes(1)).withHpa(rules));
    cycle.learn("requests", series(START.minus(Duration.ofDays(3)), wave(3 * DAY, DAY, 8)));
    for (int minute = 1; minute <= DAY; minute++) {
      scaledTick(cycle, most, minute);
    }

    assertThat(scaledTick(cycle, most, DAY + 1).missedBudget()).isEmpty();
  }

  /** Ten replicas are ready where fifteen are needed, and as many as may be are asked for. */
  private static MetricResult scaledTick(ScalingCycle cycle, int most, int minute) {
    var state =
        new ReplicaState(most, 10, LeadTime.declared(LEAD), ScalingCycles.scaled(most, LEAD).hpa());
    return Ticks.tick(cycle, at(minute), reading(at(minute), 150), state).metrics().getFirst();
  }
}
