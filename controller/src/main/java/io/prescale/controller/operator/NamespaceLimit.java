package io.prescale.controller.operator;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

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
   * The UIDs of the oldest of each namespace. O(n log n).
   *
   * @param all of all namespaces; those that are being deleted do not count
   */
  Map<String, Set<String>> oldest(Stream<PredictiveHPA> all) {
    return all.filter(it -> !it.isMarkedForDeletion())
        .collect(
            groupingBy(
                it -> it.getMetadata().getNamespace(),
                HashMap::new,
                collectingAndThen(toList(), this::oldestOf)));
  }

  private Set<String> oldestOf(List<PredictiveHPA> namespace) {
    var oldest = new HashSet<String>();
    (namespace.size() > most ? namespace.stream().sorted(OlderRival.AGE) : namespace.stream())
        .limit(most)
        .forEach(it -> oldest.add(it.getMetadata().getUid()));
    return oldest;
  }

  /** In words that do not change with each other object. */
  NotReady refusal(String namespace) {
    return new NotReady(
        ConditionReason.NamespaceLimit,
        "Namespace %s has more than %d PredictiveHPAs, and the oldest of them are worked on; delete those that are not needed, or ask an administrator for a larger --objects-per-namespace of the controller, objectsPerNamespace of the chart."
            .formatted(namespace, most));
  }
}
