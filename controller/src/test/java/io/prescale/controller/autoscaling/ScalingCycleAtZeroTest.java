package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.DAY;
import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static io.prescale.controller.autoscaling.ScalingCycles.none;
import static io.prescale.controller.autoscaling.ScalingCycles.series;
import static io.prescale.controller.autoscaling.ScalingCycles.tick;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Activity.Cause;
import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.ServedValue.Planned;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A cycle of a target that may have no replicas, and whose demand sleeps at night. */
class ScalingCycleAtZeroTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int MIDNIGHT = 10 * DAY;
  private static final int MORNING = MIDNIGHT + 8 * 60;

  @Test
  void servesZeroAtNightAndAReplicaBeforeTheDayBegins() {
    var cycle = learned();
    var night = decision(tick(cycle, MIDNIGHT + 2 * 60, 0));
    assertThat(night.reason()).isEqualTo(Reason.IDLE);
    assertThat(night.served()).isZero();
    assertThat(night.desiredReplicas()).isZero();
    assertThat(night.sentences())
        .anySatisfy(it -> assertThat(it).startsWith("Demand needs no replica: there is none"));

    int minute = MIDNIGHT + 2 * 60 + 1;
    while (decision(tick(cycle, minute, 0)).reason() == Reason.IDLE) {
      minute++;
    }
    // The window of five minutes that begins five minutes later reaches the beginning of the day.
    assertThat(minute).isBetween(MORNING - 30, MORNING - 5);
    var woken = decision(tick(cycle, minute + 1, 0));
    assertThat(woken.activity().orElseThrow().cause()).isEqualTo(Cause.FORECAST);
    assertThat(woken.served()).isGreaterThanOrEqualTo(10);
  }

  @Test
  void wakesAtTheFirstObservation() {
    var cycle = learned();
    tick(cycle, MIDNIGHT + 120, 0);
    var woken = decision(tick(cycle, MIDNIGHT + 121, 1));
    assertThat(woken.activity().orElseThrow().cause()).isEqualTo(Cause.OBSERVED_DEMAND);
    assertThat(woken.served()).isGreaterThanOrEqualTo(10);
  }

  @Test
  void aValueOfZeroBecomesAReplicaOnceItIsNoLongerFresh() {
    var cycle = learned();
    int minute = MIDNIGHT + 120;
    var served = tick(cycle, minute, 0).metrics().getFirst().served().orElseThrow();
    assertThat(served.value()).isZero();
    assertThat(served.plan().getFirst())
        .isEqualTo(new Planned(at(minute).plus(MINUTE.multipliedBy(2)), 10));

    var reading = Map.of("requests", none());
    var unread =
        Ticks.tick(cycle, at(minute + 5), reading, ScalingCycles.state(0, ScalingCycles.LEAD));
    assertThat(unread.metrics().getFirst().served()).hasValue(served); // it ages
  }

  @Test
  void goesToZeroWithoutEverHavingHadDemand() {
    var cycle = ScalingCycles.cycle(settings());
    for (int minute = 1; minute < 3 * DAY; minute++) {
      tick(cycle, minute, 0);
    }

    assertThat(decision(tick(cycle, 3 * DAY, 0)).reason()).isEqualTo(Reason.IDLE);
  }

  @Test
  void aNewLeaderDoesNotForgetWhatAReplicaWasWokenFor() {
    var lead = Duration.ofMinutes(20);
    int noon = MIDNIGHT + 12 * 60;
    double[] demand = new double[noon - 18];
    for (int i = 0; i < demand.length; i++) {
      demand[i] = i % DAY >= 12 * 60 && i % DAY < 12 * 60 + 4 ? 8 : 0;
    }
    var former = ScalingCycles.cycle(settings(), lead);
    former.learn("requests", series(ScalingCycles.START, demand));
    var next = ScalingCycles.cycle(settings(), lead);
    next.resume("requests", former.save("requests").orElseThrow(), at(noon - 18));
    next.takeOver("requests", new HandedOver(10, List.of(), at(noon), false, true));

    for (int minute = noon - 17; minute <= noon; minute++) {
      var now = ScalingCycles.reading(at(minute), 0);
      var tick = Ticks.tick(next, at(minute), now, ScalingCycles.scaled(1, lead));
      assertThat(decision(tick).served()).as("%d", minute - noon).isGreaterThanOrEqualTo(10);
    }
  }

  /** The plan behind a value of zero is for what is unknown, and wakes none. */
  @Test
  void aNewLeaderLetsAnIdleTargetSleep() {
    var former = learned();
    int minute = MIDNIGHT + 120;
    tick(former, minute - 1, 0);
    var served = tick(former, minute, 0).metrics().getFirst().served().orElseThrow();
    assertThat(served.value()).isZero();
    var next = ScalingCycles.cycle(settings());
    next.resume("requests", former.save("requests").orElseThrow(), at(minute));
    next.takeOver("requests", new HandedOver(0, served.plan(), at(minute + 15), false, true));

    for (int later = minute + 3; later < minute + 20; later++) {
      assertThat(decision(tick(next, later, 0)).reason()).isEqualTo(Reason.IDLE);
    }
  }

  @Test
  void isNotIdleBeforeForecastsAreTrusted() {
    var cycle = ScalingCycles.cycle(settings());
    var decision = decision(tick(cycle, 1, 0));
    assertThat(decision.activity().orElseThrow().cause()).isEqualTo(Cause.UNKNOWN);
    assertThat(decision.served()).isEqualTo(10);
  }

  private static Explanation decision(CycleResult result) {
    return result.explanation().orElseThrow();
  }

  private static ScalingCycle learned() {
    var random = new SplittableRandom(1);
    double[] demand = new double[MIDNIGHT + 119];
    for (int i = 0; i < demand.length; i++) {
      int hour = i % DAY / 60;
      demand[i] = hour < 8 || hour >= 20 ? 0 : 5 + random.nextInt(10);
    }
    var cycle = ScalingCycles.cycle(settings());
    cycle.learn("requests", series(ScalingCycles.START, demand));
    return cycle;
  }

  private static TargetSettings settings() {
    return ScalingCycles.settings(MINUTE)
        .withHpa(HpaRules.defaults().withReplicas(0, 40))
        .withRiskAtZero(0.05);
  }
}
