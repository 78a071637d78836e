package io.prescale.forecasting.classic;

import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** References: statsmodels 0.15.0, {@code linear_model.burg}, on sunspots. */
class AutoregressionTest {
  private static final Offset<Double> PRINTED = within(1e-9);

  @Test
  void burgAgreesWithStatsmodels() {
    var burg = new Burg(centred(PublishedData.sunspots()));
    burg.raiseOrder();
    assertThat(burg.coefficients()).containsExactly(new double[] {0.810616699}, PRINTED);
    burg.raiseOrder();
    assertThat(burg.coefficients())
        .containsExactly(new double[] {1.3552826666, -0.671915553}, PRINTED);
    for (int order = 3; order <= 9; order++) {
      burg.raiseOrder();
    }
    assertThat(burg.coefficients())
        .containsExactly(
            new double[] {
              1.2613573307,
              -0.6297764393,
              0.1233837249,
              -0.0403691753,
              -0.0182720701,
              -0.0841855761,
              0.0595346171,
              0.1242869865,
              0.0313286402
            },
            PRINTED);
  }

  @Test
  void forecastsAgreeWithStatsmodels() {
    var process = new Autoregression(new double[] {1.3552826666, -0.671915553});
    var values = Arrays.copyOf(centred(PublishedData.sunspots()), 106);
    for (int h = 100; h < 106; h++) {
      values[h] = process.next(values, h, 0);
    }
    assertThat(Arrays.copyOfRange(values, 100, 106))
        .containsExactly(
            new double[] {
              -24.764025153, -7.42944244, 6.570339095, 13.896624615, 14.419141437, 10.204654243
            },
            within(1e-7));
  }

  @Test
  void theMeanOfTheValuesIsNotThatOfTheProcess() {
    var process = new Autoregression(new double[] {0.5});
    assertThat(process.next(new double[] {14}, 1, 10)).isEqualTo(2);
  }

  @Test
  void findsTheOrderAndTheCoefficientsOfAProcess() {
    var process = Autoregression.fit(secondOrder(20_000, 3), 20);
    assertThat(process.order()).isBetween(2, 4);
    assertThat(process.coefficients()[0]).isCloseTo(1.2, within(0.03));
    assertThat(process.coefficients()[1]).isCloseTo(-0.5, within(0.03));
  }

  @Test
  void gapsInterruptTheProcessAndDoNotBiasIt() {
    var values = secondOrder(20_000, 3);
    for (int i = 0; i < values.length; i += 11) {
      values[i] = NaN;
    }
    var process = Autoregression.fit(values, 2);
    assertThat(process.coefficients()[0]).isCloseTo(1.2, within(0.03));
    assertThat(process.coefficients()[1]).isCloseTo(-0.5, within(0.03));
  }

  @Test
  void whereNoTwoValuesFollowEachOtherThereIsNothingToLearn() {
    var values = secondOrder(1000, 3);
    for (int i = 0; i < values.length; i += 2) {
      values[i] = NaN;
    }
    assertThat(Autoregression.fit(values, 10).order()).isZero();
  }

  @Test
  void aFitToALineStaysFinite() {
    var values = new double[500];
    Arrays.setAll(values, i -> i - 250);
    var process = Autoregression.fit(values, 30);
    var path = Arrays.copyOf(values, 10_000);
    for (int i = values.length; i < path.length; i++) {
      path[i] = process.next(path, i, 0);
    }
    assertThat(path[9_999]).isFinite();
  }

  @Test
  void zerosMissingAndNoValuesGiveTheEmptyProcess() {
    for (var values : new double[][] {new double[100], {NaN, NaN, NaN}, {}, {1, 2, 3}}) {
      assertThat(Autoregression.fit(values, 10).order()).isZero();
    }
  }

  @Test
  void innovationsAreWhatIsNotPredicted() {
    var process = new Autoregression(new double[] {0.5, 0.25});
    assertThat(process.innovations(new double[] {4, 8, 10, 1, NaN, 3, 3, 4}))
        .containsExactly(NaN, NaN, 5, -6, NaN, NaN, NaN, 1.75);
  }

  private static double[] secondOrder(int size, long seed) {
    var random = new Random(seed);
    var values = new double[size];
    for (int i = 2; i < size; i++) {
      values[i] = 1.2 * values[i - 1] - 0.5 * values[i - 2] + random.nextGaussian();
    }
    return values;
  }

  private static double[] centred(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    return Arrays.stream(values).map(value -> value - mean).toArray();
  }
}
