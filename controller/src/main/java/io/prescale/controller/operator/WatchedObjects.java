package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The objects of one kind in the watched namespaces, from a watch instead of one LIST a tick.
 * Thread-safe.
 */
final class WatchedObjects<T extends HasMetadata> implements AutoCloseable {
  private static final String ALL = "";

  private final MixedOperation<T, ? extends KubernetesResourceList<T>, Resource<T>> all;
  private final String kind;
  private final boolean areInBrief;

  /** Why the objects of a namespace were not listed the last time. */
  private volatile Map<String, KubernetesClientException> failures = Map.of();

  /** By namespace. */
  private volatile Map<String, SharedIndexInformer<T>> informers = Map.of();

  /**
   * Objects that are not watched yet.
   *
   * @param kind in the plural, for the log
   * @param areInBrief whether the client leaves of an object what is read of it
   */
  WatchedObjects(
      String kind,
      MixedOperation<T, ? extends KubernetesResourceList<T>, Resource<T>> all,
      boolean areInBrief) {
    this.kind = kind;
    this.all = all;
    this.areInBrief = areInBrief;
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
    var failed = new ConcurrentHashMap<String, KubernetesClientException>();
    failures = failed;
    started.forEach((namespace, informer) -> start(namespace, informer, failed));
    informers = Map.copyOf(started);
  }

  private SharedIndexInformer<T> paged(FilterWatchListDeletable<T, ?, ?> some) {
    return some.withLimit(BriefObjects.PAGE).runnableInformer(0);
  }

  private void start(
      String namespace,
      SharedIndexInformer<T> informer,
      Map<String, KubernetesClientException> failed) {
    if (!areInBrief) {
      informer.itemStore(BriefObjects.small(UnaryOperator.identity()));
    }
    var retried = BrokenWatch.retried(informer, kind);
    informer.exceptionHandler(
        (isStarted, failure) -> {
          if (failure instanceof KubernetesClientException it) {
            failed.put(namespace, it);
          }
          return retried.retryAfterException(isStarted, failure);
        });
    var _ = informer.start();
  }

  /**
   * The objects of a namespace, while the watch is broken as they were last; empty until it has
   * been answered for the first time.
   *
   * @throws KubernetesClientException when they could not be listed yet
   */
  Optional<List<T>> in(String namespace) {
    var watched = informers.containsKey(namespace) ? namespace : ALL;
    var informer = informers.get(watched);
    if (informer != null && informer.hasSynced()) {
      return Optional.of(informer.getIndexer().byIndex(Cache.NAMESPACE_INDEX, namespace));
    }
    var failure = failures.get(watched);
    if (failure != null) {
      throw failure;
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    informers.values().forEach(SharedIndexInformer::stop);
    informers = Map.of();
    failures = Map.of();
  }
}
