package io.prescale.controller.input;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.prescale.controller.input.InputException.Fault;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTraceTest {
  private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;

  @Test
  void readsUnixSecondsAndValues() throws Exception {
    assertThat(samples("timestamp,value\n1767225600,1.5\n1767225660,2\n"))
        .containsExactly(
            new Sample(NEW_YEAR, 1.5), new Sample(NEW_YEAR.plus(Duration.ofMinutes(1)), 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1767225600",
        "1767225600.0",
        "1.7672256e9",
        " 1767225600 ",
        "2026-01-01T00:00:00Z",
        "2026-01-01t00:00:00z",
        "2026-01-01 00:00:00Z",
        "2026-01-01T00:00Z",
        "2026-01-01T00:00:00.000+00:00",
        "2025-12-31T19:00:00-05:00",
        "2026-01-01T05:30:00+05:30"
      })
  void readsOneInstantInManyForms(String timestamp) throws Exception {
    assertThat(samples("timestamp,value\n" + timestamp + ",7\n"))
        .containsExactly(new Sample(NEW_YEAR, 7));
  }

  @Test
  void keepsMillisecondsOfDecimalSeconds() throws Exception {
    assertThat(samples("timestamp,value\n1767225600.1234,7\n"))
        .containsExactly(new Sample(NEW_YEAR.plusMillis(123), 7));
  }

  @ParameterizedTest
  @CsvSource({
    "12.5, 12.5",
    "-3, -3",
    "+.5, 0.5",
    "4., 4",
    "1E3, 1000",
    "'', NaN",
    "' ', NaN",
    "nan, NaN",
    "NaN, NaN",
    "null, NaN",
    "+Inf, Infinity",
    "-Inf, -Infinity",
    "1e999, Infinity"
  })
  void readsNumbersAndWhatIsNotMeasured(String field, double value) throws Exception {
    assertThat(samples("timestamp,value\n0," + field + "\n")).containsExactly(sample(0, value));
  }

  @Test
  void findsColumnsByNameInAnyOrderAmongOthers() throws Exception {
    assertThat(samples("pod, Value ,note,TIMESTAMP\na,1,\"x, \"\"y\"\"\nz\",0\nb,2,,60\n"))
        .containsExactly(sample(0, 1), sample(60, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r", "\n\n", "\r\n\r\n"})
  void acceptsEveryLineEndingAndEmptyLines(String newline) throws Exception {
    var text = String.join(newline, "timestamp,value", "0,1", "60,2");

    assertThat(samples(text)).containsExactly(sample(0, 1), sample(60, 2));
    assertThat(samples(text + newline)).containsExactly(sample(0, 1), sample(60, 2));
  }

  @Test
  void acceptsAByteOrderMark() throws Exception {
    assertThat(samples("\uFEFFtimestamp,value\n0,1\n")).containsExactly(sample(0, 1));
  }

  @Test
  void leavesDuplicatesAndDisorderToTheGridWhichReportsThem() throws Exception {
    var samples = samples("timestamp,value\n0,1\n120,3\n60,2\n60,4\n180,\n240,-1\n300,5\n");
    var gridded = TimeSeries.fromSamples(samples);

    assertThat(gridded.series().toArray()).containsExactly(1, 4, 3, Double.NaN, Double.NaN, 5);
    assertThat(gridded.report().duplicates()).isEqualTo(1);
    assertThat(gridded.report().outOfOrder()).isEqualTo(2);
    assertThat(gridded.report().notFinite()).isEqualTo(1);
    assertThat(gridded.report().negative()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          12,5;3 | line 3: column timestamp: "12,5;3" is not a time; write one such as 2026-01-31 14:05, 2026-01-31T14:05:00Z, or Unix seconds such as 1769868300.
          2026-02-30T00:00:00Z | line 3: column timestamp: "2026-02-30T00:00:00Z" is not a time; write one such as 2026-01-31 14:05, 2026-01-31T14:05:00Z, or Unix seconds such as 1769868300.
          2206-13-45 | line 3: column timestamp: "2206-13-45" is not a time; write one such as 2026-01-31 14:05, 2026-01-31T14:05:00Z, or Unix seconds such as 1769868300.
          29999-01-01T00:00:00Z | line 3: column timestamp: "29999-01-01T00:00:00Z" is not a time; write one such as 2026-01-31 14:05, 2026-01-31T14:05:00Z, or Unix seconds such as 1769868300.
          0001-01-01T00:00:00Z | line 3: column timestamp: "0001-01-01T00:00:00Z" is a time outside the years 1970 to 2099; correct it, or remove the row.
          2206-01-01 00:00 | line 3: column timestamp: "2206-01-01 00:00" is a time outside the years 1970 to 2099; correct it, or remove the row.
          -60 | line 3: column timestamp: "-60" is a time outside the years 1970 to 2099; correct it, or remove the row.
          1767225600000000 | line 3: column timestamp: "1767225600000000" is too large for Unix seconds or milliseconds; if it is in microseconds, divide it by 1000000.
          1e300 | line 3: column timestamp: "1e300" is too large for Unix seconds or milliseconds; if it is in microseconds, divide it by 1000000.
          NaN | line 3: column timestamp: "NaN" is not a time; write one such as 2026-01-31 14:05, 2026-01-31T14:05:00Z, or Unix seconds such as 1769868300.
          0x10 | line 3: column timestamp: "0x10" is not a time; write one such as 2026-01-31 14:05, 2026-01-31T14:05:00Z, or Unix seconds such as 1769868300.
          """)
  void namesFileLineColumnAndRemedyOfABadTimestamp(String timestamp, String message) {
    assertThatRefused("timestamp,value\n0,1\n\"" + timestamp + "\",2\n", "trace.csv, " + message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1;5", "1d", "0x1p3", "1e", "--1", ".", "+", "1 000", "１２"})
  void namesFileLineColumnAndRemedyOfABadValue(String value) {
    assertThatRefused(
        "timestamp,value\n0,1\n60,\"" + value + "\"\n",
        "trace.csv, line 3: column value: \""
            + value
            + "\" is not a number; write one such as 12.5, or leave the field empty if the value is"
            + " missing.");
  }

  @Test
  void countsLinesAsAnEditorDoes() {
    assertThatRefused(
        "note,timestamp,value\r\n\"two\nlines\",0,1\r\n\r\n,,1\r\n",
        "trace.csv, line 5: column timestamp: is empty; every row needs a time.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                           | trace.csv: is empty; it needs a header such as timestamp,value and rows.
          '\n\n'                       | trace.csv: is empty; it needs a header such as timestamp,value and rows.
          'timestamp,value\n'          | trace.csv: has a header but no rows.
          '0,1\n60,2\n'                | trace.csv, line 1: there is no column timestamp; the first line must name the columns, such as timestamp,value, but it begins with "0".
          'time,load,lag\n0,1,2\n'    | trace.csv, line 1: there are 2 columns beside the times, such as "load", and none of them is called value; remove all but one, or call it value.
          'timestamp,value,Value\n0,1' | trace.csv, line 1: there are two columns named value; remove one.
          'timestamp,value\n0,1,234.5\n' | trace.csv, line 2: the row has 3 fields, the header 2; quote a field that contains ,.
          'timestamp,value\n0\n'       | trace.csv, line 2: the row has only 1 field and lacks value.
          'timestamp,value\n0,"1\n9,9' | trace.csv, line 2: the quotes do not match.
          """)
  void refusesWhatIsNoTrace(String text, String message) {
    assertThatRefused(text.translateEscapes(), message);
  }

  @Test
  void refusesARowWithoutEnd() {
    assertThatRefused(
        "timestamp,value\n0,1\n60," + "9".repeat(3_000_000),
        "trace.csv, line 3: a row of more than a million characters begins here; look for a missing"
            + " closing quote.");
  }

  @Test
  void refusesAnOpenQuoteInAHugeFileWithoutReadingAllOfIt() {
    var endless = "timestamp,value\n0,1\n60,\"2\n" + "120,3\n".repeat(400_000);

    assertThatRefused(
        endless,
        "trace.csv, line 3: a row of more than a million characters begins here; look for a missing"
            + " closing quote.");
  }

  @Test
  void saysThatAFileIsMissing() {
    var file = folder.resolve("absent.csv");
    var refusal =
        catchThrowableOfType(
            InputException.class, () -> new CsvTrace(CsvFile.of(file), UTC).read());

    assertThat(refusal).hasMessage(file + ": there is no such file.");
    assertThat(refusal.fault()).isEqualTo(Fault.UNREACHABLE);
  }

  @Test
  void saysThatAFolderIsNoFile() {
    assertThatThrownBy(() -> new CsvTrace(CsvFile.of(folder), UTC).read())
        .isInstanceOf(InputException.class)
        .hasMessage(folder + ": is a directory; name a CSV file.");
  }

  @Test
  void readsAMillionRows() throws Exception {
    var text = new StringBuilder("timestamp,value\n");
    for (int i = 0; i < 1_000_000; i++) {
      text.append(60L * i).append(',').append(i % 97).append(".25\n");
    }

    assertThat(samples(text.toString()))
        .hasSize(1_000_000)
        .last()
        .isEqualTo(sample(59_999_940, 26.25));
  }

  @Test
  void stopsWhenInterrupted() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> samples("timestamp,value\n0,1\n"))
        .isInstanceOf(InterruptedException.class);
  }

  private static void assertThatRefused(String text, String message) {
    var refusal = catchThrowableOfType(InputException.class, () -> trace(text).read());

    assertThat(refusal).hasMessage(message);
    assertThat(refusal.fault()).isEqualTo(Fault.UNUSABLE);
  }

  private static List<Sample> samples(String text) throws Exception {
    return trace(text).read().samples();
  }

  private static CsvTrace trace(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return new CsvTrace(new CsvFile("trace.csv", () -> new ByteArrayInputStream(bytes)), UTC);
  }

  private static Sample sample(long seconds, double value) {
    return new Sample(Instant.ofEpochSecond(seconds), value);
  }
}
