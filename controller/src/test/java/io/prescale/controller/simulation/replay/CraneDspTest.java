package io.prescale.controller.simulation.replay;

import static io.prescale.controller.simulation.replay.Demands.DAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.simulation.replay.CraneDsp.OtherPeriod;
import io.prescale.controller.simulation.replay.CraneEstimator.LowPass;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CraneDspTest {

  private static final List<CraneEstimator> HIGHEST_PLUS_TENTH =
      List.of(new CraneEstimator(new Highest(), 0.1));

  @Test
  void servesTheHighestPredictionOfTheComingHour() {
    double[] wave = Demands.of(4 * DAY, i -> 100 + 50 * Math.sin(2 * Math.PI * i / DAY));
    double[] served = served(policy(HIGHEST_PLUS_TENTH), wave);

    int minute = 3 * DAY + 200;
    assertThat(served[minute]).isCloseTo(1.1 * wave[200 + 60], within(1e-9));
    int peak = 3 * DAY + DAY / 4;
    assertThat(served[peak]).isCloseTo(1.1 * 150, within(0.001));
    assertThat(served[peak + 60]).isCloseTo(1.1 * wave[DAY / 4 + 60], within(1e-9));
  }

  @Test
  void isReactiveUntilTwoPeriodsArePast() {
    double[] wave = Demands.wave(3 * DAY, DAY, 1);
    double[] served = served(policy(CraneEstimator.defaults()), wave);

    assertThat(Arrays.copyOfRange(served, 1, 2 * DAY))
        .containsExactly(Arrays.copyOf(wave, 2 * DAY - 1));
    assertThat(served[2 * DAY + 100]).isGreaterThan(wave[2 * DAY + 99]);
  }

  @Test
  void neverServesLessThanThereIsNow() {
    double[] wave = Demands.wave(4 * DAY, DAY, 1);
    Arrays.fill(wave, 3 * DAY + 500, 3 * DAY + 600, 400);
    double[] served = served(policy(CraneEstimator.defaults()), wave);

    for (int i = 1; i < wave.length; i++) {
      assertThat(served[i]).isGreaterThanOrEqualTo(wave[i - 1]);
    }
  }

  @Test
  void doesNotPredictAnotherPeriodThanADayOrAWeekUnlessToldTo() {
    double[] halfDays = Demands.wave(4 * DAY, DAY / 2, 1);

    double[] strict = served(policy(HIGHEST_PLUS_TENTH), halfDays);
    assertThat(Arrays.copyOfRange(strict, 1, strict.length))
        .containsExactly(Arrays.copyOf(halfDays, strict.length - 1));

    var lenient = new CraneDsp(0.8, HIGHEST_PLUS_TENTH, OtherPeriod.TAKEN_FOR_A_DAY);
    assertThat(served(lenient, halfDays)[3 * DAY + DAY / 8]).isGreaterThan(160);
  }

  @Test
  void aGapOfMoreThanAnHourEndsTheHistoryAndOneOfAnHourDoesNot() {
    double[] wave = Demands.wave(4 * DAY, DAY, 1);
    double[] served = served(policy(HIGHEST_PLUS_TENTH), missing(wave, 3 * DAY - 200, 61));
    assertThat(served[3 * DAY + 100]).isEqualTo(wave[3 * DAY + 99]);

    served = served(policy(HIGHEST_PLUS_TENTH), missing(wave, 3 * DAY - 200, 60));
    assertThat(served[3 * DAY + 100]).isGreaterThan(1.05 * wave[3 * DAY + 99]);
  }

  @Test
  void predictsThroughAnOutageInTime() {
    double[] wave = Demands.of(4 * DAY, i -> 100 + 50 * Math.sin(2 * Math.PI * i / DAY));
    double[] served = served(policy(HIGHEST_PLUS_TENTH), missing(wave, 3 * DAY - 30, 130));

    assertThat(served[3 * DAY + 50]).isCloseTo(1.1 * wave[50 + 60], within(1e-6));
  }

  @Test
  void hasNothingToServeWhereNothingWasObserved() {
    double[] served =
        served(policy(CraneEstimator.defaults()), Demands.of(3 * DAY, i -> Double.NaN));

    assertThat(served).containsOnly(Double.NaN);
  }

  @Test
  void tooLowAPredictionWeighsMore() {
    assertThat(CraneDsp.error(new double[] {1, 2}, new double[] {2, 2})).isEqualTo(0.5);
    assertThat(CraneDsp.error(new double[] {1, 2}, new double[] {1, 1}))
        .isCloseTo(Math.log(2) / Math.log(1.25) / 2, within(1e-15));
  }

  @Test
  void theErrorIsAbsoluteWhereAnActualValueIsAboutZero() {
    assertThat(CraneDsp.error(new double[] {0, 2}, new double[] {1, 0})).isEqualTo(1.5);
  }

  @Test
  void theLowPassKeepsTheCycleAndDropsWeakRipple() {
    double[] cycle = Demands.of(3 * DAY, i -> 100 + 50 * Math.sin(2 * Math.PI * i / DAY));
    double[] rippled = Demands.of(3 * DAY, i -> cycle[i] + 0.8 * Math.sin(2 * Math.PI * i / 20));

    double[] next = new LowPass(1, 1.0).next(rippled, DAY);

    assertThat(next).containsExactly(Arrays.copyOf(cycle, DAY), within(1e-9));
  }

  @Test
  void theLowPassKeepsAsManyStrongFrequenciesAsAsked() {
    double[] rippled = Demands.of(3 * DAY, i -> 100 + 0.8 * Math.sin(2 * Math.PI * i / 20));

    assertThat(new LowPass(3, 1.0).next(rippled, DAY))
        .containsExactly(Arrays.copyOf(rippled, DAY), within(1e-9));
  }

  @Test
  void theLowPassGivesAHundredthWhereItWouldFallBelowZero() {
    double[] mostlyIdle = Demands.of(2 * DAY, i -> i % DAY < 30 ? 50 : 0);

    double[] next = new LowPass(1, 1.0).next(mostlyIdle, DAY);

    assertThat(Arrays.stream(next).allMatch(x -> x > 0)).isTrue();
    assertThat(next).contains(0.01);
  }

  @Test
  void theHighestOfAllPeriodsIsTakenPhaseByPhase() {
    assertThat(new Highest().next(new double[] {1, 5, 3, 4, 2, 3}, 3)).containsExactly(4, 5, 3);
  }

  @Test
  void defaultsAreCranesEightEstimators() {
    assertThat(CraneEstimator.defaults())
        .hasSize(8)
        .contains(
            new CraneEstimator(new LowPass(3, 1.0), 0.01),
            new CraneEstimator(new LowPass(50, 0.05), 0.20));
    assertThatThrownBy(() -> new CraneEstimator(new Highest(), -0.1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CraneDsp(1, List.of(), OtherPeriod.NO_PREDICTION))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static CraneDsp policy(List<CraneEstimator> estimators) {
    return new CraneDsp(0.8, estimators, OtherPeriod.NO_PREDICTION);
  }

  private static double[] served(ReplayPolicy policy, double[] observed) {
    return Demands.of(
        observed.length,
        minute -> policy.next(Views.at(minute, observed)).value().orElse(Double.NaN));
  }

  private static double[] missing(double[] observed, int from, int minutes) {
    double[] gap = observed.clone();
    Arrays.fill(gap, from, from + minutes, Double.NaN);
    return gap;
  }

  /** The highest value of all periods at each phase. */
  private record Highest() implements CraneEstimator.Shape {
    @Override
    public double[] next(double[] signal, int period) {
      double[] next = Arrays.copyOf(signal, period);
      for (int i = period; i < signal.length; i++) {
        next[i % period] = Math.max(next[i % period], signal[i]);
      }
      return next;
    }
  }
}
