package io.prescale.forecasting.online;

import io.prescale.forecasting.SyntheticSeries;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.relatives.Relative;
import io.prescale.forecasting.relatives.Relatives;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A program for {@code bench/leave-one-out}: the loss of a new service's first 48 hours, alone and
 * with what the others were before it began. Each trace begins at two moments. With {@code
 * --predecessor} first, what the trace was before it began is a relative too, and its predecessor.
 */
final class LeaveOneOut {
  private static final int[] BEGINNINGS = {8 * 1440 + 9 * 60, 10 * 1440 + 20 * 60};
  private static final int HOURS_48 = 2880;
  private static final int LEAD = 5;
  private static final int WINDOW = 5;
  private static final double[] LEVELS = {0.1, 0.5, 0.9, 0.95};

  private static final String PREDECESSOR = "--predecessor";

  private LeaveOneOut() {}

  /** Prints a line for each trace, and the mean and the highest of the ratios. */
  public static void main(String[] arguments) throws IOException {
    boolean hasPredecessor = arguments.length > 0 && arguments[0].equals(PREDECESSOR);
    Map<String, TimeSeries> traces = new TreeMap<>();
    for (int i = hasPredecessor ? 1 : 0; i < arguments.length; i++) {
      var path = Path.of(arguments[i]);
      traces.put(path.getFileName().toString(), read(path));
    }
    var ratios =
        traces.keySet().stream()
            .filter(it -> Objects.requireNonNull(traces.get(it)).size() >= BEGINNINGS[0] + HOURS_48)
            .parallel()
            .map(name -> ratio(name, traces, hasPredecessor))
            .sorted()
            .toList();
    System.out.printf(
        Locale.ROOT,
        "mean %.3f, highest %.3f%n",
        ratios.stream().mapToDouble(it -> it).average().orElseThrow(),
        Collections.max(ratios));
  }

  private static double ratio(String name, Map<String, TimeSeries> traces, boolean hasPredecessor) {
    var own = Objects.requireNonNull(traces.get(name));
    double alone = 0;
    double borrowing = 0;
    for (int begin : BEGINNINGS) {
      if (begin + HOURS_48 <= own.size()) {
        var relatives =
            traces.entrySet().stream()
                .filter(it -> !it.getKey().equals(name))
                .map(it -> before(it.getValue(), own.time(begin)))
                .flatMap(it -> Relative.of(it).stream())
                .toList();
        var predecessor =
            hasPredecessor
                ? Relative.of(before(own, own.time(begin))).stream().toList()
                : List.<Relative>of();
        var all = Stream.concat(relatives.stream(), predecessor.stream()).toList();
        alone += loss(own, begin, Relatives.none());
        borrowing += loss(own, begin, new Relatives(all, predecessor));
      }
    }
    System.out.printf(Locale.ROOT, "%-24s %.4f -> %.4f%n", name, alone, borrowing);
    return borrowing / alone;
  }

  private static TimeSeries before(TimeSeries series, Instant end) {
    return series.slice(0, Math.clamp(series.indexOf(end), 0, series.size()));
  }

  /** The mean pinball loss of the calibrated forecasts. */
  private static double loss(TimeSeries series, int begin, Relatives relatives) {
    var forecaster =
        new PeakForecaster(series.time(begin), PeakSettings.forLead(Duration.ofMinutes(LEAD)));
    forecaster.borrowFrom(relatives);
    double sum = 0;
    int count = 0;
    for (int i = begin; i < begin + HOURS_48; i++) {
      forecaster.observe(series.value(i));
      if (forecaster.refitDue()) {
        forecaster.adopt(forecaster.refit().compute());
      }
      int from = i + 1 + LEAD;
      int to = Math.min(series.size(), from + WINDOW);
      double truth =
          from >= to ? Double.NaN : Arrays.stream(series.slice(from, to).toArray()).max().orElse(0);
      var forecast = forecaster.forecast();
      if (forecast.isPresent() && !Double.isNaN(truth)) {
        for (double level : LEVELS) {
          sum += Levels.pinball(level, truth, forecast.get().quantile(level));
        }
        count++;
      }
    }
    return sum / count;
  }

  /** A CSV of Unix seconds and values by the minute. */
  private static TimeSeries read(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      double[][] rows =
          lines
              .skip(1)
              .map(
                  line -> Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray())
              .toArray(double[][]::new);
      double[] values = new double[(int) (rows[rows.length - 1][0] - rows[0][0]) / 60 + 1];
      Arrays.fill(values, Double.NaN);
      for (double[] row : rows) {
        values[(int) (row[0] - rows[0][0]) / 60] = row[1];
      }
      return TimeSeries.of(
          Instant.ofEpochSecond((long) rows[0][0]), SyntheticSeries.MINUTE, values);
    }
  }
}
