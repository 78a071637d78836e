package io.prescale.forecasting;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** How long a history is, and so what can be learned from it. */
public record HistoryLength(Duration length) {
  private static final Duration DAY = Duration.ofDays(1);

  /** Two weeks less the hours of today that are not over. */
  private static final Duration NEARLY_TWO_WEEKS = Duration.ofDays(14).minusHours(12);

  /** A daily pattern must be seen, be confirmed, and then be scored. */
  private static final Duration LEAST_FOR_VERDICT = Duration.ofDays(3);

  /** The load by day may be this many times that of the hours that were seen. */
  private static final double LARGEST_CHANGE = 10;

  /** After this time, a load may have changed as much as it does in a day. */
  private static final Duration LONGEST_CHANGE = Duration.ofHours(12);

  /** The length of what was observed: gaps of a day or more do not count. */
  public static HistoryLength of(TimeSeries series) {
    long longGap = Math.ceilDiv(DAY.toMillis(), series.step().toMillis());
    long counted = series.size();
    int gap = 0;
    for (int i = 0; i <= series.size(); i++) {
      boolean isGap = i < series.size() && series.isMissing(i);
      if (!isGap && gap >= longGap) {
        counted -= gap;
      }
      gap = isGap ? gap + 1 : 0;
    }
    return new HistoryLength(series.step().multipliedBy(counted));
  }

  /** What can be learned, as a sentence. */
  public String sentence() {
    if (length.compareTo(DAY) < 0) {
      return "A history of %s shows no daily pattern: what the coming hours bring is unknown, and forecasts of them are wide."
          .formatted(words());
    }
    if (length.compareTo(LEAST_FOR_VERDICT) < 0) {
      return "A history of %s shows a daily pattern at most once or twice: nothing confirms that it repeats."
          .formatted(words());
    }
    if (length.compareTo(NEARLY_TWO_WEEKS) < 0) {
      return "A history of %s shows the daily pattern, but not the weekly one, which takes two weeks."
          .formatted(words());
    }
    return "A history of %s is long enough for a daily and a weekly pattern.".formatted(words());
  }

  /** Whether a replay of it may be judged. */
  public boolean allowsVerdict() {
    return length.compareTo(LEAST_FOR_VERDICT) >= 0;
  }

  /** Why a replay of it is not judged. */
  public String noVerdict() {
    return "No verdict: the load was observed for %s, and a verdict takes at least %s, in which a daily pattern is seen, confirmed and scored. The table only shows that the options work."
        .formatted(words(), DurationInWords.of(LEAST_FOR_VERDICT));
  }

  /**
   * The factor by which demand so far ahead may differ from what a history of less than a day lets
   * expect; 1 for a longer one. It grows evenly, in logarithms, with the lead and with the part of
   * the day that was not seen.
   */
  public double possibleChange(Duration ahead) {
    double unseen = 1 - Math.min(1, ratio(length, DAY));
    return Math.pow(LARGEST_CHANGE, unseen * Math.min(1, ratio(ahead, LONGEST_CHANGE)));
  }

  private static double ratio(Duration part, Duration whole) {
    return (double) part.toMillis() / whole.toMillis();
  }

  private String words() {
    return DurationInWords.of(
        length.compareTo(DAY) < 0 ? length : length.truncatedTo(ChronoUnit.HOURS));
  }
}
