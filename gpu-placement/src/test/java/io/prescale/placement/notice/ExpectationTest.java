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
    return new CardHolder(
        "victim",
        "training",
        milli,
        ReclaimPolicy.Mode.ACT,
        false,
        Duration.ofMinutes(5),
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

  /** The victims lose their cards for the time, and ten minutes. */
  @ParameterizedTest
  @CsvSource({
    "60, 0.06, 2000, true", // 2.4 against 2 x 70/60 = 2.33
    "60, 0.05, 2000, false", // 2 against 2.33
    "10, 0.06, 2000, false", // 0.4 against 2 x 20/60 = 0.67
    "10, 0.11, 2000, true", // 0.73 against 0.67
    "60, 0.9, 32000, false", // 36 against 37.3: sixteen times the cards
    "60, 0.95, 32000, true", // 38 against 37.3
  })
  void podsAreAskedIfBeingWithoutTheirCardsCostsMoreThanTheirPause(
      int minutes, double probability, long milli, boolean isWorth) {
    assertThat(
            expected(probability, 20, Duration.ofMinutes(minutes))
                .isWorth(List.of(leaving(milli)), NOW))
        .isEqualTo(isWorth);
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
