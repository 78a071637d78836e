package io.prescale.controller.simulation.replay;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.prescale.controller.Checkout;
import io.prescale.forecasting.TimeSeries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Files beside the repository: real traces and the independent scorer. Not everyone has them. */
public final class SharedFolder {

  private SharedFolder() {}

  /**
   * A file in {@code ../shared}; the test that asks for it is skipped where there is none.
   *
   * @param unproven what is not known then: the end of a sentence
   */
  public static Path require(String name, String unproven) {
    Path file = Checkout.shared().resolve(name);
    assumeTrue(
        Files.isReadable(file),
        () -> "skipped: without ../shared/%s it stays unproven %s".formatted(name, unproven));
    return file;
  }

  /** A trace without gaps, one value a minute. */
  public static TimeSeries trace(String name, String unproven) throws IOException {
    return read(require("traces/" + name + ".csv", unproven));
  }

  /** The same from any file; also outside a test. */
  public static TimeSeries read(Path trace) throws IOException {
    List<String> lines = Files.readAllLines(trace);
    double[] values =
        lines.stream()
            .skip(1)
            .mapToDouble(l -> Double.parseDouble(l.substring(l.indexOf(',') + 1)))
            .toArray();
    String first = lines.get(1);
    long start = Long.parseLong(first.substring(0, first.indexOf(',')));
    return TimeSeries.of(Instant.ofEpochSecond(start), Duration.ofMinutes(1), values);
  }
}
