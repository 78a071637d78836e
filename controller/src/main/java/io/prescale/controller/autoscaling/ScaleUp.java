package io.prescale.controller.autoscaling;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A scale-up from which the lead time is measured.
 *
 * @param decided when the value was served that asked for more replicas
 * @param pods that were created for it
 */
public record ScaleUp(Instant decided, List<PodStart> pods) {

  /**
   * The life of a new pod until it serves, as the API server and the kubelet report it; any of the
   * times may be wrong.
   *
   * @param scheduled when it was bound to a node
   * @param pulled when its images were there
   * @param ready when it first was ready; empty when it never was
   */
  public record PodStart(
      Instant created,
      Optional<Instant> scheduled,
      Optional<Instant> pulled,
      Optional<Instant> ready) {}

  public ScaleUp {
    pods = List.copyOf(pods);
  }
}
