package io.prescale.controller.scheduler.extender;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.api.v1alpha1.GpuQueue;
import io.prescale.controller.api.v1alpha1.GpuQueueStatus;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.BrokenWatch;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.scheduler.reclaim.Noticed;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.QueueState;
import io.prescale.placement.notice.ReclaimPolicy;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports GpuQueues and the queues of namespaces to the ledger, and writes the queues' statuses.
 */
final class QueueFeed implements AutoCloseable {
  static final ResourceDefinitionContext QUEUES =
      ResourceDefinitionContext.fromResourceType(GpuQueue.class);

  /** The limit of one round, so that many queues do not flood the API server. */
  static final int MOST_AT_ONCE = 20;

  private static final Logger LOG = LoggerFactory.getLogger(QueueFeed.class);

  private final KubernetesClient client;
  private final Ledger ledger;
  private final QueueReader reader = new QueueReader();
  private final WrittenQueues written = new WrittenQueues();
  private final SharedIndexInformer<GenericKubernetesResource> queues;
  private final NamespaceQueues namespaces;

  /** The rounds in which statuses were last written, by queue. For the thread of the upkeep. */
  private final Map<String, Long> writes = new HashMap<>();

  private long round;

  private QueueFeed(KubernetesClient client, Ledger ledger) {
    this.client = client;
    this.ledger = ledger;
    queues = client.genericKubernetesResources(QUEUES).runnableInformer(0);
    queues.addEventHandler(
        new ObjectEvents<>(
            queue -> ledger.queues(written.seen(reader.read(queue))),
            queue -> ledger.queues(written.gone(queue.getMetadata().getName()))));
    queues.exceptionHandler(BrokenWatch.retried(queues, "GpuQueues"));
    namespaces = new NamespaceQueues(client, ledger);
  }

  /** Starts watching, if the API server serves GpuQueues. */
  static Optional<QueueFeed> start(KubernetesClient client, Ledger ledger) {
    if (!ServedKind.isServed(client, QUEUES)) {
      return Optional.empty();
    }
    var feed = new QueueFeed(client, ledger);
    feed.queues.start().thenRun(feed::listed);
    feed.namespaces.start();
    return Optional.of(feed);
  }

  private void listed() {
    ledger.queues(written.listed(queues.getStore().list().stream().map(reader::read).toList()));
  }

  /** Whether all queues and namespaces have been observed once. */
  boolean isComplete() {
    return queues.hasSynced() && namespaces.isComplete();
  }

  /** On which terms the queues in force give cards back; those that do not are left out. */
  Map<String, ReclaimPolicy> policies() {
    return written.policies();
  }

  /** The queues and the pods with notice, for the page. */
  QueueRows rows(Collection<Noticed> noticed) {
    return QueueRows.of(written, ledger.queues(), noticed);
  }

  /**
   * Writes the statuses that have news, those first that were not written for longest.
   *
   * @param notified how many pods of each queue have notice; none of those that are left out
   */
  void report(Map<String, Integer> notified, Instant now) {
    round++;
    var states =
        ledger.queues().stream().collect(Collectors.toMap(QueueState::name, Function.identity()));
    var all = written.all();
    var names = all.stream().map(QueueReader.Written::name).collect(Collectors.toSet());
    writes.keySet().retainAll(names);
    int sent = 0;
    for (var queue :
        all.stream()
            .map(QueueReader.Written::queue)
            .sorted(Comparator.comparingLong(queue -> writes.getOrDefault(name(queue), 0L)))
            .toList()) {
      var outcome = report(queue, Optional.ofNullable(states.get(name(queue))), notified, now);
      if (outcome != Outcome.UNCHANGED) {
        writes.put(name(queue), round);
        sent++;
      }
      if (outcome == Outcome.FAILED || sent == MOST_AT_ONCE) {
        return;
      }
    }
  }

  private enum Outcome {
    UNCHANGED,
    WRITTEN,
    /** The next write would wait for the API server too, so the round ends. */
    FAILED
  }

  private static String name(GpuQueue queue) {
    return queue.getMetadata().getName();
  }

  private Outcome report(
      GpuQueue queue, Optional<QueueState> state, Map<String, Integer> notified, Instant now) {
    var name = name(queue);
    var status =
        QueueStatuses.of(
            queue,
            state.filter(_ -> written.isInForce(name)),
            notified.getOrDefault(name, 0),
            written.fault(name),
            now);
    if (status.equals(queue.getStatus())) {
      return Outcome.UNCHANGED;
    }
    try {
      client
          .genericKubernetesResources(QUEUES)
          .withName(name)
          .subresource("status")
          .patch(PatchContext.of(PatchType.JSON_MERGE), patch(status));
      return Outcome.WRITTEN;
    } catch (KubernetesClientException e) {
      LOG.warn("The status of GpuQueue {} was not written: {}", name, ApiFailure.text(e));
      return Outcome.FAILED;
    }
  }

  /** What is no longer so has to be removed by name. */
  private String patch(GpuQueueStatus status) {
    var json = client.getKubernetesSerialization();
    var fields = Objects.requireNonNull(json.convertValue(status, ObjectNode.class));
    for (var field :
        new String[] {"used", "owed", "borrowed", "waiting", "waitingSince", "notified"}) {
      if (!fields.has(field)) {
        fields.putNull(field);
      }
    }
    return "{\"status\":" + fields + "}";
  }

  @Override
  public void close() {
    queues.stop();
    namespaces.close();
  }
}
