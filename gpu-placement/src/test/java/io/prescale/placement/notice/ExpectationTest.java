package io.prescale.placement.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When keeping cards is worth what it costs. */
class ExpectationTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");

  private static Expectation expected(double probability, double price, Duration length) {
    var claim =
        new Claimant(
            "team/booking/0",
            "serving",
            Set.of(),
            List.of(RequestShape.of(2, GpuDemand.WholeGpu.ANY)),
            2000,
            Optional.of(Set.of("n0")),
            0,
            NOW);
    return new Expectation("team/booking", claim, NOW, NOW.plus(length), probability, price);
  }

  private static CardHolder leaving(long milli) {
    return leaving(milli, CardHolder.USUAL_PAUSE_COST);
  }

  private static CardHolder leaving(long milli, Duration pauseCost) {
    return new CardHolder(
        "victim",
        "training",
        milli,
        ReclaimPolicy.Mode.ACT,
        false,
        Duration.ofMinutes(5),
        pauseCost,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /** An hour: without, p x price x 2 card-hours; with free cards, (1 - p) x 2. */
  @ParameterizedTest
  @CsvSource({
    "0.05, 20, true", // 2 against 1.9
    "0.04, 20, false", // 1.6 against 1.92
    "0.5, 1, false", // equal
    "0.51, 1, true",
    "1, 0, false",
    "1, 0.01, true",
    "0, 1000, false"
  })
  void freeCardsAreKeptIfBeingWithoutThemCostsMoreThanTheyIdle(
      double probability, double price, boolean isWorth) {
    assertThat(expected(probability, price, Duration.ofHours(1)).isWorth(List.of(), NOW))
        .isEqualTo(isWorth);
  }

  /** If it is not needed, the victims lose their cards for the time, and ten minutes. */
  @ParameterizedTest
  @CsvSource({
    "60, 0.06, 2000, true", // 2.4 against 0.94 x 2 x 70/60 = 2.19
    "60, 0.05, 2000, false", // 2 against 0.95 x 2.33 = 2.22
    "10, 0.06, 2000, false", // 0.4 against 0.94 x 2 x 20/60 = 0.63
    "10, 0.11, 2000, true", // 0.73 against 0.89 x 0.67 = 0.59
    "60, 0.45, 32000, false", // 18 against 0.55 x 37.3 = 20.5: sixteen times the cards
    "60, 0.5, 32000, true", // 20 against 18.7
    "60, 1, 999000, true", // it comes, and they would leave then
  })
  void podsAreAskedIfBeingWithoutTheirCardsCostsMoreThanTheirPause(
      int minutes, double probability, long milli, boolean isWorth) {
    assertThat(
            expected(probability, 20, Duration.ofMinutes(minutes))
                .isWorth(List.of(leaving(milli)), NOW))
        .isEqualTo(isWorth);
  }

  @ParameterizedTest
  @CsvSource({
    "0, true", // 2.4 against 0.94 x 2
    "10, true", // 2.19
    "20, false", // 2.51
    "1440, false" // 47
  })
  void aPauseThatCostsMoreNeedsAMoreProbableNeed(int minutes, boolean isWorth) {
    assertThat(
            expected(0.06, 20, Duration.ofHours(1))
                .isWorth(List.of(leaving(2000, Duration.ofMinutes(minutes))), NOW))
        .isEqualTo(isWorth);
  }

  @Test
  void aPauseCostsNothingOrMore() {
    assertThatThrownBy(() -> leaving(1000, Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give 0 or more");
  }

  @Test
  void whatIsLeftOfTheTimeCounts() {
    var hour = expected(0.06, 20, Duration.ofHours(1));

    assertThat(hour.isWorth(List.of(leaving(2000)), NOW)).isTrue();
    assertThat(hour.isWorth(List.of(leaving(2000)), NOW.plus(Duration.ofMinutes(50)))).isFalse();
    assertThat(hour.isWorth(List.of(leaving(2000)), NOW.minus(Duration.ofDays(1)))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "-0.1, 1, 1",
    "1.1, 1, 1",
    "NaN, 1, 1",
    "1, -1, 1",
    "1, NaN, 1",
    "1, Infinity, 1",
    "1, 1, 0"
  })
  void nonsenseIsRefused(double probability, double price, int minutes) {
    assertThatThrownBy(() -> expected(probability, price, Duration.ofMinutes(minutes)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give");
  }
}
