package io.prescale.controller.place;

import static java.util.stream.Collectors.groupingBy;

import io.prescale.controller.place.PodOutcome.Evicted;
import io.prescale.controller.place.PodOutcome.HasPlace;
import io.prescale.placement.cluster.NetworkScope;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** The evicted pods that are placed again, alone or as gangs. */
final class EvictedPods {
  private final List<PodRow> pods;
  private final Map<String, PodOutcome> outcomes;
  private final Map<String, List<PodRow>> gangs;

  EvictedPods(List<PodRow> pods, Map<String, PodOutcome> outcomes) {
    this.pods = pods;
    this.outcomes = outcomes;
    gangs =
        pods.stream()
            .filter(pod -> pod.request().standing().gang().isPresent())
            .collect(groupingBy(pod -> pod.request().standing().gang().orElseThrow()));
  }

  /** The pods to place together, in the order of the file. */
  List<List<PodRow>> groups() {
    var groups = new LinkedHashSet<List<PodRow>>();
    pods.stream().filter(this::isEvicted).map(this::groupOf).forEach(groups::add);
    groups.remove(List.of());
    return List.copyOf(groups);
  }

  /**
   * A gang that was evicted as a whole is placed as a whole. Of a gang that goes on, each evicted
   * pod is placed alone, or none if the members have to be near each other.
   */
  private List<PodRow> groupOf(PodRow pod) {
    var gang = pod.request().standing().gang();
    if (gang.isEmpty()) {
      return List.of(pod);
    }
    var members = gangs.getOrDefault(gang.get(), List.of());
    if (members.stream().noneMatch(this::hasPlace)) {
      return members.stream().filter(this::isEvicted).toList();
    }
    boolean mayBeAnywhere =
        members.stream().map(PodRow::gangScope).allMatch(NetworkScope.CLUSTER::equals);
    return mayBeAnywhere ? List.of(pod) : List.of();
  }

  private boolean isEvicted(PodRow pod) {
    return outcomes.get(pod.request().name()) instanceof Evicted;
  }

  private boolean hasPlace(PodRow pod) {
    return outcomes.get(pod.request().name()) instanceof HasPlace;
  }
}
