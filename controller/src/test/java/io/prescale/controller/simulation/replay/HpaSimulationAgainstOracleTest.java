package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.HpaRules.FailedSync;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HpaSimulationAgainstOracleTest {

  private static final int SYNCS = 300;

  /** 200 random HPAs, each under a random metric with jumps, plateaus and outages. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void doesWhatTheRulesSay(long seed) {
    var random = new SplittableRandom(seed);
    for (int scenario = 0; scenario < 50; scenario++) {
      HpaRules rules = rules(random);
      ColdStart coldStart = coldStart(random);
      double target = Math.exp(random.nextGaussian());
      int initial = rules.minReplicas() + random.nextInt(5);
      long coldStarts = random.nextLong();
      var hpa =
          new HpaSimulation(rules, target, coldStart, initial, new SplittableRandom(coldStarts));
      var oracle =
          new HpaOracle(rules, target, coldStart, initial, new SplittableRandom(coldStarts));
      double load = 5;
      for (int sync = 0; sync < SYNCS; sync++) {
        load = nextLoad(load, random);
        double metric = random.nextInt(12) == 0 ? Double.NaN : load * target;
        hpa.sync(metric);
        oracle.sync(metric);
        assertThat(List.of(hpa.currentReplicas(), hpa.readyReplicas()))
            .as("seed %d, scenario %d, sync %d, %s, %s", seed, scenario, sync, rules, coldStart)
            .containsExactly(oracle.currentReplicas(), oracle.readyReplicas());
      }
    }
  }

  private static double nextLoad(double load, SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0 -> random.nextDouble(0, 60);
      case 1, 2, 3, 4 -> Math.max(0, load + 3 * random.nextGaussian());
      default -> load;
    };
  }

  private static HpaRules rules(SplittableRandom random) {
    int min = 1 + random.nextInt(3);
    return new HpaRules(
        Duration.ofSeconds(random.nextBoolean() ? 15 : 10),
        direction(random),
        direction(random),
        min,
        min + 10 + random.nextInt(60),
        random.nextBoolean() ? FailedSync.LEAVES_NOTHING : FailedSync.RECOMMENDS_CURRENT);
  }

  private static ScalingRules direction(SplittableRandom random) {
    var policies = new ArrayList<ScalingPolicy>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      var period = Duration.ofSeconds(5 + random.nextInt(120));
      policies.add(
          random.nextBoolean()
              ? ScalingPolicy.pods(1 + random.nextInt(8), period)
              : ScalingPolicy.percent(1 + random.nextInt(150), period));
    }
    return new ScalingRules(
        Duration.ofSeconds(random.nextInt(3) == 0 ? 0 : random.nextInt(400)),
        0.01 * random.nextInt(30),
        selection(random),
        policies);
  }

  private static Selection selection(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> Selection.DISABLED;
      case 1, 2, 3 -> Selection.MIN;
      default -> Selection.MAX;
    };
  }

  private static ColdStart coldStart(SplittableRandom random) {
    var p50 = Duration.ofSeconds(random.nextInt(200));
    var p90 = p50.plusSeconds(random.nextInt(200));
    return switch (random.nextInt(3)) {
      case 0 -> new ColdStart.Constant(p50);
      case 1 -> new ColdStart.Uniform(p50, p90);
      default -> new ColdStart.LogNormal(p50.plusSeconds(1), p90.plusSeconds(1));
    };
  }
}
