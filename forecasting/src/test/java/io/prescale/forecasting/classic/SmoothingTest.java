package io.prescale.forecasting.classic;

import static io.prescale.forecasting.classic.PeriodicProfileTest.knots;
import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.Season;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The recursion and its forecasts. References: statsmodels 0.15.0, {@code ETSModel} with given
 * parameters and initial states, on airline passengers; a month is an hour here, and a year twelve.
 */
class SmoothingTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final double NO_CLIP = Double.POSITIVE_INFINITY;
  private static final List<Season> TWELVE = List.of(new Season(Duration.ofHours(12), 1));

  @Test
  void aSeasonWithDampedTrendAgreesWithStatsmodels() {
    var smoothing = new Smoothing(0.3, 0.03, 0.95, 0.2, 0);
    var months = new PeriodicProfile(new double[] {-9, -4, 8, 4, 0, 10, 22, 20, 8, -8, -22, -29});
    var state = new SmoothedState(NO_CLIP, 126, 1.5, 0, months);
    var values = PublishedData.airlinePassengers();
    assertThat(squaredErrors(smoothing, state, values, TWELVE))
        .isCloseTo(75779.64530710613, within(1e-6));

    var model = model(smoothing, state, TWELVE, values.length);
    assertThat(model.path(25))
        .containsExactly(
            new double[] {
              466.93000941, 457.024835034, 502.99325908, 508.282418527, 516.70660863,
              563.419239075, 607.731986152, 590.611923601, 509.482824607, 464.82900615,
              424.554965905, 464.21125561, 483.975948165, 473.218476851, 518.377218807,
              522.897180267, 530.590632284, 576.609061545, 620.262317499, 602.51573838,
              520.791448648, 475.572198989, 434.760999101, 473.906987146, 493.186893126
            },
            within(1e-8));
  }

  @Test
  void aDampedTrendWithoutSeasonAgreesWithStatsmodels() {
    var smoothing = new Smoothing(0.4, 0.08, 0.9, 0, 0);
    var state = new SmoothedState(NO_CLIP, 112, 2, 0);
    var values = Arrays.copyOf(PublishedData.airlinePassengers(), 24);
    assertThat(squaredErrors(smoothing, state, values, List.of()))
        .isCloseTo(7421.009946289556, within(1e-7));

    var model = model(smoothing, state, List.of(), values.length);
    assertThat(model.path(6))
        .containsExactly(
            new double[] {
              135.804320628,
              134.344321349,
              133.030321998,
              131.847722582,
              130.783383108,
              129.825477581
            },
            within(1e-8));
  }

  @Test
  void twoSeasonsLearnFromTheSameError() {
    var smoothing = new Smoothing(0.5, 0.1, 0.9, 0.25, 0.125);
    var shorter = PeriodicProfile.flat(2);
    var longer = PeriodicProfile.flat(4);
    var state = new SmoothedState(NO_CLIP, 10, 0, 0, shorter, longer);
    double error = state.observe(smoothing, 18, new double[][] {{0.5}, {0.75}}, 0);

    assertThat(error).isEqualTo(8);
    assertThat(state.level()).isEqualTo(14);
    assertThat(state.trend()).isEqualTo(0.8);
    assertThat(knots(shorter)).containsExactly(0, 2);
    assertThat(knots(longer)).containsExactly(0, 0, 0, 1);
  }

  @Test
  void aMissingValueAdvancesTheLevelByTheTrendAndChangesNothingElse() {
    var season = PeriodicProfile.flat(2);
    var state = new SmoothedState(SmoothedState.USUAL_CLIP, 10, 2, 1, season);
    double error =
        state.observe(new Smoothing(0.5, 0.1, 0.5, 0.2, 0), NaN, new double[][] {{0}}, 0);

    assertThat(error).isNaN();
    assertThat(state.level()).isEqualTo(11);
    assertThat(state.trend()).isEqualTo(1);
    assertThat(knots(season)).containsExactly(0, 0);
  }

  @Test
  void anOutlierCountsAsFourUsualErrors() {
    var state = new SmoothedState(SmoothedState.USUAL_CLIP, 10, 0, 1);
    state.observe(new Smoothing(0.5, 0, 1, 0, 0), 1010, new double[0][], 0);

    assertThat(state.level()).isEqualTo(12);

    state.observe(new Smoothing(0.5, 0, 1, 0, 0), 1010, new double[0][], 0);
    assertThat(state.level()).isCloseTo(12 + 2 * Math.sqrt(0.98 + 0.02 * 16), within(1e-12));
  }

  @Test
  void aLastingShiftOfTenThousandUsualErrorsIsLearnedWithinAnHourOfMinutes() {
    var state = new SmoothedState(SmoothedState.USUAL_CLIP, 10, 0, 0.1);
    for (int i = 0; i < 60; i++) {
      state.observe(new Smoothing(0.3, 0, 1, 0, 0), 1010, new double[0][], 0);
    }
    assertThat(state.level()).isCloseTo(1010, within(20.0));
  }

  @Test
  void theDampedTrendAddsUpToItsLimit() {
    var damped = new Smoothing(0.5, 0.1, 0.5, 0, 0);
    assertThat(damped.damped(3)).isEqualTo(0.875);
    assertThat(damped.damped(1000)).isCloseTo(1, within(1e-12));
    assertThat(new Smoothing(0.5, 0.1, 1, 0, 0).damped(7)).isEqualTo(7);
  }

  @Test
  void refusesParametersOutOfRange() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Smoothing(1.1, 0, 0.9, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Smoothing(0.1, 0.2, 0.9, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Smoothing(0.1, 0, NaN, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Smoothing(0.1, 0, 0.9, -1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Smoothing(0.1, 0, 0.9, 0, 2));
  }

  private static double squaredErrors(
      Smoothing smoothing, SmoothedState state, double[] values, List<Season> seasons) {
    var phases =
        new LocalClock(Instant.EPOCH, HOUR, ZoneOffset.UTC).phases(0, values.length, seasons);
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      double error = state.observe(smoothing, values[i], phases, i);
      sum += error * error;
    }
    return sum;
  }

  private static FittedHoltWinters model(
      Smoothing smoothing, SmoothedState state, List<Season> seasons, int seen) {
    var next = Instant.EPOCH.plus(HOUR.multipliedBy(seen));
    var clock = new LocalClock(next, HOUR, ZoneOffset.UTC);
    return new FittedHoltWinters(smoothing, state, ShiftDetector.never(), seasons, clock);
  }
}
