package io.prescale.controller.simulation.cards;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.scheduler.moves.DailyWindow;
import io.prescale.controller.scheduler.moves.MoveRow;
import io.prescale.placement.inventory.Nodes;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two nodes of eight cards, of which replicas of a card each have four, that is half of each. */
class MovedPodsTest {
  private static final Duration SECONDS = Duration.ofSeconds(15);
  private static final PodTemplate SERVICE =
      new PodTemplate("models", "chat", "", Map.of("nvidia.com/gpu", 1L), Map.of());
  private static final PodTemplate LARGE =
      new PodTemplate("models", "large", "", Map.of("nvidia.com/gpu", 8L), Map.of());

  private final CardScheduler scheduler =
      new CardScheduler(List.of(Nodes.a100("n0", 8), Nodes.a100("n1", 8)), List.of());
  private final List<String> evicted = new ArrayList<>();
  private int replicas;
  private Instant now = Instant.parse("2026-01-05T00:00:00Z");

  private MovedPods halves(int mostAnHour) {
    var night = new DailyWindow(LocalTime.of(1, 0), LocalTime.of(5, 0), ZoneOffset.UTC);
    var moved =
        new MovedPods(
            scheduler.ledger(), new MovedPods.Terms(mostAnHour, Duration.ofMinutes(10), night));
    IntStream.range(0, 16).forEach(_ -> create(SERVICE, "chat-%d".formatted(replicas++)));
    for (var node : List.of("n0", "n1")) {
      names()
          .filter(it -> scheduler.nodeOf(it).equals(Optional.of(node)))
          .limit(4)
          .toList()
          .forEach(scheduler::delete);
    }
    assertThat(onNode("n0")).isEqualTo(4);
    assertThat(onNode("n1")).isEqualTo(4);
    return moved;
  }

  private void create(PodTemplate template, String name) {
    scheduler.create(List.of(template.pod(name, Optional.empty(), now)), now);
  }

  private Stream<String> names() {
    return IntStream.range(0, replicas).mapToObj("chat-%d"::formatted);
  }

  private long onNode(String node) {
    return names().filter(it -> scheduler.nodeOf(it).equals(Optional.of(node))).count();
  }

  private void pass(MovedPods moved, Duration time) {
    for (var end = now.plus(time); now.isBefore(end); now = now.plus(SECONDS)) {
      moved.round(_ -> true, this::evict, now);
      scheduler.retry(now);
    }
  }

  private void evict(String name) {
    evicted.add(name);
    scheduler.delete(name);
    create(SERVICE, "chat-%d".formatted(replicas++));
  }

  @Test
  void freeCardsAreGatheredByNightOneMoveAfterTheOther() {
    var moved = halves(4);

    pass(moved, Duration.ofHours(1));
    assertThat(evicted).as("before the window").isEmpty();
    pass(moved, Duration.ofHours(1));

    assertThat(evicted).hasSize(4);
    assertThat(List.of(onNode("n0"), onNode("n1"))).containsExactlyInAnyOrder(8L, 0L);
    assertThat(moved.shown())
        .hasSize(4)
        .allMatch(it -> it.state() == MoveRow.State.MADE)
        .allMatch(it -> it.reason().equals("free cards are gathered"));
  }

  @Test
  void noMoreBeginThanAnHourMayHave() {
    var moved = halves(3);

    pass(moved, Duration.ofHours(4));
    assertThat(evicted).as("four would be of use, and three are not").isEmpty();
  }

  @Test
  void replicasMakeWayForAPodThatNeedsAWholeNode() {
    var moved = halves(4);
    pass(moved, SECONDS);
    now = Instant.parse("2026-01-05T01:00:00Z");
    create(LARGE, "large-0");
    assertThat(scheduler.nodeOf("large-0")).isEmpty();

    while (evicted.size() < 4) {
      pass(moved, SECONDS);
    }
    create(LARGE, "large-1");
    pass(moved, Duration.ofMinutes(1));

    assertThat(scheduler.nodeOf("large-0")).as("the room is kept for it").isPresent();
    assertThat(scheduler.nodeOf("large-1")).isEmpty();
    pass(moved, Duration.ofMinutes(30));
    assertThat(evicted).hasSize(4);
    assertThat(moved.shown()).allMatch(it -> it.reason().equals("it makes way for pod large-0"));
  }
}
