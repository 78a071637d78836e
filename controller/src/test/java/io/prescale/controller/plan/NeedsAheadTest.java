package io.prescale.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.plan.DemandAhead.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;

class NeedsAheadTest {
  private static final Instant START = Instant.parse("2026-11-24T06:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(15);
  private static final Duration LEAD = Duration.ofMinutes(5);
  private static final int DAY = 96;

  /** Two replicas are certain; from 08:00 to 09:30 five are, and up to nine are possible. */
  private static double morning(int h, double level) {
    return h >= 8 && h < 14 ? 4.5 + 4 * level : 1.5;
  }

  private static DemandAhead demand(ToDoubleBiFunction<Integer, Double> demand) {
    return DemandAhead.of(START, STEP, DAY, demand, List.of(new Bounds(DAY, 1, 500)));
  }

  private static List<ReplicaNeed> needs(
      ToDoubleBiFunction<Integer, Double> demand, double price, List<ReplicaNeed> said) {
    return NeedsAhead.of(demand(demand), LEAD, price, said, START);
  }

  private static ReplicaNeed need(String from, String until, int replicas, int percent) {
    return new ReplicaNeed(at(from), at(until), replicas, percent);
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-24T" + time + ":00Z");
  }

  @Test
  void aMorningIsNeededALeadTimeEarlierWithTheProbabilityOfEachReplica() {
    assertThat(needs(NeedsAheadTest::morning, 9, List.of()))
        .as("two all the time, and in the morning each further one less probably")
        .containsExactly(
            need("05:55", "12:00", 2, 100),
            need("07:55", "09:30", 5, 100),
            need("07:55", "09:30", 6, 87),
            need("07:55", "09:30", 7, 62),
            need("07:55", "09:30", 8, 37),
            need("07:55", "09:30", 9, 12));
  }

  @Test
  void whatIsWorthKeepingFollowsFromThePriceOfAShortage() {
    assertThat(needs(NeedsAheadTest::morning, 1, List.of()))
        .as("at a price of 1, more likely than not")
        .extracting(ReplicaNeed::replicas)
        .containsExactly(2, 5, 6, 7);
    assertThat(needs(NeedsAheadTest::morning, 0.25, List.of()))
        .as("at a price of a quarter, 80 %")
        .extracting(ReplicaNeed::replicas)
        .containsExactly(2, 5, 6);
  }

  @Test
  void aForecastThatJittersChangesNothing() {
    var said = needs(NeedsAheadTest::morning, 9, List.of());

    var later = needs((h, level) -> h >= 9 && h < 14 ? 4.55 + 4 * level : 1.5, 9, said);

    assertThat(later).as("a step later and a little higher").containsExactlyElementsOf(said);
    var random = new SplittableRandom(20);
    for (int i = 0; i < 20; i++) {
      double shift = random.nextDouble(-0.3, 0.3);
      assertThat(needs((h, level) -> morning(h, level) + shift, 9, said))
          .as("shifted by %s", shift)
          .containsExactlyElementsOf(said);
    }
  }

  @Test
  void aForecastThatContradictsIsFollowedAtOnce() {
    var said = needs(NeedsAheadTest::morning, 9, List.of());

    assertThat(needs((h, level) -> h >= 7 && h < 14 ? 4.5 + 4 * level : 1.5, 9, said))
        .as("an earlier beginning")
        .contains(need("07:40", "09:30", 5, 100))
        .doesNotContain(said.get(1));
    assertThat(needs((h, level) -> h >= 10 && h < 14 ? 4.5 + 4 * level : 1.5, 9, said))
        .as("two steps later")
        .contains(need("08:25", "09:30", 5, 100))
        .doesNotContain(said.get(1));
    assertThat(needs((_, _) -> 1.5, 9, said))
        .as("no morning today")
        .containsExactly(need("05:55", "12:00", 2, 100));
  }

  @Test
  void aReplicaThatIsHardlyWorthItStaysUntilItIsWorthHalf() {
    ToDoubleBiFunction<Integer, Double> rare = (_, level) -> level > 0.9 ? 2 : 1;
    ToDoubleBiFunction<Integer, Double> rarer = (_, level) -> level > 0.95 ? 2 : 1;

    var said = needs(rare, 9, List.of());

    assertThat(said).extracting(ReplicaNeed::replicas).containsExactly(1, 2);
    assertThat(needs(rarer, 9, List.of())).extracting(ReplicaNeed::replicas).containsExactly(1);
    assertThat(needs(rarer, 9, said)).extracting(ReplicaNeed::replicas).containsExactly(1, 2);
    assertThat(needs((_, _) -> 1, 9, said)).extracting(ReplicaNeed::replicas).containsExactly(1);
  }

  @Test
  void whatIsOverIsNotSaidAndWhatHasBegunIsNotSaidAnew() {
    var forecast = demand(NeedsAheadTest::morning);
    var said = NeedsAhead.of(forecast, LEAD, 9, List.of(), START);

    var later = NeedsAhead.of(forecast, LEAD, 9, said, at("08:40"));

    assertThat(later).as("at 08:40 all have begun").containsExactlyElementsOf(said);
    assertThat(NeedsAhead.of(forecast, LEAD, 9, said, at("09:30")))
        .containsExactly(need("05:55", "12:00", 2, 100));
    assertThat(NeedsAhead.of(forecast, LEAD, 9, said, at("12:00"))).isEmpty();
  }

  @Test
  void aLargeWorkloadIsSaidInFewNumbersAndTheLatestAreLeftOut() {
    var wild =
        DemandAhead.of(
            START,
            STEP,
            DAY,
            (h, level) -> (h % 2 == 0 ? 9_000 : 100) * (1 + level),
            List.of(new Bounds(DAY, 0, 100_000)));

    var needs = NeedsAhead.of(wild, LEAD, 200, List.of(), START);

    assertThat(needs)
        .hasSize(NeedsAhead.MOST)
        .isSortedAccordingTo((a, b) -> a.from().compareTo(b.from()));
    assertThat(needs.getFirst().from()).isEqualTo(at("05:55"));
    assertThat(needs).extracting(ReplicaNeed::replicas).contains(17_408);
    assertThat(needs).allMatch(it -> it.from().isBefore(at("08:40")));
  }

  /** Between two replicas and 122 for an hour and a half: 60 numbers, two apart. */
  @Test
  void aLargeForecastThatJittersHasTheSameNumbers() {
    ToDoubleBiFunction<Integer, Double> large = (h, level) -> h >= 8 && h < 14 ? 121.5 * level : 2;
    var said = needs(large, 9, List.of());

    assertThat(said)
        .hasSizeGreaterThan(20)
        .allMatch(it -> it.replicas() % 4 == 0 || it.percent() == 100);
    var random = new SplittableRandom(21);
    for (int i = 0; i < 20; i++) {
      double shift = random.nextDouble(-1.5, 0.9);
      assertThat(
              needs(
                  (h, level) -> h >= 8 && h < 14 ? large.applyAsDouble(h, level) + shift : 2,
                  9,
                  said))
          .as("shifted by %s", shift)
          .containsExactlyElementsOf(said);
    }
  }

  /** At 50 numbers, one replica more or less does not take every second one away and back. */
  @Test
  void aRangeAboutTheMostNumbersStaysAsItWasSaid() {
    var fine = needs((_, level) -> 1 + 50.9 * level, 9, List.of());
    var wider = needs((_, level) -> 1 + 52.9 * level, 9, fine);
    var coarse = needs((_, level) -> 1 + 70 * level, 9, wider);

    assertThat(fine).extracting(ReplicaNeed::replicas).contains(21, 22, 23, 24);
    assertThat(wider).extracting(ReplicaNeed::replicas).contains(21, 22, 23, 24);
    assertThat(coarse).extracting(ReplicaNeed::replicas).contains(22, 24).doesNotContain(21, 23);
  }

  @Test
  void aServiceWithoutDemandNeedsNothing() {
    var idle = DemandAhead.of(START, STEP, 1, (_, _) -> 0, List.of(new Bounds(1, 0, 9)));

    assertThat(NeedsAhead.of(idle, LEAD, 20, List.of(), START)).isEmpty();
    assertThatThrownBy(() -> NeedsAhead.of(idle, LEAD, Double.NaN, List.of(), START))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> NeedsAhead.of(idle, LEAD, 0, List.of(), START))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> NeedsAhead.of(idle, LEAD.negated(), 1, List.of(), START))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ReplicaNeed(START, START, 1, 50))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
