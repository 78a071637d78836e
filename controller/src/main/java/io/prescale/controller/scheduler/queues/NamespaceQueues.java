package io.prescale.controller.scheduler.queues;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.BrokenWatch;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.placement.ledger.Ledger;
import java.util.Optional;

/** Reports to the ledger which queues namespaces name. */
final class NamespaceQueues implements AutoCloseable {
  private static final long PAGE = 500;

  private final SharedIndexInformer<Namespace> namespaces;

  NamespaceQueues(KubernetesClient client, Ledger ledger) {
    namespaces = client.namespaces().withLimit(PAGE).runnableInformer(0);
    namespaces.addEventHandler(
        new ObjectEvents<>(
            namespace ->
                ledger.queueNamed(
                    namespace.getMetadata().getName(), Facts.queue(namespace.getMetadata())),
            namespace -> ledger.queueNamed(namespace.getMetadata().getName(), Optional.empty())));
    namespaces.exceptionHandler(BrokenWatch.retried(namespaces, "namespaces"));
  }

  void start() {
    namespaces.start();
  }

  boolean isComplete() {
    return namespaces.hasSynced();
  }

  @Override
  public void close() {
    namespaces.stop();
  }
}
