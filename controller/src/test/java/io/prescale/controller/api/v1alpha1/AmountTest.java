package io.prescale.controller.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountTest {
  @ParameterizedTest
  @CsvSource({
    "30001m, 30.001",
    "30, 30",
    "12500m, 12.5",
    "-250m, -0.25",
    "0, 0",
    "5k, 5000",
    "1Ki, 1024",
    "9000000000000000, 9000000000000000",
  })
  void isShownAsAPlainNumber(String quantity, String plain) {
    assertThat(Amount.plain(quantity)).isEqualTo(plain);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "twelve", "1e999999999", "m"})
  void textThatIsNotAQuantityIsShownUnchanged(String text) {
    assertThat(Amount.plain(text)).isEqualTo(text);
    assertThat(Amount.milli(text)).isEmpty();
  }

  @Test
  void nothingStaysNothing() {
    assertThat(Amount.plain(null)).isNull();
    assertThat(Amount.milli(null)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"30001m, 30001", "30, 30000", "1u, 1", "0, 0"})
  void isReadInThousandthsRoundedUp(String quantity, long milli) {
    assertThat(Amount.milli(quantity)).hasValue(milli);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "9300000000000000000"})
  void isNotReadWhenNegativeOrTooLarge(String quantity) {
    assertThat(Amount.milli(quantity)).isEmpty();
  }
}
