package io.prescale.controller.simulation.replay;

import static io.prescale.controller.simulation.replay.Hpas.currentAfterEach;
import static io.prescale.controller.simulation.replay.Hpas.hpa;
import static io.prescale.controller.simulation.replay.Hpas.immediate;
import static io.prescale.controller.simulation.replay.Hpas.readyAfterEach;
import static io.prescale.controller.simulation.replay.Hpas.repeat;
import static io.prescale.controller.simulation.replay.Hpas.seeded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.HpaRules.FailedSync;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each scenario was worked out by hand from the rules in Kubernetes' horizontal.go. */
class HpaSimulationTest {

  @Test
  void growsByFourPodsAndThenDoublesUntilTheMetricIsMet() {
    var hpa = hpa(HpaRules.defaults(), 1);

    assertThat(currentAfterEach(hpa, repeat(100, 7))).containsExactly(5, 10, 20, 40, 80, 100, 100);
  }

  @Test
  void aReplicaServesOneColdStartAfterItWasCreated() {
    var hpa = hpa(HpaRules.defaults(), 2);

    assertThat(readyAfterEach(hpa, repeat(3, 6))).containsExactly(2, 2, 2, 2, 3, 3);
    assertThat(hpa.currentReplicas()).isEqualTo(3);
  }

  @Test
  void aColdStartThatEndsBetweenTwoSyncsCountsFromTheSyncBefore() {
    var hpa =
        new HpaSimulation(
            HpaRules.defaults(), 1, new ColdStart.Constant(Duration.ofSeconds(44)), 2, seeded());

    assertThat(readyAfterEach(hpa, repeat(3, 4))).containsExactly(2, 2, 3, 3);
  }

  @ParameterizedTest
  @ValueSource(doubles = {9.1, 10, 10.9})
  void keepsWhatItHasWithinTheTolerance(double metric) {
    var hpa = hpa(immediate(HpaRules.defaults()), 10);

    assertThat(currentAfterEach(hpa, repeat(metric, 1))).containsExactly(10);
  }

  @Test
  void leavesTheToleranceInEitherDirection() {
    assertThat(currentAfterEach(hpa(HpaRules.defaults(), 10), repeat(11.2, 1))).containsExactly(12);
    assertThat(currentAfterEach(hpa(immediate(HpaRules.defaults()), 10), repeat(8.9, 1)))
        .containsExactly(9);
  }

  @Test
  void eachDirectionHasItsOwnTolerance() {
    var rules = immediate(HpaRules.defaults());
    rules =
        rules.withBehavior(rules.scaleUp().withTolerance(0), rules.scaleDown().withTolerance(0.3));

    assertThat(currentAfterEach(hpa(rules, 10), repeat(10.01, 1))).containsExactly(11);
    assertThat(currentAfterEach(hpa(rules, 10), repeat(7.1, 1))).containsExactly(10);
    assertThat(currentAfterEach(hpa(rules, 10), repeat(6.9, 1))).containsExactly(7);
  }

  @Test
  void anExactMultipleOfTheTargetNeedsNoReplicaMore() {
    var hpa =
        new HpaSimulation(
            HpaRules.defaults().withTolerance(0),
            0.1,
            new ColdStart.Constant(Hpas.COLD_START),
            1,
            seeded());

    hpa.sync(0.30000000000000004);

    assertThat(hpa.currentReplicas()).isEqualTo(3);
  }

  @Test
  void shrinksWhenFiveMinutesHaveAskedForLess() {
    var hpa = hpa(HpaRules.defaults(), 10);
    hpa.sync(10);

    assertThat(currentAfterEach(hpa, repeat(5, 20)))
        .containsExactly(
            10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 5);
  }

  @Test
  void shrinksToTheHighestRecommendationOfTheLastFiveMinutes() {
    var hpa = hpa(HpaRules.defaults(), 10);
    hpa.sync(10);
    hpa.sync(8);

    assertThat(currentAfterEach(hpa, repeat(5, 20))).endsWith(10, 8, 5).hasSize(20);
  }

  @Test
  void anUpwardWindowWaitsUntilItHasAskedForMoreThroughout() {
    var rules = HpaRules.defaults();
    var slowUp =
        new ScalingRules(Duration.ofMinutes(1), 0.1, Selection.MAX, rules.scaleUp().policies());
    var hpa = hpa(rules.withBehavior(slowUp, rules.scaleDown()), 2);
    hpa.sync(2);

    assertThat(currentAfterEach(hpa, 6, 4, 6, 6, 6)).containsExactly(2, 2, 2, 4, 4);
    assertThat(currentAfterEach(hpa, repeat(6, 1))).containsExactly(6);
  }

