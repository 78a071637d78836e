package io.prescale.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.plan.Calibration.Band;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CalibrationTest {
  @Test
  void whatWasSaidIsCountedByItsProbability() {
    var scored = Calibration.none().with(0.1, false).with(0.12, true).with(1, true).with(0, false);

    assertThat(scored.said()).isEqualTo(4);
    assertThat(scored.bands().get(1).came()).isOne();
    assertThat(scored.bands().get(1).expected()).isCloseTo(0.22, within(1e-9));
    assertThat(scored.bands().get(9)).isEqualTo(new Band(1, 1, 1));
    assertThat(scored.squares()).isCloseTo(0.01 + 0.88 * 0.88, within(1e-9));
  }

  @Test
  void trueProbabilitiesAreCalibratedAndOthersAreNot() {
    var random = new SplittableRandom(3);
    var honest = Calibration.none();
    var boastful = Calibration.none();
    for (int i = 0; i < 5_000; i++) {
      boolean came = random.nextDouble() < 0.25;
      honest = honest.with(0.25, came);
      boastful = boastful.with(0.95, came);
    }
    assertThat(honest.bands().get(2).came() / 5_000.0).isCloseTo(0.25, within(0.02));
    assertThat(honest.squares() / 5_000).isCloseTo(0.1875, within(0.01));
    assertThat(boastful.squares() / 5_000).isGreaterThan(0.6);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> Calibration.none().with(Double.NaN, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Calibration.none().with(1.1, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Band(1, 2, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Band(1, 1, 2)).isInstanceOf(IllegalArgumentException.class);
  }
}
