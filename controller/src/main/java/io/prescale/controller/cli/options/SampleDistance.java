package io.prescale.controller.cli.options;

import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.Sample;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How far samples are apart, in whole seconds from one second on: 80 % of the distances are from
 * the shortest to the longest.
 */
record SampleDistance(Duration shortest, Duration longest) {
  private static final Duration SHORT = Duration.ofMinutes(2);

  /** Empty without samples at two times; O(n log n). */
  static Optional<SampleDistance> of(List<Sample> samples) {
    var times =
        samples.stream().mapToLong(sample -> sample.time().toEpochMilli()).sorted().toArray();
    var gaps = new long[Math.max(0, times.length - 1)];
    Arrays.setAll(gaps, i -> times[i + 1] - times[i]);
    var sorted = Arrays.stream(gaps).filter(gap -> gap > 0).sorted().toArray();
    if (sorted.length == 0) {
      return Optional.empty();
    }
    int tenth = sorted.length / 10;
    return Optional.of(
        new SampleDistance(rounded(sorted[tenth]), rounded(sorted[sorted.length - 1 - tenth])));
  }

  private static Duration rounded(long millis) {
    return millis < 1000 ? Duration.ofMillis(millis) : Duration.ofSeconds((millis + 500) / 1000);
  }

  /** Whether samples at this distance, of which some are lost, lie on a grid of these steps. */
  boolean divides(Duration step) {
    return step.toMillis() % shortest.toMillis() == 0
        && longest.toMillis() % shortest.toMillis() == 0;
  }

  /** What is done about it, as a sentence. */
  String sentence(Duration step) {
    return "Samples are %s apart; averaged over steps of %s."
        .formatted(words(), DurationInWords.of(step));
  }

  private String words() {
    if (shortest.equals(longest)) {
      return DurationInWords.of(shortest);
    }
    return shortest.toSeconds() >= 1 && longest.compareTo(SHORT) < 0
        ? "%d–%d s".formatted(shortest.toSeconds(), longest.toSeconds())
        : DurationInWords.of(shortest) + " to " + DurationInWords.of(longest);
  }
}
