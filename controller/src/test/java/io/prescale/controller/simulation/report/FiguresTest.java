package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 %",
    "0.000001, < 0.001 %",
    "0.0000432, 0.0043 %",
    "0.0031, 0.31 %",
    "0.004, 0.40 %",
    "0.0512, 5.1 %",
    "0.09999, 10.0 %",
    "0.123, 12.3 %",
    "1, 100.0 %",
    "NaN, –",
    "Infinity, –"
  })
  void sharesHaveTwoDigitsOrOneDecimal(double share, String percent) {
    assertThat(Figures.percent(share)).isEqualTo(percent);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 %", "0.005, 0.5 %", "0.2, 20 %", "0.975, 97.5 %", "1, 100 %", "NaN, –"})
  void roundSharesHaveNoZerosAtTheEnd(double share, String percent) {
    assertThat(Figures.roundPercent(share)).isEqualTo(percent);
  }

  @ParameterizedTest
  @CsvSource({
    "0.0123, +1.2 points",
    "-0.0041, −0.4 points",
    "0.0001, 0.0 points",
    "-0.0001, 0.0 points",
    "NaN, –"
  })
  void differencesHaveASign(double difference, String points) {
    assertThat(Figures.points(difference)).isEqualTo(points);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "38.0634, 38.063",
    "123456.7, 123460",
    "0.00012345, 0.00012345",
    "1e-9, 1.000e-09",
    "1e300, 1.000e+300",
    "-2.5, -2.5",
    "NaN, –"
  })
  void numbersAreShort(double number, String text) {
    assertThat(Figures.number(number)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT0.5S, 0.5 s",
    "PT15S, 15 s",
    "PT5M, 5 min",
    "PT1H30M, 1 h 30 min",
    "P1D, 1 day",
    "P8D, 8 days",
    "P1DT1S, 1 day 1 s"
  })
  void durationsHaveUnits(Duration duration, String text) {
    assertThat(Figures.duration(duration)).isEqualTo(text);
  }

  @Test
  void timesAreThoseOfTheZone() {
    Instant time = Instant.parse("2026-03-29T01:30:00Z");

    assertThat(Figures.time(time, ZoneOffset.UTC)).isEqualTo("2026-03-29 01:30");
    assertThat(Figures.time(time, ZoneId.of("Europe/Berlin"))).isEqualTo("2026-03-29 03:30");
  }

  @ParameterizedTest
  @CsvSource({"Z, UTC", "UTC, UTC", "Etc/UTC, UTC", "+02:00, +02:00", "Asia/Tokyo, Asia/Tokyo"})
  void zonesHaveTheirUsualNames(String zone, String name) {
    assertThat(Figures.zone(ZoneId.of(zone))).isEqualTo(name);
  }

  @Test
  void noLocaleChangesAFigure() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

      assertThat(Figures.percent(0.0031)).isEqualTo("0.31 %");
      assertThat(Figures.times(1.268)).isEqualTo("1.27 ×");
      assertThat(Figures.decimal(12345.67)).isEqualTo("12,345.7");
      assertThat(Figures.hour(6)).isEqualTo("06:00");
      assertThat(Figures.time(Instant.EPOCH, ZoneOffset.UTC)).isEqualTo("1970-01-01 00:00");
    } finally {
      Locale.setDefault(before);
    }
  }
}
