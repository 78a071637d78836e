package io.prescale.controller.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who lives, by the observer's clock. */
class HeartbeatsTest {
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  @Test
  void whoseHeartbeatChangesLives() {
    var seen = Heartbeats.NONE.after(Map.of("a", "1", "b", "1"), Set.of(), at(0));
    var later = seen.after(Map.of("a", "2", "b", "1"), Set.of(), at(9));

    assertThat(later.live(at(9), TEN_SECONDS)).containsExactly("a", "b");
    assertThat(later.live(at(10), TEN_SECONDS)).containsExactly("a");
    assertThat(later.silent(at(10), TEN_SECONDS)).containsExactly("b");
  }

  @Test
  void whoIsSeenForTheFirstTimeLives() {
    var seen = Heartbeats.NONE.after(Map.of("a", "long ago"), Set.of(), at(100));

    assertThat(seen.live(at(109), TEN_SECONDS)).containsExactly("a");
    assertThat(seen.live(at(110), TEN_SECONDS)).isEmpty();
  }

  @Test
  void aHolderWithoutAHeartbeatIsGivenTheSameTime() {
    var seen = Heartbeats.NONE.after(Map.of(), Set.of("holder"), at(0));
    var later = seen.after(Map.of(), Set.of("holder"), at(9));

    assertThat(later.live(at(9), TEN_SECONDS)).containsExactly("holder");
    assertThat(later.live(at(10), TEN_SECONDS)).isEmpty();
    assertThat(later.after(Map.of(), Set.of(), at(11)).last()).as("holds no more").isEmpty();
  }

  @Test
  void theHeartbeatOfAHolderIsTheOneThatItWrote() {
    var seen = Heartbeats.NONE.after(Map.of("a", "1"), Set.of("a"), at(0));

    assertThat(seen.last().get("a")).isEqualTo(new Heartbeats.Beat("1", at(0)));
  }

  @Test
  void aClockThatHasPassedItsLargestNumberMakesNoDifference() {
    long end = Long.MAX_VALUE - at(5);
    var seen = Heartbeats.NONE.after(Map.of("a", "1"), Set.of(), end);

    assertThat(seen.live(end + at(9), TEN_SECONDS)).containsExactly("a");
    assertThat(seen.live(end + at(11), TEN_SECONDS)).isEmpty();
  }

  @Test
  void timesThatWouldLetTwoWriteAreRefused() {
    var second = Duration.ofSeconds(1);
    assertThatThrownBy(
            () -> new ShardTimes(second, TEN_SECONDS, TEN_SECONDS, Duration.ofMinutes(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new ShardTimes(Duration.ZERO, second, TEN_SECONDS, Duration.ofMinutes(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static long at(int second) {
    return Duration.ofSeconds(second).toNanos();
  }
}
