package io.prescale.placement.cluster;

import java.util.Optional;

/**
 * A request's rights relative to others.
 *
 * @param queue the queue that pays for it
 * @param priority higher goes first
 * @param preemptible whether it may be evicted for others; otherwise it is guaranteed
 * @param gang name of the group of pods that is placed completely or not at all
 */
public record Standing(String queue, int priority, boolean preemptible, Optional<String> gang) {
  /** The standing of a guaranteed request at priority 0 without queue and gang. */
  public static final Standing DEFAULT = new Standing("", 0, false, Optional.empty());

  /** The standing of a request without queue and gang that may be evicted. */
  public static Standing preemptible(int priority) {
    return new Standing("", priority, true, Optional.empty());
  }

  public Standing {
    if (gang.isPresent() && gang.get().isBlank()) {
      throw new IllegalArgumentException("the name of a gang is blank: leave the gang out instead");
    }
  }
}
