package io.prescale.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.plan.BufferWish.Held;
import io.prescale.controller.plan.BuffersAhead.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * At nine, three replicas need room, for two of which there is none; a node leads in six minutes.
 */
class BuffersAheadTest {
  private static final Instant NINE = Instant.parse("2026-11-24T09:00:00Z");
  private static final Duration START = Duration.ofMinutes(6);
  private static final RoomAhead AT_NINE = new RoomAhead(NINE, 3, 2);
  private static final RoomAhead AT_HALF_PAST = new RoomAhead(NINE.plusSeconds(1800), 4, 4);

  private static BufferWish wish(String name, int held, RoomAhead... room) {
    return new BufferWish(
        name, 1, Optional.of(List.of(room)), Optional.of(Instant.EPOCH), held(held), true, START);
  }

  private static Held held(int replicas) {
    return new Held(replicas, Optional.empty(), Optional.empty());
  }

  private static Answer answer(BufferWish wish, Instant now) {
    return Objects.requireNonNull(BuffersAhead.of(List.of(wish), 100, now).get(wish.name()));
  }

  private static Answer answer(int replicas, int beyond, int seconds) {
    return new Answer(replicas, beyond, Optional.of(NINE.plusSeconds(seconds)), Optional.empty());
  }

  private static int replicas(BufferWish wish, Instant now) {
    return answer(wish, now).replicas();
  }

  @Test
  void nodesAreAskedForANodeStartAheadAndNotEarlier() {
    var wish = wish("a", 0, AT_NINE, AT_HALF_PAST);

    assertThat(answer(wish, NINE.minusSeconds(361)))
        .isEqualTo(new Answer(0, 0, Optional.empty(), Optional.of(NINE.minus(START))));
    assertThat(answer(wish, NINE.minusSeconds(360)))
        .as("with the one that fits, which fits free cards of the autoscaler's view, too")
        .isEqualTo(new Answer(3, 0, Optional.of(NINE), Optional.empty()));
    assertThat(replicas(wish, NINE.plusSeconds(1440))).isEqualTo(7);
  }

  @Test
  void whatFitsNeedsNoNodes() {
    assertThat(replicas(wish("a", 0, new RoomAhead(NINE, 3, 0)), NINE)).isZero();
    assertThat(replicas(wish("a", 0), NINE)).isZero();
  }

  /**
   * The new node is there, so nothing is missing; without a buffer it would be removed as empty.
   */
  @Test
  void whatIsHeldIsHeldUntilThePodsAreThere() {
    assertThat(replicas(wish("a", 3, new RoomAhead(NINE, 3, 0)), NINE.minusSeconds(60)))
        .isEqualTo(3);
    assertThat(replicas(wish("a", 3, new RoomAhead(NINE, 1, 0)), NINE)).isEqualTo(1);
    assertThat(replicas(wish("a", 3), NINE)).isZero();
  }

  @Test
  void aNodeStartThatIsLearnedAnewTakesNothingBack() {
    var earlier = wish("a", 0, AT_NINE);
    assertThat(answer(earlier, NINE.minus(START)).upTo()).contains(NINE);
    var quicker =
        new BufferWish(
            "a",
            1,
            earlier.room(),
            earlier.missingSince(),
            new Held(3, Optional.of(NINE), Optional.empty()),
            true,
            Duration.ofMinutes(1));

    assertThat(replicas(quicker, NINE.minus(START))).isEqualTo(3);
  }

  @Test
  void aShortageThatIsOverAtOnceAsksForNothing() {
    var since = NINE.minusSeconds(29);
    var fresh =
        new BufferWish(
            "a", 1, Optional.of(List.of(AT_NINE)), Optional.of(since), Held.NONE, true, START);

    assertThat(replicas(fresh, NINE)).isZero();
    assertThat(replicas(fresh, NINE.plusSeconds(1))).isEqualTo(3);
    var never = new BufferWish("a", 1, fresh.room(), Optional.empty(), Held.NONE, true, START);
    assertThat(replicas(never, NINE)).isZero();
  }

  @Test
  void withoutAForecastNothingMoreIsAskedAndWhatIsHeldGoesWithItsNeed() {
    var room = Optional.of(List.of(AT_NINE));
    var since = Optional.of(Instant.EPOCH);

    assertThat(replicas(new BufferWish("a", 1, room, since, held(2), false, START), NINE))
        .isEqualTo(2);
    assertThat(replicas(new BufferWish("a", 1, room, since, Held.NONE, false, START), NINE))
        .isZero();
    assertThat(
            answer(new BufferWish("a", 1, room, since, Held.NONE, false, START), Instant.EPOCH)
                .next())
        .isEmpty();
    assertThat(
            replicas(
                new BufferWish("a", 1, Optional.of(List.of()), since, held(2), false, START), NINE))
        .isZero();
  }

