package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.util.Collection;

/**
 * How many PredictiveHPAs of a namespace are worked on: the oldest, so that a new one stops none.
 *
 * @param most at least 1
 */
public record NamespaceLimit(int most) {
  public NamespaceLimit {
    if (most < 1) {
      throw new IllegalArgumentException("At least 1 object of a namespace is worked on: " + most);
    }
  }

  /**
   * Refuses a PredictiveHPA that is not among the oldest, in words that do not change with each
   * other object. O(others).
   *
   * @param all of its namespace; those that are being deleted do not count
   */
  void require(PredictiveHPA resource, Collection<PredictiveHPA> all) throws NotReady {
    if (all.size() <= most) {
      return;
    }
    long older =
        all.stream()
            .filter(it -> !it.isMarkedForDeletion())
            .filter(it -> OlderRival.AGE.compare(it, resource) < 0)
            .limit(most)
            .count();
    if (older == most) {
      throw new NotReady(
          ConditionReason.NamespaceLimit,
          "Namespace %s has more than %d PredictiveHPAs, and the oldest of them are worked on; delete those that are not needed, or ask an administrator for a larger --objects-per-namespace of the controller, objectsPerNamespace of the chart."
              .formatted(resource.getMetadata().getNamespace(), most));
    }
  }
}
