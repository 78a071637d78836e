package io.prescale.controller.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Needed;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class HindsightTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration LEAD = Duration.ofMinutes(3);

  private final Hindsight hindsight = new Hindsight();

  @Test
  void aRiseThatWasForeseenOverloadsOnlyWhoDidNotForeseeIt() {
    // Demand needs 5 instead of 1 from minute 10 on; Prescale asked for them three minutes before.
    minutes(20, minute -> minute < 7 ? 1 : 5, minute -> minute < 10 ? 1 : 5);

    // What is observed at minutes 10, 11 and 12 finds one replica; each stands for the minute
    // before it.
    assertThat(hindsight.reactive().overloadedSeconds()).isEqualTo(3 * 60);
    assertThat(hindsight.prescale().overloadedSeconds()).isZero();
    assertThat(hindsight.prescale().replicaSeconds() - hindsight.reactive().replicaSeconds())
        .isEqualTo(3 * 4 * 60);
  }

  @Test
  void bothRulesLetGoAfterFiveMinutes() {
    minutes(20, minute -> minute < 10 ? 4 : 1, minute -> minute < 10 ? 4 : 1);

    // Minutes 1 to 14 end with four replicas held, 15 to 20 with one.
    assertThat(hindsight.reactive().replicaSeconds()).isEqualTo((14 * 4 + 6) * 60);
    assertThat(hindsight.prescale().replicaSeconds())
        .isEqualTo(hindsight.reactive().replicaSeconds());
    assertThat(hindsight.reactive().overloadedSeconds()).isZero();
  }

  @Test
  void demandBeyondTheLimitsOverloadsBoth() {
    for (int minute = 0; minute <= 10; minute++) {
      hindsight.ticked(at(minute), LEAD, 3, new Needed(7, 3));
    }

    assertThat(hindsight.prescale().overloadedSeconds()).isEqualTo(10 * 60);
    assertThat(hindsight.reactive().overloadedSeconds()).isEqualTo(10 * 60);
  }

  @Test
  void aLongPauseIsNotCountedAndTheSameMomentCountsOnce() {
    hindsight.ticked(at(0), LEAD, 2, new Needed(2, 2));
    hindsight.ticked(at(0), LEAD, 2, new Needed(2, 2));
    hindsight.ticked(at(121), LEAD, 2, new Needed(2, 2));
    assertThat(hindsight.prescale().replicaSeconds()).isZero();

    hindsight.ticked(at(122), LEAD, 2, new Needed(2, 2));
    assertThat(hindsight.prescale().replicaSeconds()).isEqualTo(2 * 60);
  }

  @Test
  void withoutALeadTimeWhatIsAskedForIsThere() {
    hindsight.ticked(at(0), Duration.ZERO, 1, new Needed(1, 1));
    hindsight.ticked(at(1), Duration.ZERO, 5, new Needed(1, 1));
    hindsight.ticked(at(2), Duration.ZERO, 5, new Needed(5, 5));

    assertThat(hindsight.prescale().overloadedSeconds()).isZero();
    assertThat(hindsight.reactive().overloadedSeconds()).isEqualTo(60);
  }

  @Test
  void aRiseThatTheDemandFollowsWasNeeded() {
    // Asked for at minute 7, judged at 15: three minutes of lead and five of the HPA's window.
    minutes(14, minute -> minute < 7 ? 1 : 5, minute -> minute < 10 ? 1 : 3);
    assertThat(hindsight.rises().needed()).as("not judged yet").isZero();

    hindsight.ticked(at(15), LEAD, 5, new Needed(3, 3));
    assertThat(hindsight.rises().needed()).isEqualTo(1);
    assertThat(hindsight.rises().falseAlarms()).isZero();
  }

  @Test
  void aRiseThatNothingFollowsIsAFalseAlarmOfWhichItsStepsAreParts() {
    minutes(15, minute -> Math.clamp(minute - 5, 1, 4), minute -> 1);

    assertThat(hindsight.rises().falseAlarms()).isEqualTo(1);
    assertThat(hindsight.rises().needed()).isZero();
  }

  @Test
  void neitherTheBeginningNorAMarginNorFollowingTheDemandIsARise() {
    minutes(60, minute -> minute < 30 ? 4 : 5, minute -> minute < 30 ? 3 : 5);

    assertThat(hindsight.rises().needed() + hindsight.rises().falseAlarms()).isZero();
  }

  private void minutes(int count, IntUnaryOperator prescale, IntUnaryOperator needed) {
    for (int minute = 0; minute <= count; minute++) {
      int needs = needed.applyAsInt(minute);
      hindsight.ticked(at(minute), LEAD, prescale.applyAsInt(minute), new Needed(needs, needs));
    }
  }

  private static Instant at(int minute) {
    return START.plus(Duration.ofMinutes(minute));
  }
}
