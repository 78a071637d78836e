package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeakSettingsTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, PT5M, PT5M, PT4H, P28D, step",
    "PT61M, PT5M, P1D, PT4H, P28D, step",
    "PT1M, -PT1S, PT5M, PT4H, P28D, lead",
    "PT1M, PT25H, PT5M, PT4H, P28D, lead",
    "PT1M, PT5M, PT59S, PT4H, P28D, window",
    "PT1M, PT5M, PT25H, PT4H, P28D, window",
    "PT1M, PT5M, PT5M, PT1S, P28D, refitEvery",
    "PT1M, PT5M, PT5M, P8D, P28D, refitEvery",
    "PT1M, PT5M, PT5M, PT4H, PT5H, remember",
    "PT1M, PT5M, PT5M, PT4H, P367D, remember",
  })
  void refusesWhatMakesNoSense(
      Duration step,
      Duration lead,
      Duration window,
      Duration refit,
      Duration remember,
      String name) {
    assertThatThrownBy(
            () ->
                new PeakSettings(
                    step,
                    lead,
                    window,
                    ZoneOffset.UTC,
                    EventCalendar.empty(),
                    refit,
                    remember,
                    1,
                    PeakSettings.EVERY_MEMBER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + " must be from ");
  }

  @Test
  void refusesAnEmptySetOfMembers() {
    var settings = PeakSettings.forLead(Duration.ofMinutes(7));
    assertThatThrownBy(() -> TestingSettings.combining(Set.of(), settings))
        .hasMessage("members must not be empty");
  }

  @Test
  void withersChangeOneThing() {
    var settings = PeakSettings.forLead(Duration.ofMinutes(7));
    assertThat(settings.withSeed(9).withSeed(1)).isEqualTo(settings);
    assertThat(settings.withSeed(9).seed()).isEqualTo(9);
    assertThat(settings.lead()).hasMinutes(7);
  }
}
