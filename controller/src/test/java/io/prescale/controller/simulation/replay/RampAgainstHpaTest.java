package io.prescale.controller.simulation.replay;

import static io.prescale.controller.simulation.replay.Hpas.hpa;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How fast policies are said to let replicas grow, beside an HPA that asks for as many as it may.
 */
class RampAgainstHpaTest {
  private static final int MOST = 500;

  /**
   * Four pods in 15 s and as many again in a minute: the minute allows 20 once the first is over.
   */
  @Test
  void ofSeveralPoliciesTheSlowestCountsWhenMinIsSelected() {
    var rules =
        scaleUp(
            Selection.MIN,
            List.of(
                ScalingPolicy.pods(4, Duration.ofSeconds(15)),
                ScalingPolicy.percent(100, Duration.ofMinutes(1))));

    assertThat(rules.timeToReach(10, 20)).isEqualTo(Duration.ofSeconds(30));
    assertThat(rules.timeToReach(10, 22)).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void replicasGrowAtTheTimesAtWhichAnHpaLetsThem() {
    var random = new SplittableRandom(20261128);
    for (int draw = 0; draw < 300; draw++) {
      var scaleUp = draw(random);
      int from = random.nextInt(1, 40);
      var hpa =
          hpa(HpaRules.defaults().withBehavior(scaleUp, ScalingRules.defaultScaleDown()), from);
      int before = from;
      for (int sync = 0; sync < 240 && before < MOST; sync++) {
        hpa.sync(10.0 * MOST);
        int now = hpa.currentReplicas();
        if (now > before) {
          assertThat(scaleUp.timeToReach(from, before + 1))
              .as("draw %d: %s from %d to %d", draw, scaleUp, from, now)
              .isEqualTo(scaleUp.timeToReach(from, now))
              .isEqualTo(Duration.ofSeconds(15L * sync));
        }
        before = now;
      }
    }
  }

  private static ScalingRules draw(SplittableRandom random) {
    var policies = Stream.generate(() -> policy(random)).limit(random.nextInt(1, 4)).toList();
    return scaleUp(random.nextBoolean() ? Selection.MIN : Selection.MAX, policies);
  }

  private static ScalingPolicy policy(SplittableRandom random) {
    var period = Duration.ofSeconds(15L * random.nextInt(1, 13));
    return random.nextBoolean()
        ? ScalingPolicy.pods(random.nextInt(1, 9), period)
        : ScalingPolicy.percent(random.nextInt(10, 200), period);
  }

  private static ScalingRules scaleUp(Selection selection, List<ScalingPolicy> policies) {
    return new ScalingRules(Duration.ZERO, 0.1, selection, policies);
  }
}
