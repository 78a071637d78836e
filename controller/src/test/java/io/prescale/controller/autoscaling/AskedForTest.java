package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AskedForTest {
  private static final Duration LEAD = Duration.ofMinutes(5);

  private final AskedFor asked = new AskedFor();

  @Test
  void whatWasAskedForServesALeadTimeLater() {
    asked.decided(4, at(0), LEAD);
    asked.decided(4, at(1), LEAD);
    asked.decided(9, at(2), LEAD);

    assertThat(asked.servingAt(at(4))).as("before the first").isEqualTo(Integer.MAX_VALUE);
    assertThat(asked.servingAt(at(5))).isEqualTo(4);
    assertThat(asked.servingAt(at(6))).isEqualTo(4);
    assertThat(asked.servingAt(at(7))).isEqualTo(9);
    assertThat(asked.servingAt(at(60))).isEqualTo(9);
  }

  @Test
  void withoutAForecastNothingHasAPrice() {
    asked.decided(4, at(0), LEAD);
    asked.unpriced(at(1), LEAD);
    asked.decided(5, at(2), LEAD);

    assertThat(asked.servingAt(at(5))).isEqualTo(4);
    assertThat(asked.servingAt(at(6))).isEqualTo(Integer.MAX_VALUE);
    assertThat(asked.servingAt(at(7))).isEqualTo(5);
  }
}
