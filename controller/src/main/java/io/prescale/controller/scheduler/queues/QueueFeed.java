package io.prescale.controller.scheduler.queues;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.api.v1alpha1.GpuQueue;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.cluster.StatusReports;
import io.prescale.controller.scheduler.evictions.NewestSteps;
import io.prescale.controller.scheduler.reclaim.Noticed;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.QueueState;
import io.prescale.placement.notice.ReclaimPolicy;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reports GpuQueues and the queues of namespaces to the ledger, and writes the queues' statuses.
 */
public final class QueueFeed {
  /** The kind of GpuQueues. */
  public static final ResourceDefinitionContext QUEUES =
      ResourceDefinitionContext.fromResourceType(GpuQueue.class);

  private final Ledger ledger;
  private final QueueReader reader = new QueueReader();
  private final WrittenQueues written = new WrittenQueues();
  private final SharedIndexInformer<GenericKubernetesResource> queues;
  private final StatusReports reports;

  private QueueFeed(KubernetesClient client, Ledger ledger, CurrentWatches watches) {
    this.ledger = ledger;
    reports =
        new StatusReports(
            client,
            QUEUES,
            List.of("used", "owed", "borrowed", "waiting", "waitingSince", "notified"));
    queues =
        watches.optional("GpuQueues", client.genericKubernetesResources(QUEUES), BriefObjects.PAGE);
    queues.addEventHandler(
        new ObjectEvents<>(
            queue -> ledger.queues(written.seen(reader.read(queue))),
            queue -> ledger.queues(written.gone(queue.getMetadata().getName()))));
  }

  /** Starts watching, if the API server serves GpuQueues. */
  public static Optional<QueueFeed> start(
      KubernetesClient client, Ledger ledger, CurrentWatches watches) {
    if (!ServedKind.isServed(client, QUEUES)) {
      return Optional.empty();
    }
    var feed = new QueueFeed(client, ledger, watches);
    feed.queues.start().thenRun(feed::listed);
    NamespaceQueues.start(client, ledger, watches);
    return Optional.of(feed);
  }

  private void listed() {
    ledger.queues(written.listed(queues.getStore().list().stream().map(reader::read).toList()));
  }

  /** On which terms the queues in force give cards back; those that do not are left out. */
  public Map<String, ReclaimPolicy> policies() {
    return written.policies();
  }

  /** The queues, the pods with notice and the last steps of taking back, for the page. */
  public QueueRows rows(Collection<Noticed> noticed, List<NewestSteps.Step> steps) {
    return QueueRows.of(written, ledger.queues(), noticed, steps);
  }

  /**
   * Writes the statuses that have news.
   *
   * @param notified how many pods of each queue have notice; none of those that are left out
   */
  public void report(Map<String, Integer> notified, Instant now) {
    var states =
        ledger.queues().stream().collect(Collectors.toMap(QueueState::name, Function.identity()));
    reports.report(
        written.all(),
        QueueReader.Written::queue,
        queue ->
            QueueStatuses.of(
                queue.queue(),
                Optional.ofNullable(states.get(queue.name()))
                    .filter(_ -> written.isInForce(queue.name())),
                notified.getOrDefault(queue.name(), 0),
                written.fault(queue.name()),
                now));
  }
}
