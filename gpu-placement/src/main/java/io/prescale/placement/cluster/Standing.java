package io.prescale.placement.cluster;

import java.util.Optional;

/**
 * A request's rights among others.
 *
 * @param queue that pays for it
 * @param priority higher goes first
 * @param preemptible whether it may be evicted for others; otherwise it is guaranteed
 * @param gang name of the group that is placed as a whole or not at all
 */
public record Standing(String queue, int priority, boolean preemptible, Optional<String> gang) {
  /** Guaranteed, of no queue and no gang, at priority 0. */
  public static final Standing DEFAULT = new Standing("", 0, false, Optional.empty());

  public Standing {
    if (gang.isPresent() && gang.get().isBlank()) {
      throw new IllegalArgumentException("the name of a gang is blank: leave the gang out instead");
    }
  }
}
