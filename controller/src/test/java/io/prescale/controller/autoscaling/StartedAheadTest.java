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
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A target whose demand is 50, and 200 for some minutes at noon; a replica carries 10. */
class StartedAheadTest {
  private static final int DAYS = 4;
  private static final int NOON = DAYS * DAY + 12 * 60;

  /** The HPA's recommendations within its stabilization window. */
  private final ArrayDeque<Integer> recommended = new ArrayDeque<>();

  private final SplittableRandom random = new SplittableRandom(7);

  private double demand(int minute, int peak) {
    int ofDay = minute % DAY;
    return (ofDay >= 12 * 60 && ofDay < 12 * 60 + peak ? 200 : 50) + random.nextDouble();
  }

  private ScalingCycle learned(Duration lead, int peak, int until) {
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

  @Test
  void aNewLeaderKeepsThemToo() {
    var lead = Duration.ofMinutes(30);
    int change = NOON - 20;
    var former = learned(lead, 10, change);
    var saved = former.save("requests").orElseThrow();
    var next = cycle(settings(Duration.ofMinutes(1)), lead);
    assertThat(next.resume("requests", saved, at(change))).isEmpty();
    next.takeOver("requests", new HandedOver(210, List.of(), at(change + 15), false));

    for (int minute = change; minute < NOON; minute++) {
      var now = reading(at(minute + 1), demand(minute, 10));
      var result = Ticks.tick(next, at(minute + 1), now, ScalingCycles.scaled(21, lead));
      assertThat(result.metrics().getFirst().trust().state()).isEqualTo(Trust.State.CLOSED);
      assertThat(result.desiredReplicas()).hasValue(21);
      assertThat(result.explanation().orElseThrow().reason()).isEqualTo(Reason.STARTED_AHEAD);
    }
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
