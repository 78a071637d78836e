package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.overcommit.BoundedRisk;
import io.prescale.placement.overcommit.BoundedRisk.Dependence;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OvercommitTextTest {
  @ParameterizedTest
  @ValueSource(strings = {"risk=0.1%", "risk=0.1 %", "risk=0.1%\n"})
  void aRiskIsAPercentageAsElsewhere(String text) {
    assertThat(OvercommitText.parse(text)).isEqualTo(new BoundedRisk(1000, Dependence.ANY));
  }
}
