package io.prescale.controller.cli.options;

import io.prescale.forecasting.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A few samples at one end of a history, further from the others than these are from each other: as
 * where the year of a row is wrong.
 *
 * @param first time of the first of them
 * @param last time of the last of them
 */
record LoneSamples(int count, Instant first, Instant last, Instant othersFrom, Instant othersTo) {
  private static final Duration FAR = Duration.ofDays(1);

  /** More than this share of the samples are no mistake. */
  private static final double FEW = 0.05;

  /** Empty where there are none; O(n log n). */
  static Optional<LoneSamples> of(List<Sample> samples) {
    var times = samples.stream().map(Sample::time).sorted().toArray(Instant[]::new);
    int widest = 0;
    for (int i = 1; i + 1 < times.length; i++) {
      widest = gap(times, i).compareTo(gap(times, widest)) > 0 ? i : widest;
    }
    if (times.length < 3 || gap(times, widest).compareTo(FAR) < 0) {
      return Optional.empty();
    }
    var before = Arrays.copyOf(times, widest + 1);
    var after = Arrays.copyOfRange(times, widest + 1, times.length);
    boolean isEarly = before.length < after.length;
    var few = isEarly ? before : after;
    var others = isEarly ? after : before;
    var length = Duration.between(others[0], others[others.length - 1]);
    return few.length <= FEW * times.length && gap(times, widest).compareTo(length) > 0
        ? Optional.of(
            new LoneSamples(
                few.length, few[0], few[few.length - 1], others[0], others[others.length - 1]))
        : Optional.empty();
  }

  private static Duration gap(Instant[] times, int after) {
    return Duration.between(times[after], times[after + 1]);
  }

  /** What to look at, as a sentence. */
  String sentence() {
    return "%s far from the others, which are from %s to %s; if that time is wrong, correct it or remove the row."
        .formatted(
            count == 1
                ? "The sample at %s lies".formatted(first)
                : "%,d samples, from %s to %s, lie".formatted(count, first, last),
            othersFrom,
            othersTo);
  }
}
