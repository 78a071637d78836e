package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Quantiles;
import io.prescale.controller.simulation.replay.Tick;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TicksCsvTest {

  @Test
  void writesOneRowAMinuteAndLeavesTheUnknownEmpty() throws IOException {
    assertThat(
            csv(
                new Tick(
                    Instant.ofEpochSecond(1_700_000_040),
                    OptionalDouble.of(1.5),
                    OptionalDouble.of(2),
                    Optional.of(new Quantiles(1, 1.25, 2, 3)),
                    4,
                    3),
                new Tick(
                    Instant.ofEpochSecond(1_700_000_100),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    Optional.empty(),
                    4,
                    4)))
        .isEqualTo(
            """
            timestamp,observed,served,p50,p90,p95,p99,desired_replicas,ready_replicas
            1700000040,1.5,2.0,1.0,1.25,2.0,3.0,4,3
            1700000100,,,,,,,4,4
            """);
  }

  @Test
  void aRunWithoutMinutesIsAHeader() throws IOException {
    assertThat(csv()).isEqualTo(TicksCsv.HEADER + "\n");
  }

  @Test
  void numbersReadBackAsTheyWere() throws InterruptedException, IOException {
    PolicyRun run = Results.sixteenDays().runs().getFirst();

    List<String> lines = csv(run.ticks().toArray(Tick[]::new)).lines().toList();

    assertThat(lines).hasSize(23_041);
    for (int i = 0; i < run.ticks().size(); i++) {
      assertThat(read(lines.get(i + 1))).isEqualTo(run.ticks().get(i));
    }
  }

  @Test
  void extremesReadBackAsTheyWere() throws IOException {
    var tick =
        new Tick(
            Instant.ofEpochSecond(-60),
            OptionalDouble.of(Double.MIN_VALUE),
            OptionalDouble.of(Double.MAX_VALUE),
            Optional.of(new Quantiles(0.1 + 0.2, 1e-5, 1e21, 123456789.12345679)),
            Integer.MAX_VALUE,
            0);

    assertThat(read(csv(tick).lines().toList().get(1))).isEqualTo(tick);
  }

  @Test
  void noLocaleChangesANumber() throws IOException {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

      assertThat(
              csv(
                  new Tick(
                      Instant.EPOCH,
                      OptionalDouble.of(1234.5),
                      OptionalDouble.of(1),
                      Optional.of(new Quantiles(1, 1, 1, 1)),
                      1,
                      1)))
          .endsWith("\n0,1234.5,1.0,1.0,1.0,1.0,1.0,1,1\n");
    } finally {
      Locale.setDefault(before);
    }
  }

  private static String csv(Tick... ticks) throws IOException {
    var out = new StringWriter();
    var run =
        new PolicyRun(
            Results.outcome("any", 0, 1),
            List.of(ticks),
            Collections.nCopies(ticks.length, Optional.empty()));
    TicksCsv.write(run, out);
    return out.toString();
  }

  private static Tick read(String line) {
    String[] cells = line.split(",", -1);
    assertThat(cells).hasSize(9);
    return new Tick(
        Instant.ofEpochSecond(Long.parseLong(cells[0])),
        number(cells[1]),
        number(cells[2]),
        quantiles(cells),
        Integer.parseInt(cells[7]),
        Integer.parseInt(cells[8]));
  }

  private static Optional<Quantiles> quantiles(String... cells) {
    return cells[3].isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Quantiles(
                Double.parseDouble(cells[3]),
                Double.parseDouble(cells[4]),
                Double.parseDouble(cells[5]),
                Double.parseDouble(cells[6])));
  }

  private static OptionalDouble number(String cell) {
    return cell.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(cell));
  }
}
