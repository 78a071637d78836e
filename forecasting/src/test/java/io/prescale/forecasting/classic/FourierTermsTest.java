package io.prescale.forecasting.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.Season;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FourierTermsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Season DAILY = new Season(Season.DAY, 0.9);
  private static final Season WEEKLY = new Season(Season.WEEK, 0.8);

  @Test
  void aPairForEachHarmonicOfThePhase() {
    var day = terms(DAILY).getFirst();
    var row = new double[2 + 2 * day.count()];
    day.fill(row, 2, 1 / 8.0, day.sizes(MINUTE, 1));

    double half = Math.sqrt(0.5);
    assertThat(Arrays.copyOf(row, 8))
        .containsExactly(new double[] {0, 0, half, half, 0, 1, -half, half}, within(1e-12));
  }

  @Test
  void theWeekLeavesTheHarmonicsOfTheDayToTheDay() {
    var week = terms(DAILY, WEEKLY).getLast();
    var row = new double[2 * week.count()];
    week.fill(row, 0, 1 / 28.0, week.sizes(MINUTE, 1));

    // The seventh term is the eighth harmonic, and so on.
    assertThat(row[2 * 5]).isCloseTo(Math.cos(6 * Math.PI / 14), within(1e-12));
    assertThat(row[2 * 6]).isCloseTo(Math.cos(8 * Math.PI / 14), within(1e-12));
  }

  @Test
  void aShortSeasonHasAsManyHarmonicsAsTheGridCanShow() {
    assertThat(terms(new Season(Duration.ofMinutes(10), 1)).getFirst().count()).isEqualTo(4);
    assertThat(terms(new Season(Duration.ofMinutes(2), 1)).getFirst().count()).isZero();
  }

  @Test
  void theMeanOfABlockIsThatOfItsSteps() {
    var terms = terms(new Season(Duration.ofMinutes(20), 1)).getFirst();
    double mean = 0;
    for (int i = 0; i < 5; i++) {
      mean += Math.cos(2 * Math.PI * 3 * (i - 2) / 20.0) / 5;
    }
    assertThat(terms.sizes(MINUTE, 5)[2]).isCloseTo(mean, within(1e-12));
    assertThat(terms.sizes(MINUTE, 1)[2]).isEqualTo(1);
  }

  @Test
  void aProfileIsTheSumOfItsTerms() {
    var profile = terms(DAILY).getFirst().profile(new double[] {3, 0, 0, 2});

    for (double phase : new double[] {0, 0.1, 0.37, 0.99}) {
      double expected = 3 * Math.cos(2 * Math.PI * phase) + 2 * Math.sin(4 * Math.PI * phase);
      assertThat(profile.at(phase)).isCloseTo(expected, within(1e-3));
    }
  }

  private static List<FourierTerms> terms(Season... seasons) {
    return FourierTerms.of(List.of(seasons), MINUTE, Duration.ofDays(14));
  }
}
