package io.prescale.controller.plan.live;

import java.time.Instant;
import java.util.Set;

/** The nodes that there are. */
interface NodeStore {
  /** The cards, or parts of cards, that a replica takes of them. */
  double cards(BookedTemplate template);

  /** Whether one with any of these resources was created since, and is ready. */
  boolean hasNodeSince(Instant time, Set<String> resources);
}
