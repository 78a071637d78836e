package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.DAY;
import static io.prescale.controller.autoscaling.ScalingCycles.START;
import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static io.prescale.controller.autoscaling.ScalingCycles.cycle;
import static io.prescale.controller.autoscaling.ScalingCycles.reading;
import static io.prescale.controller.autoscaling.ScalingCycles.series;
import static io.prescale.controller.autoscaling.ScalingCycles.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A target whose demand is 50, and 200 for some minutes at noon; a replica carries 10. */
class StartedAheadTest {
  private static final int DAYS = 8;
  private static final int NOON = DAYS * DAY + 12 * 60;
  private static final int CHANGE = NOON - 20;
  private static final Duration LEAD = Duration.ofMinutes(30);
  private static final Duration TTL = Duration.ofHours(2);

  private static final byte[] KNOWN = learned(LEAD, 10, CHANGE).save("requests").orElseThrow();

  /** The HPA's recommendations within its stabilization window. */
  private final ArrayDeque<Integer> recommended = new ArrayDeque<>();

  private static double demand(int minute, int peak) {
    int ofDay = minute % DAY;
    return (ofDay >= 12 * 60 && ofDay < 12 * 60 + peak ? 200 : 50)
        + new SplittableRandom(minute).nextDouble();
  }

  private static ScalingCycle learned(Duration lead, int peak, int until) {
    double[] known = new double[until];
    for (int minute = 0; minute < until; minute++) {
      known[minute] = demand(minute, peak);
    }
    var cycle = cycle(settings(Duration.ofMinutes(1)), lead);
    cycle.learn("requests", series(START, known));
    return cycle;
  }

  /** The HPA's replicas after a tick that observes the minute before. */
  private int hpaAfter(CycleResult result) {
    int wanted = result.desiredReplicas().orElseThrow();
    recommended.add(wanted);
    if (recommended.size() > 5) {
      recommended.remove();
    }
    return recommended.stream().mapToInt(it -> it).max().orElseThrow();
  }

  @ParameterizedTest(name = "lead {0} min, peak {1} min")
  @CsvSource({"30, 10", "5, 10"})
  void replicasWaitForTheirPeakAndGoAfterIt(int leadMinutes, int peak) {
    var lead = Duration.ofMinutes(leadMinutes);
    int first = NOON - 60;
    var cycle = learned(lead, peak, first);
    int replicas = 5;
    int since = Integer.MAX_VALUE;
    for (int minute = first; minute < NOON + peak + 60; minute++) {
      var state = ScalingCycles.scaled(replicas, lead);
      var now = reading(at(minute + 1), demand(minute, peak));
      replicas = hpaAfter(Ticks.tick(cycle, at(minute + 1), now, state));
      since = replicas >= 20 ? Math.min(since, minute + 1) : since;
      if (minute + 1 >= since && minute + 1 < NOON + peak) {
        assertThat(replicas)
            .as("minute %d from noon", minute + 1 - NOON)
            .isGreaterThanOrEqualTo(20);
      }
    }

    assertThat(since).isBetween(NOON - leadMinutes - 6, NOON - leadMinutes);
    assertThat(replicas).as("an hour later").isLessThan(10);
  }

  /** A cycle that goes on from what another one knew twenty minutes before the peak. */
  private static ScalingCycle resumed() {
    var next = cycle(settings(Duration.ofMinutes(1)), LEAD);
    assertThat(next.resume("requests", KNOWN, at(CHANGE))).isEmpty();
    return next;
  }

  private CycleResult tick(ScalingCycle cycle, int minute) {
    var now = reading(at(minute), demand(minute - 1, 10));
    var result = Ticks.tick(cycle, at(minute), now, ScalingCycles.scaled(21, LEAD));
    assertThat(result.metrics().getFirst().trust().state()).isEqualTo(Trust.State.CLOSED);
    return result;
  }

  private void assertKeeps21UntilNoon(ScalingCycle cycle, int from) {
    for (int minute = from; minute <= NOON; minute++) {
      var result = tick(cycle, minute);
      assertThat(result.desiredReplicas()).as("%d", minute - NOON).hasValue(21);
      assertThat(result.explanation().orElseThrow().reason()).isEqualTo(Reason.STARTED_AHEAD);
    }
  }

  private static HandedOver handedOver(double value, Instant servedAt, boolean maybeAhead) {
    return new HandedOver(value, List.of(), servedAt.plus(TTL), false, maybeAhead);
  }

  @Test
  void aNewLeaderKeepsWhatTheFormerOneServed() {
    var next = resumed();
    next.takeOver("requests", handedOver(210, at(CHANGE), true));

    assertKeeps21UntilNoon(next, CHANGE + 1);
  }

  @Test
  void whatAScheduleDemandedIsNotKept() {
    var next = resumed();
    next.takeOver("requests", handedOver(400, at(CHANGE), false));

    assertThat(tick(next, CHANGE + 1).desiredReplicas().orElseThrow()).isLessThan(10);
  }

  @Test
  void aValueOfItsOwnIsNotTakenOver() {
    var cycle = resumed();
    var own = tick(cycle, CHANGE + 1).metrics().getFirst().served().orElseThrow();
    cycle.takeOver("requests", handedOver(own.value(), own.computedAt(), true));
    cycle.takeOver("requests", handedOver(400, own.computedAt(), true));

    assertThat(tick(cycle, CHANGE + 2).desiredReplicas().orElseThrow()).isLessThan(10);
  }

  @Test
  void anEditKeepsWhatWasStartedBefore() {
    var before = resumed();
    before.takeOver("requests", handedOver(210, at(CHANGE), true));
    tick(before, CHANGE + 1);
    var edited = resumed();
    edited.goOnFrom(before);
    tick(edited, CHANGE + 1);

    assertKeeps21UntilNoon(edited, CHANGE + 2);
  }

  @Test
  void afterAnEditOfTheCapacityReplicasCarryAsMuch() {
    var before = new StartedAhead(Duration.ofMinutes(5), Duration.ofMinutes(1));
    before.decided(50, at(0), LEAD);
    var edited = new StartedAhead(Duration.ofMinutes(5), Duration.ofMinutes(1));
    edited.goOnFrom(before, 10 / 100.0);

    assertThat(edited.most(at(1))).isEqualTo(5);
  }

  @Test
  void whatWasStartedForLongerOutlastsWhatIsStartedForLess() {
    var ahead = new StartedAhead(Duration.ofMinutes(5), Duration.ofMinutes(1));
    ahead.decided(20, at(0), Duration.ofMinutes(30));
    ahead.decided(30, at(1), Duration.ofMinutes(7));
    ahead.decided(10, at(2), Duration.ofMinutes(5));

    assertThat(ahead.most(at(3))).isEqualTo(30);
    assertThat(ahead.most(at(4))).isEqualTo(20);
    assertThat(ahead.most(at(25))).isEqualTo(20);
    assertThat(ahead.most(at(26))).isZero();
  }
}
