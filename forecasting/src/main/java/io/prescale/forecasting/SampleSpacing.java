package io.prescale.forecasting;

import java.util.Arrays;
import java.util.Optional;

/**
 * The usual distance between samples, robust against jitter, lost samples and outages.
 *
 * <p>The median of nine consecutive gaps is the local spacing: up to four lost samples or outages
 * among them do not move it. The result is the local spacing that is not exceeded in three quarters
 * of the sampled time: where a source keeps old samples at a lower resolution, steps of the higher
 * one would leave gaps.
 */
final class SampleSpacing {
  private static final int STRETCH = 9;
  private static final double SHARE_OF_TIME = 0.75;

  /** Commonly configured spacings. A measured one within {@link #CLOSE} of one is rounded to it. */
  private static final long[] USUAL_SECONDS = {
    1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10800, 14400, 21600,
    28800, 43200, 86400
  };

  private static final double CLOSE = 0.08;

  private SampleSpacing() {}

  /** times: milliseconds in order; the spacing in milliseconds, at least 1; O(n). */
  static Optional<Long> of(long[] times) {
    var gaps = gaps(times);
    if (gaps.length == 0) {
      return Optional.empty();
    }
    var spacings = new long[(gaps.length + STRETCH - 1) / STRETCH];
    for (int i = 0; i < spacings.length; i++) {
      // The last stretch is a full one too where there are enough gaps.
      int to = Math.min(gaps.length, (i + 1) * STRETCH);
      var stretch = Arrays.copyOfRange(gaps, Math.max(0, to - STRETCH), to);
      Arrays.sort(stretch);
      spacings[i] = stretch[(stretch.length - 1) / 2];
    }
    Arrays.sort(spacings);
    return Optional.of(usual(quantileByTime(spacings)));
  }

  private static long[] gaps(long[] times) {
    var gaps = new long[Math.max(0, times.length - 1)];
    int count = 0;
    for (int i = 1; i < times.length; i++) {
      if (times[i] > times[i - 1]) {
        gaps[count++] = times[i] - times[i - 1];
      }
    }
    return Arrays.copyOf(gaps, count);
  }

  private static long quantileByTime(long[] sorted) {
    double total = Arrays.stream(sorted).asDoubleStream().sum();
    double covered = 0;
    int i = -1;
    while (covered < SHARE_OF_TIME * total && i < sorted.length - 1) {
      covered += sorted[++i];
    }
    return sorted[Math.max(i, 0)];
  }

  private static long usual(long millis) {
    for (long seconds : USUAL_SECONDS) {
      if (Math.abs(millis - seconds * 1000) <= CLOSE * seconds * 1000) {
        return seconds * 1000;
      }
    }
    return millis < 1000 ? millis : Math.round(millis / 1000.0) * 1000;
  }
}