  @Test
  void anEarlierHigherRecommendationHoldsTheReplicasButDoesNotRaiseThem() {
    var hpa = hpa(HpaRules.defaults(), 1);

    assertThat(currentAfterEach(hpa, 20, 3, 3)).containsExactly(5, 5, 5);
  }

  @Test
  void pendingReplicasGoFirstAndTheNewestOfThemFirst() {
    var hpa =
        new HpaSimulation(
            immediate(HpaRules.defaults()),
            1,
            new ColdStart.Constant(Duration.ofSeconds(45)),
            2,
            seeded());

    assertThat(currentAfterEach(hpa, 4, 8)).containsExactly(4, 8);
    hpa.sync(3);
    assertThat(hpa.readyReplicas()).isEqualTo(2);
    hpa.sync(3);
    assertThat(hpa.readyReplicas()).isEqualTo(3);
    hpa.sync(1);
    assertThat(hpa.readyReplicas()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void keepsWhatItHasWhenTheMetricCannotBeRead(double metric) {
    var hpa = hpa(immediate(HpaRules.defaults()), 7);

    assertThat(currentAfterEach(hpa, metric, metric)).containsExactly(7, 7);
    assertThat(hpa.scaleEvents()).isZero();
  }

  @Test
  void afterAnOutageAFailedSyncMayCountAsARecommendationOrNot() {
    double[] outage = repeat(Double.NaN, 20);

    var cautious = hpa(HpaRules.defaults(), 10);
    currentAfterEach(cautious, outage);
    assertThat(currentAfterEach(cautious, repeat(2, 20)))
        .startsWith(10, 10)
        .endsWith(10, 2)
        .hasSize(20);

    var kubernetes = hpa(leavingNothing(HpaRules.defaults()), 10);
    currentAfterEach(kubernetes, outage);
    assertThat(currentAfterEach(kubernetes, 2)).containsExactly(2);
  }

  private static HpaRules leavingNothing(HpaRules rules) {
    return new HpaRules(
        rules.syncPeriod(),
        rules.scaleUp(),
        rules.scaleDown(),
        rules.minReplicas(),
        rules.maxReplicas(),
        FailedSync.LEAVES_NOTHING);
  }

  @Test
  void staysWithinTheFewestAndTheMostReplicas() {
    var rules = immediate(HpaRules.defaults()).withReplicas(2, 6);

    assertThat(currentAfterEach(hpa(rules, 3), 1e300, 0, -5, 1e9)).containsExactly(6, 2, 2, 6);
    assertThat(hpa(rules, 100).currentReplicas()).isEqualTo(6);
    assertThat(hpa(rules, 0).readyReplicas()).isEqualTo(2);
  }

  @Test
  void countsScaleEventsAndChangesOfDirection() {
    var hpa = hpa(immediate(HpaRules.defaults()), 10);

    assertThat(currentAfterEach(hpa, 12, 14, 14, 5, 5, 20, 20, 10))
        .containsExactly(12, 14, 14, 5, 5, 10, 20, 10);
    assertThat(hpa.scaleEvents()).isEqualTo(6);
    assertThat(hpa.reversals()).isEqualTo(3);
  }

  /** A replica serves one minute after its start; a sync is a quarter of a minute. */
  @Test
  void countsReplicasThatServedForFiveMinutesAtMost() {
    var hpa = hpa(immediate(HpaRules.defaults()), 2);

    currentAfterEach(hpa, repeat(3, 24));
    assertThat(currentAfterEach(hpa, 2)).containsExactly(2);
    assertThat(hpa.shortUses()).as("5 min").isEqualTo(1);
    currentAfterEach(hpa, repeat(3, 25));
    assertThat(currentAfterEach(hpa, 2)).containsExactly(2);
    assertThat(hpa.shortUses()).as("5 min 15 s").isEqualTo(1);
    assertThat(currentAfterEach(hpa, 4, 2)).containsExactly(4, 2);
    assertThat(hpa.shortUses()).as("two that never served").isEqualTo(3);
    assertThat(currentAfterEach(hpa, 1)).containsExactly(1);
    assertThat(hpa.shortUses()).as("one that was there at first").isEqualTo(3);
  }

  @Test
  void aTargetMustBePositive() {
    for (double target : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(
              () ->
                  new HpaSimulation(
                      HpaRules.defaults(),
                      target,
                      new ColdStart.Constant(Hpas.COLD_START),
                      1,
                      seeded()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
