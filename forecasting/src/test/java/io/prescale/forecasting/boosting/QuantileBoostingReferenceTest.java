package io.prescale.forecasting.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Pinball loss on held-out rows against public implementations, on reproducible data.
 *
 * <p>Rows come one after another from {@link Samples.Uniform} with seed 20240607: eight features,
 * then twelve numbers for the noise; 3,000 to train, 2,000 to test. The target is Friedman's first
 * function (1991) with noise that grows with x₅. The references were fitted with one ensemble per
 * quantile of 300 rounds, learning rate 0.1, 8 leaves, at least 20 rows in a leaf, 70 % of the rows
 * and 60 % of the columns: LightGBM 4.7.0 ({@code objective="quantile", max_bin=63, seed=1}) and
 * scikit-learn 1.9.1 ({@code GradientBoostingRegressor(loss="quantile", max_features=0.6,
 * random_state=1)}). Ours is one ensemble for all three quantiles.
 */
class QuantileBoostingReferenceTest {
  private static final double[] LIGHTGBM = {0.33358, 0.67526, 0.21942};
  private static final double[] SCIKIT_LEARN = {0.32632, 0.69545, 0.21166};
  private static final double[] CONSTANT = {0.89074, 2.08970, 0.50352};

  @Test
  void losesAboutAsMuchAsLightGbmAndScikitLearn() {
    var random = new Samples.Uniform(20240607);
    var train = friedman(3000, random);
    var test = friedman(2000, random);
    // The same data as the references saw.
    assertThat(train.target[0]).isEqualTo(16.386184070330824);
    assertThat(test.target[1999]).isEqualTo(13.97221554039863);

    var trees = train.fit(Samples.settings(300, 20, 1));
    for (int q = 0; q < 3; q++) {
      double loss = test.pinballLoss(trees, q);
      double level = Samples.QUANTILES[q];
      assertThat(loss / LIGHTGBM[q]).as("LightGBM, level %s", level).isLessThan(1.03);
      assertThat(loss / SCIKIT_LEARN[q]).as("scikit-learn, level %s", level).isLessThan(1.03);
      assertThat(loss / CONSTANT[q]).as("no features, level %s", level).isLessThan(0.5);
    }
  }

  private static Samples friedman(int rows, Samples.Uniform random) {
    return Samples.of(
        rows,
        8,
        random,
        (x, noise) ->
            10 * Math.sin(Math.PI * x[0] * x[1])
                + 20 * (x[2] - 0.5) * (x[2] - 0.5)
                + 10 * x[3]
                + 5 * x[4]
                + (0.5 + 2 * x[5]) * noise);
  }
}
