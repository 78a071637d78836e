package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.LeadTimeParts;
import io.prescale.controller.api.v1alpha1.LeadTimeStatus;
import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.LeadTime;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a lead time back from a status, which is not trusted: what is out of range is clamped. */
public final class LeadTimeFromStatus {
  private LeadTimeFromStatus() {}

  /** The lead time that was written. */
  public static LeadTime of(LeadTimeStatus status) {
    var source =
        switch (status.source()) {
          case Measured -> LeadTime.Source.MEASURED;
          case Default -> LeadTime.Source.DEFAULT;
          case Declared -> LeadTime.Source.DECLARED;
        };
    return new LeadTime(
        Duration.ofSeconds(
            Math.clamp(status.seconds(), 0, ForecastSettings.LONGEST_LEAD.toSeconds())),
        source,
        Math.max(0, Objects.requireNonNullElse(status.samples(), 0)),
        Optional.ofNullable(status.observedAt()),
        parts(status.parts()));
  }

  private static LeadTime.Parts parts(@Nullable LeadTimeParts parts) {
    return parts == null
        ? LeadTime.Parts.none()
        : new LeadTime.Parts(
            duration(parts.decision()),
            duration(parts.schedule()),
            duration(parts.pull()),
            duration(parts.ready()),
            duration(parts.hpa()),
            duration(parts.scrape()));
  }

  private static Duration duration(@Nullable Double seconds) {
    return seconds == null
        ? Duration.ZERO
        : Duration.ofMillis(Math.max(0, Math.round(1000 * seconds)));
  }
}
