package io.prescale.controller.plan.live;

import java.time.Duration;
import java.util.Optional;

/**
 * What the leader does with forecasts of the next day.
 *
 * @param plan how the cluster's cards are planned; empty when they are not
 * @param bookingsEvery time between two looks at what is to be booked; empty when nothing is
 * @param buffers how autoscalers are asked for nodes that bookings lack; empty when they are not
 */
public record AheadSettings(
    Optional<PlanSettings> plan,
    Optional<Duration> bookingsEvery,
    Optional<BufferSettings> buffers) {
  public AheadSettings {
    if (bookingsEvery.filter(it -> it.compareTo(Duration.ofSeconds(1)) < 0).isPresent()) {
      throw new IllegalArgumentException("bookings every " + bookingsEvery.get());
    }
  }

  /** Whether the next day has to be forecast at all. */
  public boolean forecasts() {
    return plan.isPresent() || bookingsEvery.isPresent();
  }
}
