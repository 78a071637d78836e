package io.prescale.placement.cluster;

import java.util.HashSet;
import java.util.Set;

/**
 * Which cards a request accepts. An empty set to include accepts all; names to exclude win.
 *
 * @param partitionings the ways in which a card may be divided
 */
public record CardSelector(
    Set<String> vendors,
    Set<String> models,
    Set<String> excludedModels,
    Set<String> uuids,
    Set<String> excludedUuids,
    Set<Partitioning> partitionings) {
  public static final CardSelector ANY =
      new CardSelector(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of());

  public CardSelector {
    vendors = Set.copyOf(vendors);
    models = Set.copyOf(models);
    excludedModels = Set.copyOf(excludedModels);
    uuids = Set.copyOf(uuids);
    excludedUuids = Set.copyOf(excludedUuids);
    partitionings = Set.copyOf(partitionings);
  }

  /** The same without some cards, by UUID. */
  public CardSelector without(Set<String> more) {
    var excluded = new HashSet<>(excludedUuids);
    excluded.addAll(more);
    return new CardSelector(vendors, models, excludedModels, uuids, excluded, partitionings);
  }

  /** The same among some cards, by UUID; at least one of them. */
  public CardSelector among(Set<String> few) {
    return new CardSelector(vendors, models, excludedModels, few, excludedUuids, partitionings);
  }

  public boolean accepts(Gpu gpu) {
    return acceptsKind(gpu) && acceptsUuid(gpu.uuid());
  }

  /** Whether a card like this one could be accepted, whatever its UUID. */
  public boolean acceptsKind(Gpu gpu) {
    return acceptsModel(gpu.model())
        && isIn(vendors, gpu.vendor())
        && isIn(partitionings, gpu.partitioning());
  }

  /** Whether a card could be accepted by its UUID. */
  public boolean acceptsUuid(String uuid) {
    return isIn(uuids, uuid) && !excludedUuids.contains(uuid);
  }

  /** Whether a card of the model could be accepted, whatever its vendor and UUID. */
  public boolean acceptsModel(String model) {
    return isIn(models, model) && !excludedModels.contains(model);
  }

  private static <T> boolean isIn(Set<T> wanted, T one) {
    return wanted.isEmpty() || wanted.contains(one);
  }
}
