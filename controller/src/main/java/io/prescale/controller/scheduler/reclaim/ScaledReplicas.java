package io.prescale.controller.scheduler.reclaim;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a workload was scaled down, as its annotations have it.
 *
 * @param before replicas that it is to have again
 * @param left replicas that it was left; if its owner has given it others, nothing is to be undone
 */
record ScaledReplicas(int before, int left) {
  static final String BEFORE = "gpu.prescale.io/replicas-before";
  static final String LEFT = "gpu.prescale.io/replicas-left";

  /** Those that are in force; empty if what is written makes no sense. */
  static Optional<ScaledReplicas> of(GenericKubernetesResource object) {
    var annotations = orEmpty(object.getMetadata().getAnnotations());
    try {
      return Optional.of(
              new ScaledReplicas(
                  Integer.parseInt(annotations.getOrDefault(BEFORE, "")),
                  Integer.parseInt(annotations.getOrDefault(LEFT, ""))))
          .filter(it -> it.left == wanted(object) && it.before > it.left);
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  /** The replicas that a workload is to have. */
  static int wanted(GenericKubernetesResource object) {
    return number(object.get("spec", "replicas"), 1);
  }

  /** Whether it has no more than that. */
  static boolean isReached(GenericKubernetesResource object) {
    return number(object.get("status", "replicas"), 0) <= wanted(object);
  }

  /** Whether it has replicas of another revision than the newest. */
  static boolean isRollingOut(GenericKubernetesResource object) {
    return number(object.get("status", "updatedReplicas"), 0)
        < number(object.get("status", "replicas"), 0);
  }

  private static int number(@Nullable Object value, int otherwise) {
    return value instanceof Number number ? number.intValue() : otherwise;
  }

  /** The change that gives it its replicas again. */
  Map<String, Object> undone() {
    return replicas(before);
  }

  static Map<String, Object> replicas(int number) {
    return Map.of("spec", Map.of("replicas", number));
  }
}
