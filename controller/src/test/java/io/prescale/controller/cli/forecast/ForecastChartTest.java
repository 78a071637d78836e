package io.prescale.controller.cli.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.terminal.Terminal;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ForecastChartTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(5);
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final Terminal ASCII = new Terminal(true, false, false, 60);

  /** Twelve hours of 100, then a rise to 200, with two hours missing in the middle. */
  private final TimeSeries history =
      TimeSeries.of(
          START,
          STEP,
          IntStream.range(0, 288)
              .mapToDouble(
                  i ->
                      i >= 60 && i < 84
                          ? Double.NaN
                          : i < 144 ? 100 : 100 + 100 * (i - 144) / 144.0)
              .toArray());

  private final Fan fan =
      new Fan(
          history.end(),
          STEP,
          List.of(0.1, 0.5, 0.9),
          IntStream.range(0, 288)
              .mapToObj(i -> new double[] {200 - i / 4.0, 200, 200 + i / 4.0})
              .toArray(double[][]::new));

  @Test
  void drawsHistoryMedianAndBandInAscii() {
    assertThat(new ForecastChart(history, fan, ASCII, UTC).lines())
        .containsExactly(
            "300 |",
            "    |                                                   :::",
            "    |                                          ::::::::::::",
            "    |                                ::::::::::::::::::::::",
            "    |                         **ooooooooooooooooooooooooooo",
            "    |                      ***       ::::::::::::::::::::::",
            "150 |                   ***                    ::::::::::::",
            "    |               ****                                :::",
            "    |****** ********",
            "    |",
            "    |",
            "    |",
            "  0 |",
            "     Jan 1 00:00                Jan 2 00:00     Jan 3 00:00",
            "     * observed   o P50   : P10 to P90   times in UTC");
  }

  @Test
  void marksTimesOnTheClocksOfTheZone() {
    var lines = new ForecastChart(history, fan, ASCII, ZoneId.of("America/New_York")).lines();

    assertThat(lines.get(13))
        .isEqualTo("     Dec 31 19:00               Jan 1 19:00     Jan 2 19:00");
  }

  @Test
  void usesBrailleWhereUnicodeIsUnderstood() {
    var lines = new ForecastChart(history, fan, new Terminal(true, false, true, 60), UTC).lines();

    assertThat(lines.get(4)).matches("    │ +[\u2800-\u28ff]{28,30}");
    assertThat(lines).allMatch(line -> line.length() <= 60);
  }

  @Test
  void coloursOnlyWhatTheTerminalWants() {
    var coloured = new ForecastChart(history, fan, new Terminal(true, true, true, 60), UTC).lines();
    var plain = new ForecastChart(history, fan, new Terminal(true, false, true, 60), UTC).lines();

    assertThat(coloured.get(4)).contains("\u001b[36m").endsWith("\u001b[0m");
    assertThat(coloured.stream().map(line -> line.replaceAll("\u001b\\[\\d+m", "")))
        .containsExactlyElementsOf(plain);
  }

  @Test
  void keepsReadableWhateverTheWidth() {
    var narrow = new Terminal(true, false, false, 1);
    var wide = new Terminal(true, false, false, 500);

    assertThat(new ForecastChart(history, fan, narrow, UTC).lines().get(4)).hasSize(39);
    assertThat(new ForecastChart(history, fan, wide, UTC).lines().get(4)).hasSize(99);
  }

  @Test
  void drawsALoadThatIsZero() {
    var zeros = TimeSeries.of(START, STEP, new double[288]);
    var nothing = new Fan(zeros.end(), STEP, List.of(0.5), new double[288][1]);
    var lines = new ForecastChart(zeros, nothing, ASCII, UTC).lines();

    assertThat(lines.getFirst()).isEqualTo("  1 |");
    assertThat(lines.get(6)).isEqualTo("0.5 |");
    assertThat(lines.get(12)).isEqualTo("  0 |" + "*".repeat(27) + "o".repeat(27));
  }
}
