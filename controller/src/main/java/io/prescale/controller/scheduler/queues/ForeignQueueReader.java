package io.prescale.controller.scheduler.queues;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.placement.inventory.Families;
import io.prescale.placement.queue.Quota;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the queues of Kueue, KAI and Volcano. Of their amounts only those of cards count; the
 * resources of all vendors, and of all of Kueue's flavors, are added up.
 */
final class ForeignQueueReader {
  /** No pod names a Cohort, and a ClusterQueue of its name is another queue. */
  private static final String COHORT = "cohort:";

  /** Weights may have a decimal, such as 0.5. */
  private static final int WEIGHT_PARTS = 10;

  private static final int USUAL_WEIGHT = 1;

  /** By the definition of its queues. */
  private static final int USUAL_PRIORITY_OF_KAI = 100;

  private ForeignQueueReader() {}

  /** The ClusterQueue for which a LocalQueue stands. */
  static Optional<String> clusterQueue(GenericKubernetesResource local) {
    return local.get("spec", "clusterQueue") instanceof String name && !name.isBlank()
        ? Optional.of(name)
        : Optional.empty();
  }

  /** The queue of an object; empty where an amount cannot be read. */
  static Optional<ForeignQueue> read(QueueSource source, GenericKubernetesResource object) {
    var spec = object.get("spec") instanceof Map<?, ?> given ? given : Map.of();
    var name = object.getMetadata().getName();
    try {
      return Optional.of(
          switch (source) {
            case KUEUE -> kueue(name, object.getKind().equals("Cohort"), spec);
            case KAI -> kai(name, spec);
            case VOLCANO -> volcano(name, spec);
            case PRESCALE -> throw new IllegalArgumentException("GpuQueues are no foreign queues");
          });
    } catch (UnreadableException _) {
      return Optional.empty();
    }
  }

  /** The name of the object in the tree. */
  static String name(GenericKubernetesResource object) {
    var name = object.getMetadata().getName();
    return object.getKind().equals("Cohort") ? COHORT + name : name;
  }

  /** An amount that is none. */
  private static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;
  }

  /**
   * Without a cohort nothing can be borrowed. What a cohort has itself is a pool for those below;
   * at the top it has nothing to borrow from.
   */
  private static ForeignQueue kueue(String name, boolean isCohort, Map<?, ?> spec)
      throws UnreadableException {
    var above = text(spec.get(isCohort ? "parentName" : "cohortName")).map(COHORT::concat);
    long nominal = 0;
    long lent = 0;
    long beyond = 0;
    boolean isBounded = true;
    for (var group : list(spec.get("resourceGroups"))) {
      for (var flavor : list(group.get("flavors"))) {
        for (var quota : list(flavor.get("resources"))) {
          if (!isCards(text(quota.get("name")).orElse(""))) {
            continue;
          }
          long own = milli(quota.get("nominalQuota"));
          nominal += own;
          lent += quota.get("lendingLimit") == null ? own : milli(quota.get("lendingLimit"));
          isBounded &= quota.get("borrowingLimit") != null;
          beyond += quota.get("borrowingLimit") == null ? 0 : milli(quota.get("borrowingLimit"));
        }
      }
    }
    boolean borrows = above.isPresent();
    long guaranteed = Math.min(nominal, Quota.UNLIMITED);
    return new ForeignQueue(
        isCohort ? COHORT + name : name,
        above,
        guaranteed,
        Math.min(lent, guaranteed),
        borrows && !isBounded ? Optional.empty() : Optional.of(borrows ? beyond : 0),
        weight(at(spec, "fairSharing", "weight")),
        0);
  }

  /** A quota without limit is no guarantee, or no other queue would have one. */
  private static ForeignQueue kai(String name, Map<?, ?> spec) throws UnreadableException {
    long quota = Math.max(0, signed(at(spec, "resources", "gpu", "quota")));
    long limit = signed(Objects.requireNonNullElse(at(spec, "resources", "gpu", "limit"), -1));
    return new ForeignQueue(
        name,
        text(spec.get("parentQueue")),
        quota,
        quota,
        limit < 0 ? Optional.empty() : Optional.of(Math.max(0, limit - quota)),
        weight(at(spec, "resources", "gpu", "overQuotaWeight")),
        priority(spec.get("priority"), USUAL_PRIORITY_OF_KAI));
  }

  /**
   * What is deserved can be borrowed by others as long as it is not used, what is guaranteed not.
   */
  private static ForeignQueue volcano(String name, Map<?, ?> spec) throws UnreadableException {
    long kept = cards(at(spec, "guarantee", "resource")).orElse(0L);
    long deserved = Math.max(kept, cards(spec.get("deserved")).orElse(kept));
    var capability = cards(spec.get("capability"));
    return new ForeignQueue(
        name,
        text(spec.get("parent")).filter(parent -> !parent.equals(name)),
        deserved,
        deserved - kept,
        capability.map(limit -> Math.max(0, limit - deserved)),
        weight(spec.get("weight")),
        priority(spec.get("priority"), 0));
  }

  /** The cards in a list of resources; empty if it names none. */
  private static Optional<Long> cards(@Nullable Object resources) throws UnreadableException {
    if (!(resources instanceof Map<?, ?> all)) {
      return Optional.empty();
    }
    var sum = Optional.<Long>empty();
    for (var resource : all.entrySet()) {
      if (isCards(String.valueOf(resource.getKey()))) {
        sum = Optional.of(sum.orElse(0L) + milli(resource.getValue()));
      }
    }
    return sum.map(milli -> Math.min(milli, Quota.UNLIMITED));
  }

  /** Whether a resource is a number of cards; memory, compute and parts of cards are not. */
  private static boolean isCards(String resource) {
    return resource.endsWith("/gpu")
        || Families.ALL.stream().anyMatch(it -> it.resources().count().equals(resource));
  }

  private static long milli(@Nullable Object amount) throws UnreadableException {
    return Amount.milli(String.valueOf(amount))
        .map(milli -> Math.min(milli, Quota.UNLIMITED))
        .orElseThrow(UnreadableException::new);
  }

  /** An amount, or a negative one where there is no bound. */
  private static long signed(@Nullable Object amount) throws UnreadableException {
    if (amount == null) {
      return 0;
    }
    return amount instanceof Number number && number.doubleValue() < 0 ? -1 : milli(amount);
  }

  private static int weight(@Nullable Object weight) throws UnreadableException {
    long parts = weight == null ? USUAL_WEIGHT * 1000L : milli(weight);
    return (int) Math.min(Quota.HIGHEST_WEIGHT, Math.ceilDiv(parts * WEIGHT_PARTS, 1000));
  }

  private static int priority(@Nullable Object priority, int usual) {
    return priority instanceof Integer number ? number : usual;
  }

  private static Optional<String> text(@Nullable Object text) {
    return text instanceof String it && !it.isBlank() ? Optional.of(it) : Optional.empty();
  }

  private static List<Map<?, ?>> list(@Nullable Object list) {
    return list instanceof List<?> all
        ? all.stream().filter(Map.class::isInstance).<Map<?, ?>>map(it -> (Map<?, ?>) it).toList()
        : List.of();
  }

  private static @Nullable Object at(Map<?, ?> spec, String... path) {
    Object value = spec;
    for (var name : path) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return value;
  }
}
