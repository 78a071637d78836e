package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromptRoundTest {
  private final List<Long> rounds = new ArrayList<>();
  private long claims;
  private long millis;
  private long roundMillis;
  private final PromptRound round =
      new PromptRound(this::round, () -> claims, () -> Duration.ofMillis(millis).toNanos());

  private void round() {
    rounds.add(millis);
    millis += roundMillis;
  }

  /** Looks as often as the extender does. */
  private void until(long end) {
    while (millis <= end) {
      round.run();
      millis += PromptRound.LOOK.toMillis();
    }
  }

  @Test
  void runsOnceASecondWhileNothingIsClaimed() {
    until(3_100);

    assertThat(rounds).containsExactly(1_000L, 2_000L, 3_000L);
  }

  @Test
  void runsAtOnceAfterAClaimAndASecondAfterThat() {
    until(1_400);
    claims++;
    until(2_600);

    assertThat(rounds).containsExactly(1_000L, 1_450L, 2_450L);
  }

  /** The round that it falls into has read before it. */
  @Test
  void runsAgainForAClaimDuringARound() {
    var busy =
        new PromptRound(
            () -> {
              rounds.add(millis);
              claims += rounds.size() == 1 ? 1 : 0;
            },
            () -> claims,
            () -> Duration.ofMillis(millis).toNanos());
    for (millis = 0; millis <= 1_900; millis += PromptRound.LOOK.toMillis()) {
      busy.run();
    }

    assertThat(rounds).containsExactly(1_000L, 1_200L);
  }

  @Test
  void isBoundedInAStormOfClaims() {
    for (millis = 0; millis < 10_000; millis += PromptRound.LOOK.toMillis()) {
      claims++;
      round.run();
    }

    assertThat(rounds).as("five a second at most").hasSize(49);
  }

  /** As on a busy machine: then it leaves as much time to others as it takes. */
  @Test
  void restsAsLongAsItTook() {
    roundMillis = 600;
    while (millis < 12_000) {
      claims++;
      round.run();
      millis += PromptRound.LOOK.toMillis();
    }

    assertThat(rounds).hasSize(10);
    assertThat(rounds.get(2) - rounds.get(1)).isEqualTo(1_200);
  }

  @Test
  void goesOnAfterAFailure() {
    var failing =
        new PromptRound(
            () -> {
              rounds.add(millis);
              throw new IllegalStateException("lost");
            },
            () -> claims,
            () -> Duration.ofMillis(millis).toNanos());
    millis = 1_000;
    assertThatThrownBy(failing::run).hasMessage("lost");
    millis = 1_100;
    failing.run();
    millis = 2_000;
    assertThatThrownBy(failing::run).hasMessage("lost");

    assertThat(rounds).containsExactly(1_000L, 2_000L);
  }
}
