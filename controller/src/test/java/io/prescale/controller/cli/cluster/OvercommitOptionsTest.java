package io.prescale.controller.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.overcommit.BoundedRisk;
import io.prescale.placement.overcommit.BoundedRisk.Dependence;
import io.prescale.placement.overcommit.ConstantFactor;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OvercommitOptionsTest {
  private final OvercommitOptions options = new OvercommitOptions();

  @Test
  void nothingIsPromisedBeyondWhatCardsHaveUnlessARiskIsGiven() {
    assertThat(options.settings(true)).isEmpty();

    options.rule = new BoundedRisk(1000, Dependence.ANY);
    assertThat(options.settings(true))
        .hasValueSatisfying(it -> assertThat(it.window()).isEqualTo(Duration.ofDays(1)));
  }

  @Test
  void aFactorAMissingServerAndAShortWindowAreRefusedInWords() {
    options.rule = new ConstantFactor(1500);
    assertThatThrownBy(() -> options.settings(true)).hasMessageContaining("deviceMemoryScaling");

    options.rule = new BoundedRisk(1000, Dependence.ANY);
    assertThatThrownBy(() -> options.settings(false)).hasMessageContaining("needs --prometheus");

    options.window = Duration.ofMinutes(1);
    assertThatThrownBy(() -> options.settings(true))
        .hasMessage("the overcommit window is 60 s; give 2 minutes to 30 days");
  }
}
