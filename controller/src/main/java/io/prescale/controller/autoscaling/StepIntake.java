package io.prescale.controller.autoscaling;

import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Turns samples, as they come in, into one value a step. The sample of time T belongs to the step
 * whose end is T, or that T lies in: what is measured at T is known of the time before T.
 *
 * <p>A step is handed out once, in order, when it is over and a sample of it or of a later one has
 * come; then a step without a sample is a gap, and a sample that comes for it later is late. Not
 * thread-safe.
 */
final class StepIntake {
  /** Observations older than this many steps are no ground for a decision. */
  private static final int STALE_STEPS = 3;

  private final long stepMillis;
  private final int mostSteps;
  private final TreeMap<Long, Double> waiting = new TreeMap<>();
  private long next;

  /**
   * @param start in the first step to be handed out
   * @param mostSteps that are handed out at once, and that are held
   */
  StepIntake(Duration step, Instant start, int mostSteps) {
    this.stepMillis = step.toMillis();
    this.mostSteps = mostSteps;
    this.next = Math.floorDiv(start.toEpochMilli(), stepMillis);
  }

  /** The end of the last step that was handed out. */
  Instant next() {
    return Instant.ofEpochMilli(begin(next));
  }

  /** The steps that end at or before this time are known from elsewhere. */
  void skipTo(Instant time) {
    next = Math.max(next, Math.floorDiv(time.toEpochMilli(), stepMillis));
    waiting.headMap(begin(next), true).clear();
  }

  /**
   * Takes in samples.
   *
   * @return the values of the steps that are over, from {@link #next()} on; none when there is no
   *     new sample of such a step. After a gap of more than {@code mostSteps} they begin later
   */
  Steps accept(List<Sample> samples, Instant now) {
    samples.forEach(sample -> keep(sample, now));
    var newest = waiting.floorEntry(now.toEpochMilli());
    long over = Math.floorDiv(now.toEpochMilli(), stepMillis);
    long until = newest == null ? next : Math.min(over, stepOf(newest.getKey()) + 1);
    while (until > next && Double.isNaN(mean(until - 1))) {
      until--; // a sample for the last steps may still come
    }
    long from = Math.max(next, until - mostSteps);
    double[] values = new double[(int) Math.max(0, until - from)];
    for (int i = 0; i < values.length; i++) {
      values[i] = mean(from + i);
    }
    next = Math.max(next, until);
    waiting.headMap(begin(next), true).clear();
    return new Steps(Instant.ofEpochMilli(begin(from)), values);
  }

  /** Values of consecutive steps, the first of which begins at {@code start}. */
  static final class Steps {
    final Instant start;
    final double[] values;

    private Steps(Instant start, double[] values) {
      this.start = start;
      this.values = values;
    }
  }

  private void keep(Sample sample, Instant now) {
    double value = sample.value();
    Instant time = sample.time();
    boolean usable = isDemand(value) && !time.isBefore(Instant.EPOCH) && !time.isAfter(now);
    if (usable && stepOf(time.toEpochMilli()) >= next) {
      waiting.put(time.toEpochMilli(), value);
    }
  }

  /** Whether a value can be demand: a number, not negative and not absurdly large. */
  static boolean isDemand(double value) {
    return value >= 0 && value <= TimeSeries.LARGEST_DEMAND;
  }

  /** A history in which all that can be no demand is missing. */
  static TimeSeries demandOf(TimeSeries history) {
    double[] values = history.toArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = isDemand(values[i]) ? values[i] : Double.NaN;
    }
    return TimeSeries.of(history.start(), history.step(), values);
  }

  long stepMillis() {
    return stepMillis;
  }

  private double mean(long step) {
    var values = waiting.subMap(begin(step), false, begin(step + 1), true).values();
    double mean = Double.NaN;
    int count = 0;
    for (double value : values) {
      mean = count++ == 0 ? value : mean + (value - mean) / count;
    }
    return mean;
  }

  private long stepOf(long millis) {
    return Math.ceilDiv(millis, stepMillis) - 1;
  }

  private long begin(long step) {
    return step * stepMillis;
  }

  /** Why there is no new step, if that is a fault: samples that are no demand, or none for long. */
  Optional<Reading.Missing> noDemand(String metric, List<Sample> samples, Instant now) {
    boolean unusable =
        !samples.isEmpty() && samples.stream().noneMatch(sample -> isDemand(sample.value()));
    return unusable
        ? Optional.of(
            new Reading.Missing(
                Reading.Reason.NOT_A_NUMBER,
                "The newest sample of %s is %s, which is no demand; correct the query."
                    .formatted(metric, DecisionInWords.number(samples.getLast().value()))))
        : staleness(metric, now);
  }

  Duration staleAfter() {
    return Duration.ofMillis(STALE_STEPS * stepMillis);
  }

  private Optional<Reading.Missing> staleness(String metric, Instant now) {
    Duration age = Duration.between(next(), now);
    return age.compareTo(staleAfter()) <= 0
        ? Optional.empty()
        : Optional.of(
            new Reading.Missing(
                Reading.Reason.STALE,
                "The newest usable sample of %s is older than %s."
                    .formatted(metric, DurationInWords.of(age.truncatedTo(ChronoUnit.SECONDS)))));
  }
}
