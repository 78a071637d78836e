package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.Remembering;
import io.prescale.controller.autoscaling.TargetSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryBudgetTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  private final MemoryBudget memory = new MemoryBudget(100);

  @Test
  void theOldestThatWaitsBeginsWhenThereIsRoom() {
    assertThat(reserve("first", 0, 60)).isTrue();
    assertThat(reserve("second", 1, 60)).as("no room").isFalse();
    assertThat(reserve("third", 2, 10)).as("room, but the second is older").isFalse();
    memory.release("first");
    assertThat(reserve("third", 2, 10)).as("the second is older still").isFalse();
    assertThat(reserve("second", 1, 60)).isTrue();
    assertThat(reserve("third", 2, 10)).isTrue();
  }

  @Test
  void aTargetThatGrowsGivesBackWhatItHeld() {
    assertThat(reserve("first", 0, 60)).isTrue();
    assertThat(reserve("second", 1, 30)).isTrue();
    assertThat(reserve("second", 1, 41)).as("more than is left").isFalse();
    assertThat(reserve("first", 0, 60)).as("what it has, it keeps").isTrue();
    assertThat(reserve("second", 1, 40)).isTrue();
  }

  @Test
  void theOlderDisplacesTheYoungestInWhateverOrderANewLeaderMeetsThem() {
    assertThat(reserve("younger", 5, 30)).isTrue();
    assertThat(reserve("youngest", 9, 30)).isTrue();
    assertThat(reserve("oldest", 0, 30)).isTrue();

    assertThat(memory.reserve("old", NOW.plusSeconds(1), 35, NOW)).contains(List.of("youngest"));
    assertThat(reserve("youngest", 9, 30)).isFalse();
    assertThat(memory.reserve("older", NOW.minusSeconds(1), 71, NOW))
        .contains(List.of("younger", "old", "oldest"));
    assertThat(reserve("oldest", 0, 30)).isFalse();
  }

  @Test
  void oneThatNeverFitsKeepsNoOtherWaiting() {
    assertThat(reserve("huge", 0, 101)).isFalse();
    assertThat(reserve("small", 1, 100)).isTrue();
  }

  @Test
  void oneThatNoLongerAsksKeepsNoOtherWaiting() {
    assertThat(reserve("first", 0, 60)).isTrue();
    assertThat(reserve("deleted elsewhere", 1, 60)).isFalse();
    assertThat(memory.reserve("third", NOW, 10, NOW.plusSeconds(61))).isPresent();
  }

  /** The objects of a heap hold 14 days of minutes each; the first heap is the chart's. */
  @ParameterizedTest
  @CsvSource({"614, 1200, 1400", "1024, 2000, 2300"})
  void aHeapHoldsAtLeastSoManyObjects(long heapInMib, long least, long most) {
    assertThat(MemoryBudget.ofHeap(heapInMib << 20).bytes() / MemoryBudget.cost(daysOfMinutes(14)))
        .isBetween(least, most);
  }

  private static TargetSettings daysOfMinutes(int days) {
    return Remembering.history(
        Duration.ofDays(days), TargetSettings.of(new MetricSettings("load", 4)));
  }

  private boolean reserve(String uid, int created, long cost) {
    return memory.reserve(uid, NOW.plusSeconds(created), cost, NOW).isPresent();
  }
}
