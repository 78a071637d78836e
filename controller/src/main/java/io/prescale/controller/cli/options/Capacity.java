package io.prescale.controller.cli.options;

import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.input.Excerpt;
import io.prescale.forecasting.TimeSeries;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** The demand that one ready replica can carry, as {@code --capacity} gives it. */
public sealed interface Capacity {

  /** The demand that one replica can carry, in the unit of the trace; empty for an empty trace. */
  OptionalDouble perReplica(TimeSeries trace);

  /** A number in the unit of the trace. */
  record Fixed(double demand) implements Capacity {
    public Fixed {
      if (!(demand > 0 && Double.isFinite(demand))) {
        throw new IllegalArgumentException(
            "a replica's capacity must be a positive number, not "
                + (Double.isFinite(demand) ? Numbers.brief(demand) : demand));
      }
    }

    @Override
    public OptionalDouble perReplica(TimeSeries trace) {
      return OptionalDouble.of(demand);
    }
  }

  /**
   * A percentile of the trace, divided by a number of replicas: {@code p99.9/24} says that 24
   * replicas carry all but the highest 0.1 % of the trace.
   */
  record PercentileOfTrace(double percentile, double replicas) implements Capacity {
    public PercentileOfTrace {
      if (!(percentile > 0 && percentile <= 100)) {
        throw new IllegalArgumentException(
            "a percentile must be above 0 and at most 100, not " + Numbers.brief(percentile));
      }
      if (!(replicas >= 1 && Double.isFinite(replicas))) {
        throw new IllegalArgumentException(
            "at least one replica is needed, not " + Numbers.brief(replicas));
      }
    }

    /** The value is interpolated between neighbours (Hyndman &amp; Fan, 1996, type 7). */
    @Override
    public OptionalDouble perReplica(TimeSeries trace) {
      double[] sorted =
          Arrays.stream(trace.toArray()).filter(value -> !Double.isNaN(value)).sorted().toArray();
      if (sorted.length == 0) {
        return OptionalDouble.empty();
      }
      double position = percentile / 100 * (sorted.length - 1);
      int below = (int) position;
      int above = Math.min(below + 1, sorted.length - 1);
      double value = sorted[below] + (position - below) * (sorted[above] - sorted[below]);
      return OptionalDouble.of(value / replicas);
    }
  }

  Pattern PERCENTILE =
      Pattern.compile("p(\\d{1,2}(?:\\.\\d{1,6})?|100)/(\\d{1,7}(?:\\.\\d{1,6})?)");

  static Capacity parse(String text) {
    var percentile = PERCENTILE.matcher(text);
    if (percentile.matches()) {
      return new PercentileOfTrace(
          Double.parseDouble(percentile.group(1)), Double.parseDouble(percentile.group(2)));
    }
    try {
      return new Fixed(Double.parseDouble(text));
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException(
          "%s is not a capacity; write a number in the unit of the trace, such as 50, or a percentile of the trace divided by a number of replicas, such as p99.9/24"
              .formatted(Excerpt.quoted(text)));
    }
  }
}
