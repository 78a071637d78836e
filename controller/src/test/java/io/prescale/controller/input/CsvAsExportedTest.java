package io.prescale.controller.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.forecasting.Sample;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces in the forms that Grafana and spreadsheets export. */
class CsvAsExportedTest {
  private static final Instant TEN = Instant.parse("2026-11-01T10:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final String IN_UTC =
      "Its times have no offset and are read in the time zone UTC; --zone names another.";

  @Test
  void readsWhatGrafanaDownloads() throws Exception {
    var history =
        read(
            """
            "Time","chat"
            2026-11-01 10:00:00,12.5
            2026-11-01 10:01:00,undefined
            2026-11-01 10:02:00,
            2026-11-01 10:03:00.500,13
            """);

    assertThat(history.samples())
        .containsExactly(
            new Sample(TEN, 12.5),
            new Sample(TEN.plusSeconds(60), Double.NaN),
            new Sample(TEN.plusSeconds(120), Double.NaN),
            new Sample(TEN.plusMillis(180_500), 13));
    assertThat(history.notes()).containsExactly(IN_UTC);
  }

  @Test
  void readsNumbersThatGrafanaShortens() throws Exception {
    var withUnit =
        read(
            """
            Time,chat
            1793527200000,950 req/s
            1793527260000,3.77 K req/s
            1793527320000,1.2 Mil req/s
            """);
    var without =
        read(
            """
            Time,chat
            1793527200000,3.77 K
            1793527260000,95
            """);

    assertThat(withUnit.samples()).extracting(Sample::value).containsExactly(950.0, 3770.0, 1.2e6);
    assertThat(without.samples()).extracting(Sample::value).containsExactly(3770.0, 95.0);
  }

  @Test
  void readsWhatGrafanaDownloadsFormattedForExcel() throws Exception {
    var history =
        read(
            """
            \uFEFFsep=,
            "Time","chat"
            1793527200000,"1,012.5 req/s"
            1793527260000,950 req/s
            1793527320000,"12,345,678 req/s"
            """
                .replace("\n", "\r\n"));

    assertThat(history.samples())
        .containsExactly(
            new Sample(TEN, 1012.5),
            new Sample(TEN.plusSeconds(60), 950),
            new Sample(TEN.plusSeconds(120), 12_345_678));
    assertThat(history.notes()).containsExactly("Its values are in \"req/s\".");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          01.11.2026 10:00    | 12,5     | 12.5
          1.11.2026 10:00:00  | 1.012,5  | 1012.5
          2026-11-01 10:00    | 0,125    | 0.125
          2026-11-01T10:00:00 | 12.5     | 12.5
          2026-11-01 10:00Z   | 12 %     | 12
          """)
  void readsWhatExcelSavesWhereTheCommaIsDecimal(String time, String field, double value)
      throws Exception {
    var sample = new Sample(TEN, value);

    assertThat(read("\uFEFFsep=;\r\nTime;Load\r\n" + time + ";" + field + "\r\n").samples())
        .containsExactly(sample);
    assertThat(read("Date;Load;\n" + time + ";" + field + ";\n").samples()).containsExactly(sample);
  }

  @ParameterizedTest
  @CsvSource({"Zeitpunkt, Anfragen", "Horodatage, Valeur", "時刻, 値"})
  void ofTwoColumnsWithForeignNamesTheOneThatBeginsWithATimeHasTheTimes(String first, String second)
      throws Exception {
    var history = read("%s;%s\n2026-11-01 10:00;12,5\n".formatted(first, second));

    assertThat(history.samples()).containsExactly(new Sample(TEN, 12.5));
    assertThat(history.notes())
        .startsWith("Its times are read from the column \"%s\".".formatted(first));
    assertThat(read("%s;%s\n1793520000;2026-11-01 10:00\n".formatted(second, first)).samples())
        .containsExactly(new Sample(TEN, 1_793_520_000));
    assertThat(read("%s,%s,\n500,1793520000,\n".formatted(second, first)).samples())
        .containsExactly(new Sample(Instant.ofEpochSecond(1_793_520_000), 500));
  }

  @ParameterizedTest
  @CsvSource({"500000, 12", "1793520000, 1793520060", "idle, busy"})
  void twoColumnsOfWhichNoneOrBothAreTimesAreRefused(String first, String second) {
    assertThatThrownBy(() -> read("cpu,memory\n%s,%s\n".formatted(first, second)))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(
            "line 2: which of the columns \"cpu\" and \"memory\" has the times cannot be seen;"
                + " call it timestamp");
  }

  @Test
  void ofTwoColumnsTheOneBesideTheValueHasTheTimes() throws Exception {
    assertThat(read("value;Fecha\n12,5;2026-11-01 10:00\n").samples())
        .containsExactly(new Sample(TEN, 12.5));
  }

  @ParameterizedTest
  @CsvSource({
    "13/11/2026 10:00, 11/01/2026 10:00, 2026-01-11T10:00:00Z",
    "11/13/2026 10:00, 11/1/2026 2:30 PM, 2026-11-01T14:30:00Z",
    "31-10-2026, 01-11-2026 10:00, 2026-11-01T10:00:00Z",
  })
  void anotherRowSettlesWhetherTheDayIsFirst(String settles, String time, Instant instant)
      throws Exception {
    assertThat(read("time,load\n%s,1\n%s,2\n".formatted(time, settles)).samples().getFirst())
        .isEqualTo(new Sample(instant, 1));
  }

  @ParameterizedTest
  @CsvSource({"'1,234', 12.5, 1234", "'1,234', '0,5', 1.234"})
  void anotherRowSettlesWhatACommaIs(String field, String settles, double value) throws Exception {
    var text = "time,load\n0,\"%s\"\n60,\"%s\"\n".formatted(field, settles);

    assertThat(read(text).samples().getFirst().value()).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'time,load\n11/01/2026 10:00,1\n' | trace.csv, line 2: column time: "11/01/2026 10:00" may be read with the day first or with the month first, and no row of the file settles it; write dates as 2026-11-01.
          'time,load\n0,5\n60,"1,234"\n'    | trace.csv, line 3: column load: "1,234" may be read with a thousands separator or with a decimal comma, and no row of the file settles it; write numbers such as 1234 and 12.5, without thousands separators.
          'time;load\n0;1.234\n'            | trace.csv, line 2: column load: "1.234" may be read with a decimal point or with a thousands separator, and no row of the file settles it; write numbers such as 1234 and 12.5, without thousands separators.
          'time,load\n0,950 B\n60,1.2 KiB'  | trace.csv, line 3: column load: "1.2 KiB" is not in the unit of the rows above, "B"; export the values without units.
          'time,load\n0,9\n60,1 s\n'        | trace.csv, line 3: column load: "1 s" is not in the unit of the rows above, which have none; export the values without units.
          """)
  void refusesWhatTheFileDoesNotSettle(String text, String message) {
    assertThatThrownBy(() -> read(text.translateEscapes()))
        .isInstanceOf(InputException.class)
        .hasMessage(message);
  }

  @Test
  void readsTimesWithoutAnOffsetInTheZoneAndAnHourTwiceWhenClocksGoBack() throws Exception {
    var history =
        read(
            """
            time,load
            2026-10-25 02:00,1
            2026-10-25 02:30,2
            2026-10-25 02:00,3
            2026-10-25 02:30,4
            2026-10-25 03:00,5
            """,
            BERLIN);

    assertThat(times(history))
        .containsExactly(
            "2026-10-25T00:00:00Z",
            "2026-10-25T00:30:00Z",
            "2026-10-25T01:00:00Z",
            "2026-10-25T01:30:00Z",
            "2026-10-25T02:00:00Z");
    assertThat(history.notes())
        .containsExactly(
            "Its times have no offset and are read in the time zone Europe/Berlin; --zone names"
                + " another.");
  }

  @Test
  void theNewestRowMayComeFirstWhenClocksGoBack() throws Exception {
    var history =
        read(
            """
            time,load
            2026-10-25 03:00,6
            2026-10-25 02:30,5
            2026-10-25 02:00,4
            2026-10-25 02:30,3
            2026-10-25 02:00,2
            2026-10-25 01:30,1
            """,
            BERLIN);

    assertThat(times(history))
        .containsExactly(
            "2026-10-25T02:00:00Z",
            "2026-10-25T01:30:00Z",
            "2026-10-25T01:00:00Z",
            "2026-10-25T00:30:00Z",
            "2026-10-25T00:00:00Z",
            "2026-10-24T23:30:00Z");
  }

  @Test
  void refusesAnOffsetWithoutATimeOfDay() {
    assertThatThrownBy(() -> read("time,load\n2026-11-01+02:00,1\n"))
        .hasMessageContaining("\"2026-11-01+02:00\" is not a time");
  }

  private static List<String> times(History history) {
    return history.samples().stream().map(sample -> sample.time().toString()).toList();
  }

  private static History read(String text) throws Exception {
    return read(text, ZoneId.of("UTC"));
  }

  private static History read(String text, ZoneId zone) throws Exception {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return new CsvTrace(new CsvFile("trace.csv", () -> new ByteArrayInputStream(bytes)), zone)
        .read();
  }
}
