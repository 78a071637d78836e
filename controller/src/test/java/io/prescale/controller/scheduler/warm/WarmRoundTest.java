package io.prescale.controller.scheduler.warm;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.scheduler.warm.WarmPod.State;
import io.prescale.controller.scheduler.warm.WarmRound.Create;
import io.prescale.controller.scheduler.warm.WarmRound.Progress;
import io.prescale.controller.scheduler.warm.WarmWish.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WarmRoundTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");
  private static final Instant SOON = NOW.plus(Duration.ofMinutes(20));
  private static final Set<String> NODES = Set.of("n1", "n2", "n3", "n4", "n5");
  private static final WarmSettings TWO_AT_ONCE =
      new WarmSettings(
          true, "prescale:1", List.of("true"), 2, Duration.ofMinutes(30), Duration.ofMinutes(30));

  private final List<WarmPod> pods = new ArrayList<>();

  private WarmRound.Result decide(WarmWish... wishes) {
    return decide(NOW, wishes);
  }

  private WarmRound.Result decide(Instant now, WarmWish... wishes) {
    return WarmRound.decide(List.of(wishes), pods, NODES, TWO_AT_ONCE, now);
  }

  private static Progress progress(WarmRound.Result result) {
    return Objects.requireNonNull(result.progress().get("llm"));
  }

  private static WarmWish llm(Place... places) {
    return new WarmWish("llm", "d1", true, true, 3, List.of(places));
  }

  private static Place on(String node) {
    return new Place(node, SOON, false);
  }

  private WarmPod pod(String booking, String node, int attempt, State state, Instant since) {
    var pod =
        new WarmPod(
            "models",
            "warm-%s-%s-%d".formatted(booking, node, attempt),
            booking,
            node,
            "d1",
            attempt,
            state,
            since,
            state == State.FAILED ? "ErrImagePull: no such image" : "",
            false);
    pods.add(pod);
    return pod;
  }

  @Test
  void nodesThatLackTheImagesGetAPodTwoAtATime() {
    var result = decide(llm(on("n1"), new Place("n2", SOON, true), on("n3"), on("n4")));

    assertThat(result.create())
        .containsExactly(new Create("llm", "n1", 1), new Create("llm", "n3", 1));
    assertThat(result.delete()).isEmpty();
    assertThat(progress(result)).isEqualTo(new Progress(4, 1, 0, Optional.empty(), false));

    pod("llm", "n1", 1, State.PULLING, NOW);
    pod("llm", "n3", 1, State.PULLED, NOW);
    var next = decide(llm(on("n1"), new Place("n2", SOON, true), on("n3"), on("n4")));
    assertThat(next.create()).as("one is done").containsExactly(new Create("llm", "n4", 1));
    assertThat(progress(next)).isEqualTo(new Progress(4, 2, 1, Optional.empty(), false));
  }

  @Test
  void whatComesFirstIsPulledFirstAndANodePullsForOneAtATime() {
    var chat =
        new WarmWish(
            "chat", "d2", true, true, 3, List.of(new Place("n1", SOON.minusSeconds(60), false)));

    assertThat(decide(llm(on("n1"), on("n2")), chat).create())
        .containsExactly(new Create("chat", "n1", 1), new Create("llm", "n2", 1));
  }

  @Test
  void nothingIsPulledBeforeItsTime() {
    var later = llm(new Place("n1", NOW.plus(Duration.ofMinutes(31)), false));

    assertThat(decide(later).create()).isEmpty();
    assertThat(progress(decide(later)).nodes()).isZero();
    assertThat(decide(NOW.plusSeconds(60), later).create()).hasSize(1);
  }

  @Test
  void nothingIsPulledTwiceAlsoWhereANodeDoesNotReportIt() {
    pod("llm", "n1", 1, State.PULLED, NOW);

    var result = decide(llm(on("n1")));
    assertThat(result.create()).isEmpty();
    assertThat(result.delete()).as("it keeps the kubelet from removing the images").isEmpty();
    assertThat(progress(result)).isEqualTo(new Progress(1, 1, 0, Optional.empty(), false));
  }

  @Test
  void withTheNeedAllItsPodsGo() {
    pod("llm", "n1", 1, State.PULLING, NOW);
    pod("llm", "n2", 1, State.PULLED, NOW);
    var over = new WarmWish("llm", "d1", false, true, 3, List.of(on("n1")));

    assertThat(decide(over).delete()).containsExactlyElementsOf(pods);
    assertThat(decide(over).create()).isEmpty();
    assertThat(decide().delete()).as("without the booking").hasSize(2);
  }

  @Test
  void podsOfOtherImagesAndOfNodesThatAreGoneGo() {
    pod("llm", "n1", 1, State.PULLED, NOW);
    pod("llm", "n9", 1, State.PULLING, NOW);
    var changed = new WarmWish("llm", "d2", true, true, 3, List.of(on("n1")));

    assertThat(decide(changed).delete()).hasSize(2);
    assertThat(decide(changed).create()).containsExactly(new Create("llm", "n1", 1));
    assertThat(decide(llm(on("n1"))).delete()).extracting(WarmPod::node).containsExactly("n9");
  }

  @Test
  void aFailureIsTriedAgainAfterTenMinutesThenTwentyAndNeverInLessThanThat() {
    var first = pod("llm", "n1", 1, State.FAILED, NOW);
    var wish = new WarmWish("llm", "d1", true, true, 3, List.of(new Place("n1", NOW, false)));

    assertThat(decide(NOW.plusSeconds(599), wish).create()).isEmpty();
    assertThat(decide(NOW.plusSeconds(600), wish).create())
        .containsExactly(new Create("llm", "n1", 2));
    assertThat(progress(decide(wish)).failure()).contains("n1: ErrImagePull: no such image");

    pod("llm", "n1", 2, State.FAILED, NOW.plusSeconds(600));
    var second = decide(NOW.plusSeconds(1799), wish);
    assertThat(second.delete()).containsExactly(first);
    assertThat(second.create()).isEmpty();
    assertThat(decide(NOW.plusSeconds(1800), wish).create())
        .containsExactly(new Create("llm", "n1", 3));

    pod("llm", "n1", 9, State.FAILED, NOW);
    assertThat(decide(NOW.plus(Duration.ofHours(2)), wish).create())
        .as("two hours at most")
        .containsExactly(new Create("llm", "n1", 10));
  }

  @Test
  void aFailureTakesNoTurnFromOthers() {
    pod("llm", "n1", 1, State.FAILED, NOW);

    assertThat(decide(llm(on("n1"), on("n2"), on("n3"))).create())
        .extracting(Create::node)
        .containsExactly("n2", "n3");
  }

  @Test
  void aRefusedBookingTakesNoTurnFromOthers() {
    var refused =
        new WarmWish(
            "chat",
            "d2",
            true,
            false,
            3,
            List.of(new Place("n1", NOW, false), new Place("n2", NOW, false)));

    var result = decide(refused, llm(on("n1"), on("n3")));

    assertThat(result.create())
        .containsExactly(new Create("llm", "n1", 1), new Create("llm", "n3", 1));
    assertThat(Objects.requireNonNull(result.progress().get("chat")).nodes()).isEqualTo(2);
  }

  @Test
  void placesThatWanderArePulledToForNoMoreNodesThanReplicas() {
    Stream.of("n1", "n2", "n3").forEach(it -> pod("llm", it, 1, State.PULLED, NOW));

    var bounded = decide(llm(on("n4"), on("n5")));
    assertThat(bounded.create()).isEmpty();
    assertThat(progress(bounded).isBounded()).isTrue();
    pods.removeLast();
    assertThat(decide(llm(on("n4"), on("n5"))).create())
        .containsExactly(new Create("llm", "n4", 1));
  }

  @Test
  void aNodeWhereNoReplicaIsExpectedGivesUpItsTurnAfterAnHour() {
    pod("llm", "n1", 1, State.PULLED, NOW);
    var second = pod("llm", "n2", 1, State.FAILED, NOW.plusSeconds(20));
    var first = pod("llm", "n3", 1, State.PULLED, NOW.plusSeconds(10));
    var wish = llm(on("n1"), on("n4"), on("n5"));

    assertThat(decide(NOW.plusSeconds(3609), wish).create()).isEmpty();
    var result = decide(NOW.plusSeconds(3610), wish);
    assertThat(result.delete()).containsExactly(first);
    assertThat(result.create()).containsExactly(new Create("llm", "n4", 1));
    assertThat(progress(result).isBounded()).as("n5 waits").isTrue();
    assertThat(decide(NOW.plusSeconds(3620), wish).delete()).containsExactly(first, second);
    assertThat(decide(NOW.plusSeconds(3620), llm(on("n1"))).delete())
        .as("not without need")
        .isEmpty();
  }

  @Test
  void aPodThatIsLeavingStillTakesItsTurn() {
    pods.add(new WarmPod("models", "old", "gone", "n1", "d0", 1, State.PULLING, NOW, "", true));

    var result = decide(llm(on("n1"), on("n2"), on("n3")));
    assertThat(result.delete()).isEmpty();
    assertThat(result.create()).containsExactly(new Create("llm", "n2", 1));
  }

  @Test
  void podsOnDeadNodesTakeNoTurnLongerThanTheyMayPull() {
    var dead = pod("llm", "n1", 1, State.PULLING, NOW);
    pods.add(new WarmPod("models", "old", "gone", "n2", "d0", 1, State.PULLING, NOW, "", true));
    var wish = llm(on("n1"), on("n2"), on("n3"));

    var before = NOW.plus(Duration.ofMinutes(30).plusSeconds(59));
    assertThat(decide(before, wish).create()).isEmpty();
    assertThat(progress(decide(before, wish)).pulling()).isEqualTo(1);

    var result = decide(NOW.plus(Duration.ofMinutes(31)), wish);
    assertThat(result.create())
        .containsExactly(new Create("llm", "n2", 1), new Create("llm", "n3", 1));
    assertThat(progress(result).failure())
        .contains("n1: its time is over, and the node does not end it");
    assertThat(decide(NOW.plus(Duration.ofMinutes(41)), wish).create())
        .as("tried again after ten minutes")
        .startsWith(new Create("llm", "n1", 2));
    assertThat(result.delete()).as("it is the memory of the attempt").doesNotContain(dead);
  }
}
