package io.prescale.controller.operator.hpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.operator.hpa.HpaPlan.Apply;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContestTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final Contest contest = new Contest();
  private final Apply apply = new Apply(Hpas.users("by-cpu", Hpas.CHAT), Optional.empty());

  @Test
  void stopsPuttingBackTheSameFieldsAfterFiveTimes() {
    for (int i = 0; i < 5; i++) {
      assertThat(contest.mayApply(apply, at(i))).as("time %d", i).isTrue();
      contest.applied(apply, at(i));
    }

    assertThat(contest.mayApply(apply, at(6))).isFalse();
    assertThat(contest.refusal(at(6)).orElseThrow().reason())
        .isEqualTo(HpaPlan.Reason.HPA_CONTESTED);
    assertThat(contest.refusal(at(6)).orElseThrow().message()).contains("by-cpu");
  }

  @Test
  void triesAgainTenMinutesLater() {
    for (int i = 0; i < 5; i++) {
      contest.applied(apply, at(i));
    }

    assertThat(contest.refusal(at(599))).isPresent();
    assertThat(contest.refusal(at(600))).isEmpty();
    assertThat(contest.mayApply(apply, at(600))).isTrue();
  }

  @Test
  void takesAChangedWishForNoContest() {
    for (int i = 0; i < 20; i++) {
      var changed = Hpas.users("by-cpu", Hpas.CHAT);
      changed.getSpec().setMaxReplicas(30 + i);
      assertThat(contest.mayApply(new Apply(changed, Optional.empty()), at(i))).isTrue();
      contest.applied(new Apply(changed, Optional.empty()), at(i));
    }
    assertThat(contest.refusal(at(20))).isEmpty();
  }

  @Test
  void takesAttemptsThatFailedForNoContest() {
    for (int i = 0; i < 20; i++) {
      assertThat(contest.mayApply(apply, at(i))).isTrue();
    }
    assertThat(contest.refusal(at(20))).isEmpty();
  }

  private static Instant at(long seconds) {
    return NOON.plusSeconds(seconds);
  }
}
