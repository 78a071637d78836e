package io.prescale.forecasting.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BinnedColumnsTest {

  @Test
  void aCodeSaysOnWhichSideOfEveryThresholdAValueLies() {
    var random = new Random(1);
    double[] column =
        random
            .doubles(3000)
            .map(u -> u < 0.2 ? Double.NaN : u < 0.5 ? Math.floor(10 * u) : 100 * u * u)
            .toArray();
    var binned = BinnedColumns.of(new double[][] {column});
    byte[] codes = binned.codes(0);
    int highest = IntStream.range(0, codes.length).map(i -> codes[i]).max().orElseThrow();
    assertThat(highest).isLessThan(BinnedColumns.MAX_BINS);
    for (int code = 0; code < highest; code++) {
      double threshold = binned.threshold(0, code);
      for (int i = 0; i < column.length; i++) {
        assertThat(codes[i] > code).isEqualTo(column[i] > threshold);
      }
    }
  }

  @Test
  void manyValuesFillTheCodesAboutEqually() {
    double[] column = new Random(2).doubles(6300).map(Math::exp).toArray();
    var codes = BinnedColumns.of(new double[][] {column}).codes(0);
    var filled = new int[BinnedColumns.MAX_BINS];
    for (byte code : codes) {
      filled[code]++;
    }
    assertThat(filled[0]).as("nothing is missing").isZero();
    for (int code = 1; code < BinnedColumns.MAX_BINS; code++) {
      assertThat(filled[code]).as("code %d", code).isBetween(99, 101);
    }
  }

  @Test
  void fewDistinctValuesKeepACodeEach() {
    double[] column = IntStream.range(0, 700).mapToDouble(i -> i % 7).toArray();
    var codes = BinnedColumns.of(new double[][] {column}).codes(0);
    for (int i = 7; i < 14; i++) {
      assertThat(codes[i]).isEqualTo(codes[i - 7]);
      assertThat(i == 7 || codes[i] > codes[i - 1]).isTrue();
    }
  }

  @Test
  void anEmptyAndAMissingColumnAreLegal() {
    assertThat(BinnedColumns.of(new double[1][0]).rows()).isZero();
    var missing = BinnedColumns.of(new double[][] {{Double.NaN, Double.NaN}});
    assertThat(missing.codes(0)).containsExactly(0, 0);
  }

  @Test
  void hugeNumbersStayInOrder() {
    double[] column = {-Double.MAX_VALUE, 0, Double.MAX_VALUE, 1.7e308};
    var codes = BinnedColumns.of(new double[][] {column}).codes(0);
    assertThat(codes[0]).isLessThan(codes[1]);
    assertThat(codes[1]).isLessThan(codes[3]);
  }
}
