package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An informer's objects, of which only what is read is kept: a cluster has many, and a tenant may
 * make each as large as the API server takes.
 */
public final class BriefObjects<T extends HasMetadata> extends BasicItemStore<T> {
  /** Objects that a LIST returns at once; fewer where they are large, see {@link PageSizes}. */
  public static final long PAGE = 200;

  private final UnaryOperator<T> brief;
  private final Function<T, Optional<T>> ofLarge;
  private final boolean isAny;

  /**
   * No objects yet.
   *
   * @param brief leaves of an object at least its namespace, name and version
   */
  public BriefObjects(UnaryOperator<T> brief) {
    this(brief, _ -> Optional.empty(), true);
  }

  private BriefObjects(UnaryOperator<T> brief, Function<T, Optional<T>> ofLarge, boolean isAny) {
    super(Cache::metaNamespaceKeyFunc);
    this.brief = brief;
    this.ofLarge = ofLarge;
    this.isAny = isAny;
  }

  /** The same without objects of which more than 128 KiB of heap would be kept. */
  public static <T extends HasMetadata> BriefObjects<T> small(UnaryOperator<T> brief) {
    return new BriefObjects<>(brief, _ -> Optional.empty(), false);
  }

  /**
   * The same, with what is left of each object that is too large.
   *
   * @param ofLarge what is kept instead; nothing if that is too large too
   */
  public static <T extends HasMetadata> BriefObjects<T> small(
      UnaryOperator<T> brief, UnaryOperator<T> ofLarge) {
    return new BriefObjects<>(brief, large -> Optional.of(ofLarge.apply(large)), false);
  }

  /** Otherwise the informer would report the first objects as they are kept. */
  @Override
  public boolean isFullState() {
    return false;
  }

  @Override
  public @Nullable T put(String key, T object) {
    var kept = brief.apply(object);
    if (isSmall(kept)) {
      return super.put(key, kept);
    }
    var instead = ofLarge.apply(kept).filter(this::isSmall);
    return instead.isPresent() ? super.put(key, instead.get()) : remove(key);
  }

  private boolean isSmall(T object) {
    return isAny || HeapOfJson.isSmall(object);
  }
}
