package io.prescale.controller.scheduler.queues;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.queue.AdmittedQueues;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reports the queues of another system to the ledger, and writes nothing: they are that system's.
 * An amount that cannot be read leaves the last one in force.
 */
public final class ForeignQueueFeed {
  private static final ResourceDefinitionContext LOCAL_QUEUES =
      ServedKind.of("kueue.x-k8s.io", "v1beta2", "LocalQueue", "localqueues", true);

  private final QueueSource source;
  private final Ledger ledger;
  private final Map<String, ForeignQueue> known = new TreeMap<>();
  private AdmittedQueues admitted = new AdmittedQueues(Map.of(), Map.of());

  private ForeignQueueFeed(QueueSource source, Ledger ledger) {
    this.source = source;
    this.ledger = ledger;
  }

  /** Starts watching the kinds that the API server serves, unless the queues are GpuQueues. */
  public static Optional<ForeignQueueFeed> start(
      KubernetesClient client, QueueSource source, Ledger ledger, CurrentWatches watches) {
    if (source == QueueSource.PRESCALE) {
      return Optional.empty();
    }
    var feed = new ForeignQueueFeed(source, ledger);
    var what = "queues of " + source;
    for (var informer : ServedKind.informers(what, client, kinds(source), watches)) {
      informer.addEventHandler(new ObjectEvents<>(feed::seen, feed::gone));
      informer.start();
    }
    for (var informer : ServedKind.informers(what, client, localKinds(source), watches)) {
      informer.addEventHandler(
          new ObjectEvents<>(
              queue -> named(queue, ledger),
              queue -> ledger.queueNamed(Cache.metaNamespaceKeyFunc(queue), Optional.empty())));
      informer.start();
    }
    NamespaceQueues.start(client, ledger, watches);
    return Optional.of(feed);
  }

  /** The kinds of a source's objects; all of them are cluster-scoped. */
  private static List<ResourceDefinitionContext> kinds(QueueSource source) {
    return switch (source) {
      case PRESCALE -> List.of(QueueFeed.QUEUES);
      case KUEUE ->
          List.of(
              ServedKind.of("kueue.x-k8s.io", "v1beta2", "ClusterQueue", "clusterqueues", false),
              ServedKind.of("kueue.x-k8s.io", "v1beta2", "Cohort", "cohorts", false));
      case KAI -> List.of(ServedKind.of("scheduling.run.ai", "v2", "Queue", "queues", false));
      case VOLCANO ->
          List.of(ServedKind.of("scheduling.volcano.sh", "v1beta1", "Queue", "queues", false));
    };
  }

  /** The kinds whose objects stand for queues in the words of pods of their namespace. */
  private static List<ResourceDefinitionContext> localKinds(QueueSource source) {
    return source == QueueSource.KUEUE ? List.of(LOCAL_QUEUES) : List.of();
  }

  /** The kinds of some sources; ours has none. */
  public static Stream<ResourceDefinitionContext> kinds(Collection<QueueSource> sources) {
    return sources.stream()
        .filter(it -> it != QueueSource.PRESCALE)
        .flatMap(it -> Stream.concat(kinds(it).stream(), localKinds(it).stream()));
  }

  /** Reports the queues of a source as they are at one moment. */
  public static void report(
      QueueSource source,
      Function<ResourceDefinitionContext, Stream<GenericKubernetesResource>> objects,
      Ledger ledger) {
    var known = new TreeMap<String, ForeignQueue>();
    kinds(source).stream()
        .flatMap(objects)
        .flatMap(it -> ForeignQueueReader.read(source, it).stream())
        .forEach(queue -> known.put(queue.name(), queue));
    localKinds(source).stream().flatMap(objects).forEach(it -> named(it, ledger));
    var admitted = AdmittedQueues.of(ForeignQueue.entries(known.values()), Map.of());
    ledger.queues(WrittenQueues.withDefault(admitted.inForce().values(), known.keySet()));
  }

  private static void named(GenericKubernetesResource local, Ledger ledger) {
    ledger.queueNamed(Cache.metaNamespaceKeyFunc(local), ForeignQueueReader.clusterQueue(local));
  }

  private synchronized void seen(GenericKubernetesResource object) {
    ForeignQueueReader.read(source, object)
        .ifPresent(
            queue -> {
              known.put(queue.name(), queue);
              report();
            });
  }

  private synchronized void gone(GenericKubernetesResource object) {
    known.remove(ForeignQueueReader.name(object));
    report();
  }

  private void report() {
    admitted = AdmittedQueues.of(ForeignQueue.entries(known.values()), admitted.inForce());
    ledger.queues(WrittenQueues.withDefault(admitted.inForce().values(), known.keySet()));
  }

  /** Why queues are not in force as they are written, by name. */
  public synchronized Map<String, String> faults() {
    var faults = new TreeMap<String, String>();
    admitted.faults().forEach((name, fault) -> faults.put(name, fault.sentence()));
    return faults;
  }
}
