package io.prescale.controller.scheduler.queues;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.placement.ledger.Ledger;
import java.util.Optional;

/** Reports to the ledger which queues namespaces name. */
final class NamespaceQueues {
  private static final long PAGE = 500;

  private NamespaceQueues() {}

  /** Starts watching. */
  static void start(KubernetesClient client, Ledger ledger, CurrentWatches watches) {
    var informer = watches.optional("namespaces", client.namespaces(), PAGE);
    informer.addEventHandler(
        new ObjectEvents<>(
            namespace ->
                ledger.queueNamed(
                    namespace.getMetadata().getName(), Facts.queue(namespace.getMetadata())),
            namespace -> ledger.queueNamed(namespace.getMetadata().getName(), Optional.empty())));
    informer.start();
  }
}
