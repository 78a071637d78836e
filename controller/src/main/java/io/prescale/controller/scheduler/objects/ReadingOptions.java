package io.prescale.controller.scheduler.objects;

import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.placement.cluster.NetworkLevels;
import java.util.Optional;

/**
 * What an extender's options say about how objects are read.
 *
 * @param levels of the network; empty for those of Topologies, or that are known by their labels
 * @param queues whose queues pods are of
 */
public record ReadingOptions(Optional<NetworkLevels> levels, QueueSource queues) {
  static final ReadingOptions USUAL = new ReadingOptions(Optional.empty(), QueueSource.PRESCALE);
}
