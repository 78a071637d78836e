package io.prescale.placement.cluster;

import java.util.Set;

/**
 * Which cards a request accepts. An empty set of names to include accepts all; names to exclude
 * win.
 */
public record CardSelector(
    Set<String> vendors,
    Set<String> models,
    Set<String> excludedModels,
    Set<String> uuids,
    Set<String> excludedUuids) {
  public static final CardSelector ANY =
      new CardSelector(Set.of(), Set.of(), Set.of(), Set.of(), Set.of());

  public CardSelector {
    vendors = Set.copyOf(vendors);
    models = Set.copyOf(models);
    excludedModels = Set.copyOf(excludedModels);
    uuids = Set.copyOf(uuids);
    excludedUuids = Set.copyOf(excludedUuids);
  }

  /** Accepts cards of these models only; any when there is none. */
  public static CardSelector models(Set<String> models) {
    return new CardSelector(Set.of(), models, Set.of(), Set.of(), Set.of());
  }

  public boolean accepts(Gpu gpu) {
    return acceptsModel(gpu.model())
        && isIn(vendors, gpu.vendor())
        && isIn(uuids, gpu.uuid())
        && !excludedUuids.contains(gpu.uuid());
  }

  /** Whether a card of the model could be accepted, whatever its vendor and UUID. */
  public boolean acceptsModel(String model) {
    return isIn(models, model) && !excludedModels.contains(model);
  }

  private static boolean isIn(Set<String> names, String name) {
    return names.isEmpty() || names.contains(name);
  }
}
