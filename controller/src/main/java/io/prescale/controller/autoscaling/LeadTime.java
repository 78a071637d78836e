package io.prescale.controller.autoscaling;

import io.prescale.forecasting.DurationInWords;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long before demand a decision must be made: from the served value to replicas that serve.
 *
 * @param total what forecasts look ahead
 * @param samples scale-ups that it was measured on; 0 unless measured
 * @param observedAt when the newest of them was complete
 * @param parts what it is made of; they add up to the total, unless that was declared or bounded
 */
public record LeadTime(
    Duration total, Source source, int samples, Optional<Instant> observedAt, Parts parts) {

  /** Where a lead time comes from. */
  public enum Source {
    /** From recent scale-ups. */
    MEASURED,
    /** No scale-up has been observed yet. */
    DEFAULT,
    /** The owner declared it. */
    DECLARED
  }

  /**
   * The stages of a scale-up.
   *
   * @param decision served value to pod created: the HPA's sync and the API server
   * @param schedule pod created to scheduled, a new node included
   * @param pull scheduled to image pulled
   * @param ready image pulled to ready: model loading
   * @param hpa the HPA's ramp: further steps that its policies need
   * @param scrape age of the newest observation when it is decided by
   */
  public record Parts(
      Duration decision,
      Duration schedule,
      Duration pull,
      Duration ready,
      Duration hpa,
      Duration scrape) {
    public Parts {
      for (Duration part : new Duration[] {decision, schedule, pull, ready, hpa, scrape}) {
        if (part.isNegative()) {
          throw new IllegalArgumentException("a part of a lead time is negative: " + part);
        }
      }
    }

    /** Nothing is known of the stages. */
    public static Parts none() {
      return new Parts(
          Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    Parts with(Duration newHpa, Duration newScrape) {
      return new Parts(decision, schedule, pull, ready, newHpa, newScrape);
    }

    Duration sum() {
      return decision.plus(schedule).plus(pull).plus(ready).plus(hpa).plus(scrape);
    }
  }

  public LeadTime {
    if (total.isNegative() || total.compareTo(ForecastSettings.LONGEST_LEAD) > 0) {
      throw new IllegalArgumentException(
          "lead time must be from 0 to %s: %s"
              .formatted(
                  DurationInWords.of(ForecastSettings.LONGEST_LEAD), DurationInWords.of(total)));
    }
    if (samples < 0) {
      throw new IllegalArgumentException("samples: " + samples);
    }
  }

  /** From the served value to replicas that serve, where the HPA's policies allow them at once. */
  public Duration withoutRamp() {
    var others = parts.sum().minus(parts.hpa());
    return parts.hpa().isZero() || total.compareTo(others) < 0 ? total : others;
  }

  /** A lead time that the owner declared. */
  public static LeadTime declared(Duration total) {
    return new LeadTime(total, Source.DECLARED, 0, Optional.empty(), Parts.none());
  }
}
