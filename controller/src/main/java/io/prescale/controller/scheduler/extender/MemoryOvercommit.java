package io.prescale.controller.scheduler.extender;

import io.prescale.placement.overcommit.BoundedRisk;
import java.time.Duration;

/**
 * How much more memory cards promise than they have.
 *
 * @param window for which the memory in use of a pod must have been observed
 */
public record MemoryOvercommit(BoundedRisk risk, Duration window) {
  private static final Duration SHORTEST = Duration.ofMinutes(2);
  private static final Duration LONGEST = Duration.ofDays(30);

  public MemoryOvercommit {
    if (window.compareTo(SHORTEST) < 0 || window.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the overcommit window is %d s; give 2 minutes to 30 days".formatted(window.toSeconds()));
    }
  }
}
