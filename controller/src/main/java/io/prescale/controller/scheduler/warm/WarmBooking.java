package io.prescale.controller.scheduler.warm;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.api.v1alpha1.BookingImages;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.ledger.Booking.Need;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A GpuBooking as far as images are pulled for it.
 *
 * @param key namespace and name
 * @param pods that take its cards
 * @param replica what those of its pods look like that ask for cards, each kind once
 * @param size how many those are
 * @param said what its status says, perhaps by an earlier process
 */
public record WarmBooking(
    String key,
    String uid,
    PodSelector pods,
    List<Pod> replica,
    int size,
    List<Need> needs,
    Optional<BookingImages> said) {
  public WarmBooking {
    replica = List.copyOf(replica);
    needs = List.copyOf(needs);
  }

  String namespace() {
    return pods.namespace();
  }

  String name() {
    return key.substring(key.indexOf('/') + 1);
  }

  PulledImages images() {
    return PulledImages.of(replica);
  }

  /** Whether a need is under way, or begins within a time. */
  boolean isNeeded(Instant now, Duration ahead) {
    return needs.stream().anyMatch(need -> isNear(need, now, ahead));
  }

  /** For such a need there are never more nodes than pods. */
  int mostNodes(Instant now, Duration ahead) {
    return needs.stream()
        .filter(need -> isNear(need, now, ahead))
        .mapToInt(need -> need.replicas() * size)
        .max()
        .orElse(0);
  }

  private static boolean isNear(Need need, Instant now, Duration ahead) {
    return !now.isBefore(need.from().minus(ahead)) && now.isBefore(need.until());
  }
}
