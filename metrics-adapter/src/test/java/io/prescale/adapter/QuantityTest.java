package io.prescale.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1m",
    "999, 999m",
    "1000, 1",
    "128500, 128500m",
    "129000, 129",
    "42000, 42",
    "1000000, 1k",
    "1500000, 1500",
    "2000000000, 2M",
    "-1500, -1500m",
    "-3000000, -3k",
    "1000000000000000000, 1P",
    "9223372036854775807, 9223372036854775807m",
    "-9223372036854775808, -9223372036854775808m",
  })
  void writesTheCanonicalForm(long milli, String quantity) {
    assertThat(Quantity.ofMilli(milli)).isEqualTo(quantity);
  }
}
