package io.prescale.controller.place;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.decision.Gang;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The gangs of a file: those that wait, and how many pods each gang needs to go on.
 *
 * @param waitingByName the gangs that are to be placed
 * @param minimum how many pods are enough; a gang that is not named needs all of its pods
 */
record Gangs(Map<String, Gang> waitingByName, Map<String, Integer> minimum) {
  Gangs {
    waitingByName = Map.copyOf(waitingByName);
    minimum = Map.copyOf(minimum);
  }

  /**
   * The gangs of some pods; the narrowest scope that a member asks for applies.
   *
   * @param packed completes the requests of members
   */
  static Gangs of(List<PodRow> pods, UnaryOperator<GpuRequest> packed) {
    var members = new LinkedHashMap<String, List<PodRow>>();
    for (var pod : pods) {
      var gang = pod.request().standing().gang();
      if (gang.isPresent() && pod.place().isEmpty()) {
        members.computeIfAbsent(gang.get(), _ -> new ArrayList<>()).add(pod);
      }
    }
    var waiting = new HashMap<String, Gang>();
    members.forEach((name, rows) -> waiting.put(name, gang(name, rows, packed)));
    return new Gangs(waiting, PodRow.gangMinimum(pods));
  }

  /** A gang of some pods, or a pod on its own. */
  static Gang gang(String name, List<PodRow> rows, UnaryOperator<GpuRequest> packed) {
    var scope = rows.stream().map(PodRow::gangScope).min(Comparator.naturalOrder()).orElseThrow();
    var requests = rows.stream().map(PodRow::request).map(packed).toList();
    return new Gang(name, requests, NetworkScope.NODE, scope);
  }

  Gang waiting(String name) {
    return Objects.requireNonNull(waitingByName.get(name), name);
  }
}
