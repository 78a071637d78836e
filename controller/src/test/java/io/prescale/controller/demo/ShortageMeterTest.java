package io.prescale.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShortageMeterTest {
  private static final int DAY = 4 * 24 * 60;

  private final ShortageMeter meter = new ShortageMeter();

  @Test
  void knowsNoShortageBeforeTheFirstSync() {
    assertThat(meter.share()).isZero();
    assertThat(meter.total()).isZero();
  }

  @Test
  void isAShareOfWhatPassedUntilThereIsADay() {
    meter.pass(true);
    meter.pass(false);
    meter.pass(false);
    meter.pass(false);

    assertThat(meter.share()).isEqualTo(0.25);
    assertThat(meter.total()).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void whatWasNotObservedIsNoShortage() {
    meter.passUnobserved();
    assertThat(meter.share()).isZero();
    meter.pass(true);
    meter.pass(false);
    for (int i = 0; i < 600; i++) {
      meter.passUnobserved();
    }

    assertThat(meter.total()).isEqualTo(Duration.ofSeconds(15));
    assertThat(meter.share()).isEqualTo(0.5);

    for (int i = 0; i < DAY; i++) {
      meter.pass(false);
    }
    assertThat(meter.share()).isZero();
  }

  @Test
  void forgetsWhatIsOlderThanADay() {
    for (int i = 0; i < DAY; i++) {
      meter.pass(i < 288);
    }
    assertThat(meter.share()).isEqualTo(0.05);
    assertThat(meter.total()).isEqualTo(Duration.ofMinutes(72));

    for (int i = 0; i < 144; i++) {
      meter.pass(false);
    }
    assertThat(meter.share()).isEqualTo(0.025);
  }
}
