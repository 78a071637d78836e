package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.DeadBand;
import io.prescale.controller.autoscaling.Forecasts;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.ReplicaChoice;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is chosen is what an HPA that reads it does, whatever its tolerance. */
class ReplicaChoiceAgainstHpaTest {

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1})
  void anHpaGoesWhereTheBudgetDecides(double tolerance) {
    var random = new SplittableRandom(5);
    int moved = 0;
    for (int round = 0; round < 5000; round++) {
      int current = 1 + random.nextInt(60);
      double capacity = 1 + 20 * random.nextDouble();
      var choice = new ReplicaChoice(capacity, new DeadBand(tolerance, tolerance));
      var decision =
          choice.withBudget(
              Forecasts.random(random),
              300 * random.nextDouble(),
              current,
              Math.exp(8 * random.nextDouble()));
      var hpa = hpa(tolerance, capacity, current);
      hpa.sync(decision.servedValue().orElseThrow());
      assertThat(hpa.currentReplicas())
          .as("round %d: %s from %d", round, decision, current)
          .isEqualTo(decision.desiredReplicas());
      moved += hpa.currentReplicas() == current ? 0 : 1;
    }
    assertThat(moved).isGreaterThan(2500);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1})
  void anHpaHasAtLeastWhatTheShortageCostAsksFor(double tolerance) {
    var random = new SplittableRandom(6);
    for (int round = 0; round < 5000; round++) {
      int current = 1 + random.nextInt(60);
      var choice = new ReplicaChoice(10, new DeadBand(tolerance, tolerance));
      var forecast = Forecasts.random(random);
      var cost = new Risk.ShortageCost(1.1 + 50 * random.nextDouble());
      var decision = choice.withShortageCost(forecast, 0, current, cost);
      var hpa = hpa(tolerance, 10, current);
      hpa.sync(decision.servedValue().orElseThrow());
      double enough = 10 * (hpa.currentReplicas() + 0.001); // see ReplicaChoice
      assertThat(forecast.exceedance(enough))
          .as("round %d: %s from %d", round, decision, current)
          .isLessThanOrEqualTo(1 / cost.idleReplicas());
    }
  }

  /** Without stabilization and limits on the change. */
  private static HpaSimulation hpa(double tolerance, double capacity, int replicas) {
    var rules =
        new ScalingRules(
            Duration.ZERO,
            tolerance,
            Selection.MAX,
            List.of(ScalingPolicy.pods(100_000, Duration.ofSeconds(15))));
    return new HpaSimulation(
        HpaRules.defaults().withBehavior(rules, rules),
        capacity,
        new ColdStart.Constant(Duration.ZERO),
        replicas,
        new SplittableRandom(1));
  }
}
