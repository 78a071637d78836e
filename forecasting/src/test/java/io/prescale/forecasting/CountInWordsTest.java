package io.prescale.forecasting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountInWordsTest {
  @ParameterizedTest
  @CsvSource({"0, 0 replicas", "1, 1 replica", "2, 2 replicas"})
  void onlyOneIsSingular(long count, String words) {
    assertThat(CountInWords.of(count, "replica")).isEqualTo(words);
  }
}
