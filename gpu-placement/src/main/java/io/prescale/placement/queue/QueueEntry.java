package io.prescale.placement.queue;

import java.util.Optional;

/**
 * A queue as it is written down, alone.
 *
 * @param parent the name of the queue of which it is a child; empty at the top
 * @param pool whose cards it and its children divide; it names one only without a parent
 */
public record QueueEntry(String name, Optional<String> parent, Quota quota, CardPool pool) {
  public QueueEntry {
    if (parent.isPresent() && !pool.equals(CardPool.REST)) {
      throw new IllegalArgumentException(
          "queue %s names models and a parent; name the models in the topmost queue"
              .formatted(name));
    }
  }

  /** An entry that names no models: at the top, it has cards that are in no pool. */
  public QueueEntry(String name, Optional<String> parent, Quota quota) {
    this(name, parent, quota, CardPool.REST);
  }
}
