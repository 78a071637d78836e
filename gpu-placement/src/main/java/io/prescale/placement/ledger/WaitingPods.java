package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Pods that are not bound, which of them were refused, and what has changed for the better since.
 * For one thread at a time.
 */
final class WaitingPods {
  private final Map<String, PodFacts> pods = new HashMap<>();
  private final Map<String, Refused> refused = new LinkedHashMap<>();
  private final Map<String, Set<String>> inVain = new HashMap<>();
  private final Set<String> roomier = new HashSet<>();
  private boolean groupsChanged;

  /**
   * A pod that the scheduler has put aside.
   *
   * @param notOn nodes that it did not want when it was offered them
   */
  record Refused(PodFacts pod, PodDemand demand, Set<String> notOn) {

    /** Where one of a kind has no room, no other has. */
    Object kind() {
      var group = pod.group().map(of -> pod.namespace() + "/" + of.name()).orElse("");
      return List.of(group, demand, notOn);
    }

    /** Those that it may want. */
    List<String> among(List<String> nodes) {
      return nodes.stream().filter(node -> !notOn.contains(node)).toList();
    }
  }

  /** A pod is as given. */
  void put(PodFacts pod) {
    if (pods.put(pod.uid(), pod) == null && pod.group().isPresent()) {
      groupsChanged = true;
    }
  }

  /** A pod does not wait any more. */
  void remove(String uid) {
    pods.remove(uid);
    refused.remove(uid);
    inVain.remove(uid);
  }

  boolean has(String uid) {
    return pods.containsKey(uid);
  }

  Optional<PodFacts> of(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }

  /** The members of a group, in an order that is always the same. */
  List<PodFacts> of(String namespace, Group group) {
    return pods.values().stream()
        .filter(pod -> pod.isOf(namespace, group))
        .sorted(Comparator.comparing(PodFacts::uid))
        .toList();
  }

  /** A pod was refused. */
  void refuse(PodFacts pod, PodDemand demand) {
    var notOn = Set.copyOf(inVain.getOrDefault(pod.uid(), Set.of()));
    refused.put(pod.uid(), new Refused(pod, demand, notOn));
  }

  /** A place was kept for a pod on a node about which the scheduler does not even ask. */
  void keptInVain(String uid, String node) {
    inVain.computeIfAbsent(uid, _ -> new HashSet<>()).add(node);
  }

  /** A pod was offered a place, or told to ask for one. */
  void accept(String uid) {
    refused.remove(uid);
  }

  /** Something was given back on a node, or it is new, or better than it was. */
  void roomOn(String node) {
    roomier.add(node);
  }

  /** Another number of pods is placed together than before. */
  void groupChanged() {
    groupsChanged = true;
  }

  int refused() {
    return refused.size();
  }

  /** Whether it is worth while to ask again for refused pods. */
  boolean haveNewHope() {
    return !refused.isEmpty() && (groupsChanged || !roomier.isEmpty());
  }

  /** The refused pods, those first that are more important or waited longer. */
  List<Refused> inOrder() {
    return refused.values().stream()
        .sorted(Comparator.comparingInt(refused -> -refused.pod().priority()))
        .toList();
  }

  /** The nodes that have more room than when it was last asked for. */
  List<String> roomier() {
    return List.copyOf(roomier);
  }

  /** All that changed has been considered. */
  void settle() {
    roomier.clear();
    groupsChanged = false;
  }
}
