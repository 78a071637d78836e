package io.prescale.controller.plan.live;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class BufferSettingsTest {
  @Test
  void aLimitOfCostNeedsAPrice() {
    assertThatThrownBy(
            () ->
                new BufferSettings(
                    Duration.ZERO,
                    8,
                    OptionalDouble.empty(),
                    OptionalDouble.of(4),
                    Optional.empty()))
        .hasMessageContaining("needs what a card costs");
  }
}
