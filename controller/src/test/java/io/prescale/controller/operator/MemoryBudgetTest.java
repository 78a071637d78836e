package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.Remembering;
import io.prescale.controller.autoscaling.TargetSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryBudgetTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  private final MemoryBudget memory = new MemoryBudget(100);

  @Test
  void oneThatWaitsKeepsNoOtherWaiting() {
    assertThat(reserve("first", 0, 60)).isTrue();
    assertThat(memory.hasRoomFor("second", 41)).isFalse();
    assertThat(memory.hasRoomFor("first", 100)).as("in place of its own").isTrue();
    assertThat(memory.hasRoomFor("first", 101)).isFalse();
    assertThat(reserve("second", 1, 60)).as("no room").isFalse();
    assertThat(reserve("third", 2, 10)).as("room, although the second is older").isTrue();
    memory.release("first");
    assertThat(reserve("second", 1, 60)).isTrue();
  }

  @Test
  void anEditDisplacesNothingAndMayBeTakenBack() {
    assertThat(reserve("old", 0, 50)).isTrue();
    assertThat(reserve("young", 9, 40)).isTrue();

    assertThat(reserve("old", 0, 61)).as("more than is left").isFalse();
    assertThat(reserve("old", 0, 61)).as("nor when it asks again").isFalse();
    assertThat(reserve("old", 0, 60)).isTrue();
    assertThat(reserve("young", 9, 40)).as("what it has, it keeps").isTrue();
  }

  @Test
  void theOlderDisplacesTheYoungestInWhateverOrderANewLeaderMeetsThem() {
    assertThat(reserve("younger", 5, 30)).isTrue();
    assertThat(reserve("youngest", 9, 30)).isTrue();
    assertThat(reserve("oldest", 0, 30)).isTrue();

    assertThat(memory.reserve("old", "team", NOW.plusSeconds(1), 35)).contains(List.of("youngest"));
    assertThat(reserve("youngest", 9, 30)).isFalse();
    assertThat(memory.reserve("older", "team", NOW.minusSeconds(1), 71))
        .contains(List.of("younger", "old", "oldest"));
    assertThat(reserve("oldest", 0, 30)).isFalse();
  }

  @Test
  void aNamespaceLosesMemoryToAnotherOnlyWhileItHoldsMore() {
    for (int i = 0; i < 7; i++) {
      assertThat(memory.reserve("many-" + i, "many", NOW.plusSeconds(10 + i), 10)).isPresent();
    }
    assertThat(memory.reserve("few", "few", NOW.plusSeconds(30), 30)).isPresent();

    assertThat(memory.reserve("old-1", "old", NOW, 20))
        .as("the youngest of the namespace with the most, not the youngest of all")
        .contains(List.of("many-6", "many-5"));
    assertThat(memory.reserve("old-2", "old", NOW, 10))
        .as("50 are more than 20 + 10")
        .contains(List.of("many-4"));
    assertThat(memory.reserve("old-3", "old", NOW, 10))
        .as("40 are not more than 30 + 10, however old the object is")
        .isEmpty();
  }

  @Test
  void aNewTeamGetsItsPartOfAFullBudgetAndNothingFlaps() {
    for (int i = 0; i < 10; i++) {
      assertThat(memory.reserve("greedy-" + i, "greedy", NOW.plusSeconds(i), 10)).isPresent();
    }
    assertThat(memory.reserve("team-1", "team", NOW.plusSeconds(60), 30))
        .as("although it is the youngest of all")
        .contains(List.of("greedy-9", "greedy-8", "greedy-7"));
    assertThat(memory.whyItWaits("greedy-9", 10)).contains("went to a namespace that held less");
    assertThat(memory.whyItWaits("team-9", 10)).doesNotContain("went to");
    assertThat(memory.reserve("team-2", "team", NOW.plusSeconds(61), 20))
        .as("70 are more than 30 + 20")
        .contains(List.of("greedy-6", "greedy-5"));
    assertThat(memory.reserve("team-3", "team", NOW.plusSeconds(62), 10))
        .as("50 are not more than 50 + 10: greedy has no more than its part")
        .isEmpty();
    for (int i = 5; i < 10; i++) {
      assertThat(memory.reserve("greedy-" + i, "greedy", NOW.plusSeconds(i), 10))
          .as("one that was displaced waits")
          .isEmpty();
    }

    memory.forget("team-2");
    assertThat(memory.reserve("greedy-9", "greedy", NOW.plusSeconds(9), 10)).contains(List.of());
  }

  @Test
  void aNamespaceThatHoldsNothingWaitsForRoomNoLonger() {
    assertThat(memory.reserve("only", "large", NOW, 60)).isPresent();
    assertThat(memory.reserve("mid", "team", NOW, 45)).contains(List.of("only"));
    assertThat(memory.reserve("only", "large", NOW, 60)).as("45 are not more than 60").isEmpty();
    assertThat(memory.reserve("fills", "team", NOW.plusSeconds(1), 55)).contains(List.of());

    assertThat(memory.reserve("only", "large", NOW, 20))
        .as("100 are more than 0 + 20, and it was displaced")
        .contains(List.of("fills"));
  }

  @Test
  void anEditTakesBackItsNamespacesPart() {
    for (int i = 0; i < 9; i++) {
      assertThat(memory.reserve("greedy-" + i, "greedy", NOW.plusSeconds(i), 10)).isPresent();
    }
    assertThat(memory.reserve("small", "team", NOW, 10)).isPresent();

    assertThat(memory.reserve("small", "team", NOW, 30)).contains(List.of("greedy-8", "greedy-7"));
  }

  @Test
  void oneThatReturnsFromAnotherReplicaIsANewOne() {
    assertThat(reserve("old", 0, 60)).isTrue();
    memory.forget("old");
    assertThat(reserve("young", 1, 60)).isTrue();
    assertThat(memory.reserve("old", "team", NOW, 60)).contains(List.of("young"));
  }

  @Test
  void oneThatNeverFitsDisplacesNone() {
    assertThat(reserve("small", 1, 100)).isTrue();
    assertThat(reserve("huge", 0, 101)).isFalse();
    assertThat(reserve("small", 1, 100)).isTrue();
  }

  /** The objects of a heap hold 14 days of minutes each; the first heap is the chart's. */
  @ParameterizedTest
  @CsvSource({"614, 1200, 1400", "1024, 2000, 2300"})
  void aHeapHoldsAtLeastSoManyObjects(long heapInMib, long least, long most) {
    assertThat(MemoryBudget.ofHeap(heapInMib << 20).bytes() / cost(daysOfMinutes(14)))
        .isBetween(least, most);
  }

  @Test
  void leadingSeriesCostTheirHistoriesAndModels() {
    long minutesOf14Days = 14 * 1440;
    var led = new MetricSettings("load", 4, List.of("gateway", "sessions"));
    var settings = Remembering.history(Duration.ofDays(14), TargetSettings.of(led));
    assertThat(cost(settings) - cost(daysOfMinutes(14)))
        .isEqualTo(2 * 8 * minutesOf14Days + (64 << 10));
  }

  /** Each step of a lead time has a forecast whose window is not over. */
  @Test
  void longLeadTimesAtShortStepsCostTheirOpenForecasts() {
    var settings = daysOfMinutes(14);
    long dayAhead = MemoryBudget.cost(settings, Optional.of(Duration.ofDays(1)));

    assertThat(dayAhead - cost(settings)).isEqualTo((1440 + 5 - 75) * 640);
    assertThat(MemoryBudget.cost(settings, Optional.of(Duration.ofMinutes(5))))
        .isEqualTo(cost(settings));
  }

  private static long cost(TargetSettings settings) {
    return MemoryBudget.cost(settings, Optional.empty());
  }

  private static TargetSettings daysOfMinutes(int days) {
    return Remembering.history(
        Duration.ofDays(days), TargetSettings.of(new MetricSettings("load", 4)));
  }

  private boolean reserve(String uid, int created, long cost) {
    return memory.reserve(uid, "team", NOW.plusSeconds(created), cost).isPresent();
  }
}
