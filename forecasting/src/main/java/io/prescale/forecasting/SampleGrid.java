package io.prescale.forecasting;

import static java.util.Comparator.comparing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Puts samples on a grid in one pass: sort, check values, choose a step, bin, average. Nothing is
 * ever interpolated.
 *
 * <p>Steps begin at whole multiples of the step since the epoch, so that minutes are clock minutes.
 * A sample without a usable value still extends the series to its time, with a missing step.
 */
final class SampleGrid {
  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");
  private static final Duration STEP_OF_A_SINGLE_SAMPLE = Duration.ofMinutes(1);

  /** More than three weeks of seconds or three years of minutes: times beyond that are absurd. */
  private static final int MOST_STEPS = 2_000_000;

  private final Optional<Duration> wantedStep;
  private int outOfOrder;
  private int notFinite;
  private int negative;
  private int duplicates;
  private int merged;

  /** wantedStep: detected from the gaps between samples when empty. */
  SampleGrid(Optional<Duration> wantedStep) {
    if (wantedStep.isPresent() && wantedStep.get().toMillis() < 1) {
      throw new IllegalArgumentException(
          "step must be at least a millisecond: " + wantedStep.get());
    }
    this.wantedStep = wantedStep;
  }

  Gridded grid(Iterable<Sample> samples) {
    var sorted = sorted(samples);
    var times = sorted.stream().mapToLong(sample -> sample.time().toEpochMilli()).toArray();
    var values = judged(sorted);
    dropDuplicates(times, values);

    var step =
        wantedStep
            .or(() -> SampleSpacing.of(times).map(Duration::ofMillis))
            .orElse(STEP_OF_A_SINGLE_SAMPLE);
    var series = binned(times, values, step.toMillis());
    return new Gridded(series, report(sorted.size(), series));
  }

  private List<Sample> sorted(Iterable<Sample> samples) {
    var sorted = new ArrayList<Sample>();
    var latest = EARLIEST;
    for (var sample : samples) {
      refuseAbsurdTime(sample.time());
      if (sample.time().isBefore(latest)) {
        outOfOrder++;
      } else {
        latest = sample.time();
      }
      sorted.add(sample);
    }
    sorted.sort(comparing(Sample::time)); // stable: among duplicates, the order of arrival remains
    return sorted;
  }

  private static void refuseAbsurdTime(Instant time) {
    if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
      throw new UngriddableException(
          "sample time %s is outside the years 0 to 9999: is its unit right?".formatted(time));
    }
  }

  /** The usable values, and NaN for those that are not. */
  private double[] judged(List<Sample> samples) {
    var values = new double[samples.size()];
    for (int i = 0; i < values.length; i++) {
      double value = samples.get(i).value();
      if (!Double.isFinite(value)) {
        notFinite++;
        value = Double.NaN;
      } else if (value < 0) {
        negative++;
        value = Double.NaN;
      }
      values[i] = value;
    }
    return values;
  }

  /** Keeps the last value at each instant; the others become NaN, which binning skips. */
  private void dropDuplicates(long[] times, double[] values) {
    int kept = -1;
    for (int i = 0; i < times.length; i++) {
      if (Double.isNaN(values[i])) {
        continue;
      }
      if (kept >= 0 && times[kept] == times[i]) {
        duplicates++;
        values[kept] = Double.NaN;
      }
      kept = i;
    }
  }

  private TimeSeries binned(long[] times, double[] values, long step) {
    if (times.length == 0) {
      return TimeSeries.of(Instant.EPOCH, Duration.ofMillis(step));
    }
    var bins = new StepBins(times, step);
    long first = bins.of(times[0]);
    long size = bins.of(times[times.length - 1]) - first + 1;
    if (size > MOST_STEPS) {
      throw new UngriddableException(
          """
          samples from %s to %s need %d steps of %s, more than the limit of %d: \
          check the first and last time, or use a longer step\
          """
              .formatted(
                  Instant.ofEpochMilli(times[0]),
                  Instant.ofEpochMilli(times[times.length - 1]),
                  size,
                  step % 1000 == 0 ? step / 1000 + " s" : step + " ms",
                  MOST_STEPS));
    }
    var grid = new double[(int) size];
    var counts = new int[(int) size];
    Arrays.fill(grid, Double.NaN);
    for (int i = 0; i < times.length; i++) {
      if (!Double.isNaN(values[i])) {
        int bin = (int) (bins.of(times[i]) - first);
        merged += counts[bin] > 0 ? 1 : 0;
        grid[bin] = mean(grid[bin], values[i], ++counts[bin]);
      }
    }
    return TimeSeries.of(Instant.ofEpochMilli(first * step), Duration.ofMillis(step), grid);
  }

  private static double mean(double soFar, double value, int count) {
    // Divided before the difference is taken, or the mean of huge values would overflow.
    return count == 1 ? value : soFar + (value / count - soFar / count);
  }

  private IngestReport report(int samples, TimeSeries series) {
    return new IngestReport(
        samples,
        duplicates,
        outOfOrder,
        notFinite,
        negative,
        merged,
        series.size() - series.presentCount());
  }
}
