package io.prescale.placement.queue;

import java.util.Optional;

/**
 * A queue as it is written down, alone.
 *
 * @param parent the name of the queue of which it is a child; empty at the top
 */
public record QueueEntry(String name, Optional<String> parent, Quota quota) {}
