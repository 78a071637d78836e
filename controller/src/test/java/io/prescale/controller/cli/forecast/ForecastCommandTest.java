package io.prescale.controller.cli.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForecastCommandTest {
  private static final long START = 1_767_225_600; // 2026-01-01T00:00:00Z
  private static final int DAY = 24 * 60;

  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  @Test
  void drawsTheForecastAndReportsItsPeak() throws IOException {
    assertThat(forecast(dailyCycle(2 * DAY), "--horizon", "6h")).isZero();
    assertThat(program.out().lines())
        .hasSize(17)
        .anyMatch(line -> line.matches(" +Jan 2 18:00 +Jan 3 00:00 +Jan 3 06:00"))
        .anyMatch(line -> line.endsWith("observed   P50   P10 to P95   times in UTC"))
        .last()
        .asString()
        .matches(
            "In the next 6 h, the load peaks around Jan 3 0\\d:\\d\\d: .* \\(P50\\), P95"
                + " .*\\.");
  }

  @Test
  void printsRowsThatBeginAtTheFirstUnknownStep() throws IOException {
    assertThat(
            forecast(dailyCycle(DAY), "--horizon", "15m", "--quantiles", "0.5,0.999", "--out", "-"))
        .isZero();
    var lines = program.out().lines().toList();
    long origin = START + DAY * 60;

    assertThat(lines).hasSize(4).first().isEqualTo("origin,timestamp,q50,q99.9");
    assertThat(lines.get(1)).startsWith(origin + "," + origin + ",");
    assertThat(lines.get(3)).startsWith(origin + "," + (origin + 600) + ",");
  }

  @Test
  void writesWhatItWouldHaveForecastBefore() throws IOException {
    var file = folder.resolve("forecasts.csv");

    assertThat(
            forecast(
                dailyCycle(2 * DAY),
                "--horizon",
                "1h",
                "--step",
                "10m",
                "--every",
                "6h",
                "--from",
                "2026-01-02",
                "--out",
                file.toString()))
        .isZero();
    var rows = Files.readAllLines(file);

    assertThat(rows).hasSize(1 + 4 * 6);
    assertThat(rows.stream().skip(1).map(row -> Long.parseLong(row.substring(0, 10)) - START))
        .containsExactlyElementsOf(
            Stream.of(24, 30, 36, 42)
                .flatMap(hour -> Stream.generate(() -> hour * 3600L).limit(6))
                .toList());
    assertThat(program.out()).contains("4 forecasts; the load stayed at or below P10 ");
    assertThat(rows.get(1)).matches("\\d{10},\\d{10}(,\\d+\\.\\d+){4}");
  }

  @Test
  void doesNotUseWhatCameLater() throws IOException {
    var other = new TestingSurroundings();
    String[] options = {
      "--horizon",
      "2h",
      "--every",
      "3h",
      "--from",
      "2026-01-02",
      "--to",
      "2026-01-02T06:00",
      "--out",
      "-"
    };
    assertThat(forecast(dailyCycle(2 * DAY, i -> 0), options)).isZero();
    assertThat(forecast(other, dailyCycle(2 * DAY, i -> i >= DAY + 180 ? 500 : 0), options))
        .isZero();

    assertThat(program.out().lines()).hasSize(1 + 3 * 24);
    assertThat(other.out().lines().limit(1 + 2 * 24))
        .containsExactlyElementsOf(program.out().lines().limit(1 + 2 * 24).toList());
    assertThat(other.out()).isNotEqualTo(program.out());
  }

  @Test
  void printsJson() throws IOException {
    assertThat(forecast(dailyCycle(DAY), "--horizon", "10m", "--json", "--quiet")).isZero();
    var json = new ObjectMapper().readTree(program.out());

    assertThat(json.path("format").textValue()).isEqualTo("prescale-forecast");
    assertThat(json.path("levels").toString()).isEqualTo("[0.1,0.5,0.9,0.95]");
    assertThat(json.path("step_seconds").intValue()).isEqualTo(300);
    assertThat(json.at("/forecasts/0/origin").textValue()).isEqualTo("2026-01-02T00:00:00Z");
    assertThat(json.at("/forecasts/0/quantiles")).hasSize(2).allMatch(step -> step.size() == 4);
    assertThat(program.err()).isEmpty();
  }

  @Test
  void takesLongerStepsWhereSamplesAreRarer() throws IOException {
    var rare = "timestamp,value\n" + rows(48, 3600, i -> 100 + i % 24);

    assertThat(forecast(rare, "--horizon", "3h", "--out", "-")).isZero();
    assertThat(program.out().lines()).hasSize(4);
  }

  @Test
  void isTheSameEachTime() throws IOException {
    var again = new TestingSurroundings();
    forecast(dailyCycle(DAY), "--horizon", "1h", "--out", "-");
    forecast(again, dailyCycle(DAY), "--horizon", "1h", "--out", "-");

    assertThat(again.out()).isEqualTo(program.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --step 90s              | --step is 1 min 30 s; it must be a multiple of the step of the samples, 1 min.
          --horizon 7m            | --horizon is 7 min; it must be a multiple of the step, 5 min.
          --horizon 29d           | --horizon is 29 days; it must be above 0 and at most 28 days.
          --step 1m --horizon 28d | a horizon of 28 days has more than 20000 steps of 1 min
          --every 7m              | --every is 7 min; it must be a multiple of the step, 5 min.
          --from 2026-01-02       | --from has no effect without --every; add it, or remove --from.
          --every 1h --horizon 4d | The first origin would be after the last, 2025-12-29T00:00:00Z: use a longer load, or change --from and --to.
          --json --out -          | --json and --out - both write to standard output; choose one.
          --quantiles 0.9,0.1     | Invalid value for option '--quantiles': quantiles must be in ascending order: 0.9, 0.1
          """)
  void refusesOptionsThatMakeNoSense(String options, String message) throws IOException {
    assertThat(forecast(dailyCycle(DAY), options.split(" "))).isEqualTo(2);
    assertThat(program.errLines()).contains(message);
    assertThat(program.out()).isEmpty();
  }

  @Test
  void refusesEarlyToWriteWhereItCannot() throws IOException {
    var file = folder.resolve("absent/forecast.csv");

    assertThat(forecast(dailyCycle(DAY), "--out", file.toString())).isEqualTo(1);
    assertThat(program.errLines())
        .containsExactly(
            "%s: there is no directory %s; create it first.".formatted(file, file.getParent()));
  }

  @ParameterizedTest
  @CsvSource({"21600, 2d, 8", "43200, 3d, 6", "86400, 3d, 3"})
  void forecastsSamplesAsRareAsARefit(int seconds, String horizon, int steps) throws IOException {
    var csv = "timestamp,value\n" + rows(60, seconds, i -> 100 + i % 7);

    assertThat(forecast(csv, "--horizon", horizon, "--out", "-")).isZero();
    assertThat(program.out().lines()).hasSize(1 + steps).noneMatch(line -> line.contains("NaN"));
  }

  /** Working days of 100 and weekends of 20, from a Saturday to a Saturday, each at 00:02. */
  @Test
  void twoWeeksThatBeginAndEndWithinAStepAreTwoWeeks() throws IOException {
    int begin = 2 * DAY + 2;
    var load =
        rows(begin + 14 * DAY, 60, i -> (i / DAY + 4) % 7 < 5 ? 100 + i % 3 : 20 + i % 3)
            .lines()
            .skip(begin)
            .collect(Collectors.joining("\n", "timestamp,value\n", ""));

    assertThat(forecast(load, "--step", "15m", "--out", "-")).isZero();

    var rows = program.out().lines().skip(1).map(row -> row.split(",", -1)).toList();
    assertThat(Long.parseLong(rows.getFirst()[1])).isEqualTo(START + 16 * DAY * 60L);
    assertThat(rows.subList(1, 92))
        .allSatisfy(row -> assertThat(Double.parseDouble(row[3])).isBetween(19.0, 24.0));
  }

  /** The load of the first two hours is at most 61, and that of the day 200. */
  @Test
  void twoHoursPromiseNothingAboutTheRestOfTheDay() throws IOException {
    var load = "timestamp,value\n" + rows(120, 60, i -> 120 - 80 * Math.cos(2 * Math.PI * i / DAY));

    assertThat(forecast(load, "--out", "-", "--quantiles", "0.05,0.5,0.95")).isZero();

    var rows = program.out().lines().skip(1).map(row -> row.split(",", -1)).toList();
    double soon = Double.parseDouble(rows.getFirst()[4]) / Double.parseDouble(rows.getFirst()[3]);
    double peak = rows.stream().mapToDouble(row -> Double.parseDouble(row[4])).max().orElseThrow();
    double least = rows.stream().mapToDouble(row -> Double.parseDouble(row[2])).min().orElseThrow();
    assertThat(soon).isBetween(1.0, 1.5);
    assertThat(peak).isGreaterThan(200);
    assertThat(least).isBetween(0.0, 20.0);
    assertThat(program.err()).contains("A history of 2 h shows no daily pattern");
  }

  @Test
  void refusesAValueThatIsNoDemand() throws IOException {
    assertThat(forecast("timestamp,value\n" + rows(60, 60, i -> i == 30 ? 1e31 : 1))).isEqualTo(3);
    assertThat(program.err())
        .contains(
            "load.csv: the value at 2026-01-01T00:30:00Z is 1.0E31, but a demand cannot exceed"
                + " 1.0E30; correct or remove it.");
  }

  @Test
  void refusesALoadShorterThanAStep() throws IOException {
    assertThat(forecast("timestamp,value\n" + rows(4, 60, i -> 1))).isEqualTo(3);
    assertThat(program.err())
        .contains("less than one step of the forecast")
        .contains("or a shorter --step.");
  }

  private int forecast(String csv, String... options) throws IOException {
    return forecast(program, csv, options);
  }

  private int forecast(TestingSurroundings surroundings, String csv, String... options)
      throws IOException {
    var trace = Files.writeString(folder.resolve("load.csv"), csv).toString();
    return surroundings.run(
        Stream.concat(Stream.of("forecast", "--trace", trace), Stream.of(options))
            .toArray(String[]::new));
  }

  private static String dailyCycle(int minutes) {
    return dailyCycle(minutes, i -> 0);
  }

  private static String dailyCycle(int minutes, IntToDoubleFunction more) {
    return "timestamp,value\n"
        + rows(
            minutes,
            60,
            i -> 100 + 50 * Math.sin(2 * Math.PI * i / DAY) + i % 7 + more.applyAsDouble(i));
  }

  private static String rows(int count, int seconds, IntToDoubleFunction value) {
    return IntStream.range(0, count)
        .mapToObj(i -> START + (long) seconds * i + "," + value.applyAsDouble(i))
        .collect(Collectors.joining("\n"));
  }
}
