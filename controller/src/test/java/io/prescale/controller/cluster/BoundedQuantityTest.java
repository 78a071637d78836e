package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedQuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "80Gi, 85899345920",
    "1500m, 1.5",
    "-2, -2",
    "1n, 0.000000001",
    "1e-3000000, 0.000000001",
    "-1e-3000000, -0.000000001",
    "0e3000000, 0",
    "1e18, 1000000000000000000",
    "1e3000000, 9223372036854775807",
    "-1e3000000, -9223372036854775807",
    "0.3333333333333333333333333333, 0.333333334"
  })
  void isLimitedAsInKubernetes(String text, BigDecimal amount) {
    assertThat(BoundedQuantity.amount(new Quantity(text))).isEqualByComparingTo(amount);
  }

  /** What follows would take minutes on what is written. */
  @ParameterizedTest
  @ValueSource(strings = {"1e10000000", "1e-10000000", "0e10000000"})
  @Timeout(1)
  void canBeComputedWith(String text) {
    var amount = BoundedQuantity.amount(new Quantity(text));

    assertThat(amount.add(BigDecimal.ONE).multiply(amount).scale()).isBetween(-18, 18);
  }
}
