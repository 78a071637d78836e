package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.BrokenWatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The objects of one kind in the watched namespaces, from a watch instead of one LIST a tick.
 * Thread-safe.
 */
final class WatchedObjects<T extends HasMetadata> implements AutoCloseable {
  private static final String ALL = "";

  private final MixedOperation<T, ? extends KubernetesResourceList<T>, Resource<T>> all;
  private final String kind;
  private final UnaryOperator<T> brief;

  /** By namespace. */
  private volatile Map<String, SharedIndexInformer<T>> informers = Map.of();

  /**
   * Objects that are not watched yet.
   *
   * @param kind in the plural, for the log
   * @param brief leaves of an object what is read of it; clusters have many
   */
  WatchedObjects(
      String kind,
      MixedOperation<T, ? extends KubernetesResourceList<T>, Resource<T>> all,
      UnaryOperator<T> brief) {
    this.kind = kind;
    this.all = all;
    this.brief = brief;
  }

  /**
   * Begins to watch; does not wait for the first answer.
   *
   * @param namespaces empty for all
   */
  void start(Set<String> namespaces) {
    var started = new HashMap<String, SharedIndexInformer<T>>();
    if (namespaces.isEmpty()) {
      started.put(ALL, paged(all.inAnyNamespace()));
    }
    namespaces.forEach(name -> started.put(name, paged(all.inNamespace(name))));
    for (var informer : started.values()) {
      informer.itemStore(BriefObjects.small(brief));
      informer.exceptionHandler(BrokenWatch.retried(informer, kind));
      var _ = informer.start();
    }
    informers = Map.copyOf(started);
  }

  private static <T> SharedIndexInformer<T> paged(FilterWatchListDeletable<T, ?, ?> some) {
    return some.withLimit(BriefObjects.PAGE).runnableInformer(0);
  }

  /** The objects of a namespace; empty while the watch has not begun, is forbidden or broken. */
  Optional<List<T>> in(String namespace) {
    var informer = informers.getOrDefault(namespace, informers.get(ALL));
    return informer == null || !informer.hasSynced() || !informer.isWatching()
        ? Optional.empty()
        : Optional.of(informer.getIndexer().byIndex(Cache.NAMESPACE_INDEX, namespace));
  }

  @Override
  public void close() {
    informers.values().forEach(SharedIndexInformer::stop);
    informers = Map.of();
  }
}
