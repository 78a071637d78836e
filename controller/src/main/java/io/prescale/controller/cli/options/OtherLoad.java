package io.prescale.controller.cli.options;

import io.prescale.controller.demand.prometheus.TraceFile;
import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.Excerpt;
import io.prescale.controller.input.HistorySource;
import io.prescale.forecasting.TimeSeries;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Another load of the same replicas, as {@code --also} gives it: {@code FILE=DEMAND}.
 *
 * @param capacityPerReplica what one ready replica carries of it
 */
public record OtherLoad(Path file, double capacityPerReplica) implements ReadsFile {

  /** Reads file and capacity. */
  public static OtherLoad parse(String text) {
    int equals = text.lastIndexOf('=');
    double capacity = equals < 0 ? Double.NaN : number(text.substring(equals + 1));
    if (equals < 1 || !(capacity > 0 && Double.isFinite(capacity))) {
      throw new IllegalArgumentException(
          "%s is no load with a capacity; write a file and what one replica carries of its load, such as tokens.csv=4000"
              .formatted(Excerpt.quoted(text)));
    }
    return new OtherLoad(Path.of(text.substring(0, equals)), capacity);
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      return Double.NaN;
    }
  }

  /** The name of its file, without the folder. */
  public String name() {
    return String.valueOf(file.getFileName());
  }

  /**
   * What to say where it covers another time than the first load.
   *
   * @param its its demand
   */
  public Optional<String> otherTime(TimeSeries its, TimeSeries first) {
    if (areNear(its.start(), first.start()) && areNear(its.end(), first.end())) {
      return Optional.empty();
    }
    return Optional.of(
        "%s covers %s to %s, the first load %s to %s: where one of them is missing, only the other counts."
            .formatted(name(), its.start(), its.end(), first.start(), first.end()));
  }

  /** As near as the steps of two loads are. */
  private static boolean areNear(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(Duration.ofMinutes(15)) <= 0;
  }

  /** Where its history is read, with times that name no zone in the one given. */
  public HistorySource source(ZoneId zone) {
    return new TraceFile(CsvFile.of(file), zone);
  }
}
