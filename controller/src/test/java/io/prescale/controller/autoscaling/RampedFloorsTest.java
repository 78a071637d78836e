package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.LEAD;
import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static io.prescale.controller.autoscaling.ScalingCycles.cycle;
import static io.prescale.controller.autoscaling.ScalingCycles.reading;
import static io.prescale.controller.autoscaling.ScalingCycles.settings;
import static io.prescale.controller.autoscaling.ScalingCycles.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ServedValue.Planned;
import io.prescale.controller.schedules.Cron;
import io.prescale.controller.schedules.Schedule;
import io.prescale.controller.schedules.Schedules;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.HpaSimulation;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Floors from 01:00 on: each replica carries 10, the demand is 20, the lead time 5 minutes. */
class RampedFloorsTest {
  /** One replica a minute: of twelve, two are there, and a replica takes five minutes to serve. */
  @Test
  void aFloorIsReachedInTimeWhereReplicasMayOnlyGrowSlowly() {
    var rules = slowly(HpaRules.defaults().withReplicas(2, 40));
    var cycle =
        cycle(
            settings(Duration.ofMinutes(1), Duration.ofMinutes(15))
                .withHpa(rules)
                .withSchedules(new Schedules(List.of(floor(12)))));
    var hpa =
        new HpaSimulation(rules, 10, new ColdStart.Constant(LEAD), 2, new SplittableRandom(1));

    for (int minute = 1; minute <= 60; minute++) {
      double served = served(cycle, minute, hpa.currentReplicas()).value();
      for (int sync = 0; sync < 4; sync++) {
        hpa.sync(served);
      }
      if (minute == 44) {
        assertThat(hpa.currentReplicas()).as("replicas before they are needed").isEqualTo(2);
      }
    }

    assertThat(hpa.readyReplicas()).isEqualTo(12);
  }

  @Test
  void theStepsOfAFloorArePlanned() {
    var cycle =
        cycle(
            settings(Duration.ofMinutes(1), Duration.ofMinutes(15))
                .withHpa(slowly(HpaRules.defaults().withReplicas(2, 40)))
                .withSchedules(new Schedules(List.of(floor(5)))));

    var value = served(cycle, 45, 2);

    assertThat(value.plan())
        .containsExactly(new Planned(at(53), 30), new Planned(at(54), 40), new Planned(at(55), 50));
  }

  /** From none, one in two minutes: the first is allowed nine steps before the tenth. */
  @Test
  void aFloorFromZeroBeginsAStepEarlier() {
    var fromZero = oneEach(Duration.ofMinutes(2), HpaRules.defaults().withReplicas(0, 40));
    var schedules = new Schedules(List.of(floor(10)));

    assertThat(floorAt(fromZero.reaching(schedules), 36)).isZero();
    assertThat(floorAt(fromZero.reaching(schedules), 37)).isEqualTo(1);
    assertThat(floorAt(fromZero.reaching(schedules), 54)).isEqualTo(9);
    assertThat(floorAt(fromZero.reaching(schedules), 55)).isEqualTo(10);
    assertThat(floorAt(fromZero.withReplicas(1, 40).reaching(schedules), 38)).isZero();
  }

  /** Kubernetes' defaults allow 100 from 1 within 75 seconds. */
  @Test
  void aFloorThatTheUsualPoliciesAllowAMinuteLateBeginsEarlier() {
    var hundred = new Schedules(List.of(floor(100)));
    var twelve = new Schedules(List.of(floor(12)));
    var rules = HpaRules.defaults();

    assertThat(floorAt(rules.reaching(hundred), 53)).isEqualTo(40);
    assertThat(floorAt(rules.reaching(hundred), 54)).isEqualTo(100);
    assertThat(floorAt(rules.reaching(twelve), 54)).isZero();
  }

  /** As many windows as a spec may have in a day, each reached in 1,439 steps. */
  @Test
  void manyWindowsThatAreReachedSlowlyAreFewSteps() {
    var quarters =
        IntStream.range(0, Schedules.MOST)
            .mapToObj(it -> floor("*/14 * * * *", "7-59/14 * * * *", 1440))
            .toList();
    var schedules = slowly(HpaRules.defaults()).reaching(new Schedules(quarters));

    assertThat(schedules.demands(at(0), at(20))).hasSizeBetween(16 * 100, 16 * 100 * 11);
    assertThat(floorAt(schedules, 0)).isEqualTo(1440);
  }

  private static int floorAt(Schedules schedules, int minute) {
    return schedules.boundsAt(at(minute), LEAD).floor().map(it -> it.replicas()).orElse(0);
  }

  private static HpaRules slowly(HpaRules rules) {
    return oneEach(Duration.ofMinutes(1), rules);
  }

  private static HpaRules oneEach(Duration period, HpaRules rules) {
    var scaleUp =
        new ScalingRules(
            Duration.ZERO, 0.1, ScalingRules.Selection.MAX, List.of(ScalingPolicy.pods(1, period)));
    return rules.withBehavior(scaleUp, rules.scaleDown());
  }

  private static Schedule floor(int replicas) {
    return floor("0 1 * * *", "0 2 * * *", replicas);
  }

  private static Schedule floor(String start, String end, int replicas) {
    return new Schedule(
        "office",
        ZoneOffset.UTC,
        Cron.parse(start),
        Cron.parse(end),
        OptionalInt.of(replicas),
        OptionalInt.empty());
  }

  private static ServedValue served(ScalingCycle cycle, int minute, int replicas) {
    var result = Ticks.tick(cycle, at(minute), reading(at(minute), 20), state(replicas, LEAD));
    return result.metrics().getFirst().served().orElseThrow();
  }
}
