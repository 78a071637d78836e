package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.function.UnaryOperator;

/** An informer's objects, of which only what is read is kept: a cluster has many. */
public final class BriefObjects<T extends HasMetadata> extends BasicItemStore<T> {
  private final UnaryOperator<T> brief;

  /**
   * No objects yet.
   *
   * @param brief leaves of an object at least its namespace, name and version
   */
  public BriefObjects(UnaryOperator<T> brief) {
    super(Cache::metaNamespaceKeyFunc);
    this.brief = brief;
  }

  /** Otherwise the informer would report the first objects as they are kept. */
  @Override
  public boolean isFullState() {
    return false;
  }

  @Override
  public T put(String key, T object) {
    return super.put(key, brief.apply(object));
  }
}
