package io.prescale.forecasting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeasonTest {
  @ParameterizedTest
  @CsvSource({
    "PT1H, true", "PT8H, true", "PT12H, true", "PT24H, true", "PT168H, true", "PT336H, true",
    "PT45M, false", "PT30M, false", "PT5H, false", "PT7H, false", "PT36H, false", "PT1H0.5S, false"
  })
  void onlyWholeHoursThatDivideADayAndWholeDaysFollowLocalTime(Duration period, boolean follows) {
    assertThat(new Season(period, 0.5).followsLocalTime()).isEqualTo(follows);
  }

  @Test
  void refusesNonsense() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Season(Duration.ZERO, 0.5));
    assertThatIllegalArgumentException().isThrownBy(() -> new Season(Season.DAY, 1.01));
    assertThatIllegalArgumentException().isThrownBy(() -> new Season(Season.DAY, Double.NaN));
  }
}