  @Test
  void whileNothingIsKnownAllStaysAsItIs() {
    assertThat(
            replicas(
                new BufferWish("a", 1, Optional.empty(), Optional.empty(), held(2), true, START),
                NINE))
        .isEqualTo(2);
  }

  @Test
  void aSchedulerThatIsSilentForLongHoldsNothing() {
    var silent =
        new BufferWish(
            "a",
            1,
            Optional.empty(),
            Optional.empty(),
            new Held(2, Optional.of(NINE), Optional.of(NINE)),
            true,
            START);

    assertThat(replicas(silent, NINE.plusSeconds(899))).isEqualTo(2);
    assertThat(replicas(silent, NINE.plusSeconds(900))).isZero();
  }

  /** The three of nine o'clock have their pods, one after the other. */
  @Test
  void whatIsHeldIsNotHandedOnToReplicasThatComeLater() {
    var upToNine = new Held(3, Optional.of(NINE), Optional.empty());
    var later = new RoomAhead(NINE.plusSeconds(1800), 4, 0);

    assertThat(replicas(held(upToNine, new RoomAhead(NINE, 1, 0), later), NINE)).isEqualTo(1);
    assertThat(replicas(held(upToNine, later), NINE)).isZero();
    assertThat(replicas(held(upToNine, later), NINE.plusSeconds(1440)))
        .as("it is time for these, too")
        .isEqualTo(3);
  }

  /** Its nodes are given back, and asked for again a node lead before the new time. */
  @Test
  void whatIsHeldEndsWithANeedThatMovesBeyondIt() {
    var upToNine = new Held(3, Optional.of(NINE), Optional.empty());
    var moved = new RoomAhead(NINE.plusSeconds(900), 3, 3);

    assertThat(replicas(held(upToNine, moved), NINE)).isZero();
    assertThat(replicas(wish("a", 0, moved), NINE.plusSeconds(539))).isZero();
    assertThat(replicas(wish("a", 0, moved), NINE.plusSeconds(540))).isEqualTo(3);
  }

  private static BufferWish held(Held held, RoomAhead... room) {
    return new BufferWish("a", 1, Optional.of(List.of(room)), Optional.empty(), held, true, START);
  }

  @Test
  void theLimitIsForAllAndWhatIsHeldComesFirst() {
    var later = wish("a", 0, new RoomAhead(NINE.plusSeconds(60), 3, 3));
    var sooner = wish("b", 0, AT_NINE);
    var held = wish("c", 2, new RoomAhead(NINE.plusSeconds(120), 2, 0));
    var twoCards =
        new BufferWish(
            "d",
            2,
            Optional.of(List.of(new RoomAhead(NINE.plusSeconds(30), 2, 2))),
            Optional.of(Instant.EPOCH),
            Held.NONE,
            true,
            START);

    var answers = BuffersAhead.of(List.of(later, sooner, held, twoCards), 8, NINE);

    assertThat(answers)
        .containsEntry("c", answer(2, 0, 120))
        .containsEntry("b", answer(3, 0, 0))
        .as("three cards are left: one replica of two cards, and one of one")
        .containsEntry("d", answer(1, 1, 30))
        .containsEntry("a", answer(1, 2, 60));
    assertThat(BuffersAhead.of(List.of(held), 0, NINE))
        .as("a limit that was lowered")
        .containsEntry("c", answer(0, 2, 120));
    assertThat(BuffersAhead.of(List.of(), 8, NINE)).isEmpty();
  }

  /** The nodes of b are there, a few minutes before its replicas. */
  @Test
  void growthTakesNothingFromWhatIsHeldForAnother() {
    var growing = wish("a", 2, new RoomAhead(NINE, 8, 6));
    var waiting = wish("b", 4, new RoomAhead(NINE.plusSeconds(120), 4, 0));

    assertThat(BuffersAhead.of(List.of(growing, waiting), 8, NINE))
        .containsEntry("a", answer(4, 4, 0))
        .containsEntry("b", answer(4, 0, 120));
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> BuffersAhead.of(List.of(), Double.NaN, NINE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RoomAhead(NINE, 1, 2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new BufferWish("a", 0, Optional.empty(), Optional.empty(), Held.NONE, true, START))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> held(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 600", // none: the usual
    "'60', 60",
    "'300 60 120', 300",
    "'900 10 20 30 40 50 60 70 80 90', 90", // nine of ten
    "'900 10 20 30 40 50 60 70 80 90 100', 90", // the oldest of eleven is forgotten
    "'0 -5 7201 240', 240"
  })
  void nodeLeadsAreLearned(String seconds, int expected) {
    var starts = new NodeLeads(List.of());
    for (var each : seconds.isEmpty() ? new String[0] : seconds.split(" ")) {
      starts = starts.with(Duration.ofSeconds(Long.parseLong(each)));
    }

    assertThat(starts.expected(Duration.ofMinutes(10))).isEqualTo(Duration.ofSeconds(expected));
  }
}
