package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.relatives.Relative;
import io.prescale.forecasting.relatives.Relatives;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The normalised demand of the targets that have a week's history, for new targets of the same
 * namespace: no tenant learns anything of another's. In memory only. Thread-safe.
 */
final class Lenders {
  /** Steps of all weeks together: 200 weeks of minutes, 9 MiB. */
  static final int MOST_STEPS = 200 * 7 * 24 * 60;

  private final Map<String, Member> members = new LinkedHashMap<>();
  private volatile Map<String, Relatives> byNamespace = Map.of();

  private record Member(String namespace, List<Relative> metrics) {
    int steps() {
      return metrics.stream().mapToInt(Relative::steps).sum();
    }
  }

  /**
   * Remembers a target's newest week, in place of an earlier one; less than a week replaces none.
   * O(steps).
   *
   * @param histories of its metrics, without what events and incidents made of them
   */
  void learned(PredictiveHPA resource, Stream<TimeSeries> histories) {
    var namespace = resource.getMetadata().getNamespace();
    var uid = resource.getMetadata().getUid();
    var metrics = histories.flatMap(it -> Relative.of(it).stream()).toList();
    synchronized (members) {
      // A history of exactly a week is shorter for a while after it has dropped steps.
      if (!metrics.isEmpty()) {
        members.remove(uid);
        members.put(uid, new Member(namespace, metrics));
      }
      while (members.values().stream().mapToInt(Member::steps).sum() > MOST_STEPS) {
        dropOneOfTheLargestNamespace();
      }
      regroup();
    }
  }

  /** So that no namespace keeps the others from lending. The target learned longest ago goes. */
  private void dropOneOfTheLargestNamespace() {
    var steps = new HashMap<String, Integer>();
    members.values().forEach(it -> steps.merge(it.namespace(), it.steps(), Integer::sum));
    var largest = Collections.max(steps.entrySet(), Map.Entry.comparingByValue()).getKey();
    members.values().stream()
        .filter(it -> it.namespace().equals(largest))
        .findFirst()
        .ifPresent(it -> members.values().remove(it));
  }

  /** Forgets the targets whose UID is one of these. */
  void forgetWhere(Predicate<String> uids) {
    synchronized (members) {
      if (members.keySet().removeIf(uids)) {
        regroup();
      }
    }
  }

  /** Forgets a target. */
  void forget(String uid) {
    synchronized (members) {
      if (members.remove(uid) != null) {
        regroup();
      }
    }
  }

  private void regroup() {
    var all = new LinkedHashMap<String, List<Relative>>();
    for (var member : members.values()) {
      all.computeIfAbsent(member.namespace(), _ -> new ArrayList<>()).addAll(member.metrics());
    }
    byNamespace =
        all.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, it -> new Relatives(it.getValue())));
  }

  /** Those of a namespace at each moment. */
  Supplier<Relatives> of(String namespace) {
    return () -> byNamespace.getOrDefault(namespace, Relatives.none());
  }
}
