package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Pods that are not bound, those of them that were refused, and the nodes that have more room
 * since. Not thread-safe.
 */
final class WaitingPods {
  private final Map<String, PodFacts> pods = new HashMap<>();
  private final Map<String, Refused> refused = new LinkedHashMap<>();
  private final Map<String, Set<String>> inVain = new HashMap<>();

  /** The nodes about which the scheduler asked last, by UID; equal sets are mostly one object. */
  private final Map<String, Set<String>> asked = new HashMap<>();

  /** Those that were asked about and not seen, by UID, and how long they count; oldest first. */
  private final SequencedMap<String, Instant> unseen = new LinkedHashMap<>();

  /** Those for which others were preempted on a node, by UID. */
  private final Map<String, PodFacts> nominated = new HashMap<>();

  private List<String> askedLast = List.of();
  private Set<String> askedLastAsSet = Set.of();
  private boolean areAsksRecorded;
  private final Set<String> roomier = new HashSet<>();
  private boolean groupsChanged;
  private long rooms;

  /**
   * A pod that the scheduler has put aside.
   *
   * @param notOn nodes that it was offered and the scheduler did not choose
   * @param heldBack whether it has to wait whatever room there is, so that no node was considered
   */
  record Refused(PodFacts pod, PodDemand demand, Set<String> notOn, boolean heldBack) {

    /** Pods of one kind and one queue fit the same nodes. */
    record Kind(String group, PodDemand demand, Set<String> notOn, boolean heldBack) {}

    Kind kind() {
      var group = pod.group().map(of -> pod.namespace() + "/" + of.name()).orElse("");
      return new Kind(group, demand, notOn, heldBack);
    }

    /** The nodes on which it may be placed. */
    List<String> among(List<String> nodes) {
      return nodes.stream().filter(node -> !notOn.contains(node)).toList();
    }
  }

  /** Records the newest state of a pod, as the API server has it. */
  void seen(PodFacts pod) {
    unseen.remove(pod.uid());
    put(pod);
  }

  /** Expects to see a pod about which the scheduler asks; until a time, it counts unseen. */
  void expectUntil(String uid, Instant until) {
    if (!pods.containsKey(uid) || unseen.containsKey(uid)) {
      unseen.putLast(uid, until);
    }
  }

  /** A pod that was asked about and not seen in time, if there is one. */
  Optional<String> unseen(Instant now) {
    return Optional.ofNullable(unseen.firstEntry())
        .filter(first -> first.getValue().isBefore(now))
        .map(Map.Entry::getKey);
  }

  /** Records a pod. */
  void put(PodFacts pod) {
    nominate(pod.uid(), Optional.of(pod).filter(it -> it.nominated().isPresent()));
    if (pods.put(pod.uid(), pod) == null && pod.group().isPresent()) {
      groupsChanged = true;
    }
  }

  /** Records for whom there is to be room on a node; if no longer for it, then for others. */
  private void nominate(String uid, Optional<PodFacts> pod) {
    var before = pod.isPresent() ? nominated.put(uid, pod.get()) : nominated.remove(uid);
    var now = pod.flatMap(PodFacts::nominated);
    Optional.ofNullable(before)
        .flatMap(PodFacts::nominated)
        .filter(node -> !now.equals(Optional.of(node)))
        .ifPresent(this::roomOn);
  }

  /** The pods for which others were preempted on a node. */
  Collection<PodFacts> nominated() {
    return nominated.values();
  }

  /** Removes a pod that no longer waits. */
  void remove(String uid) {
    nominate(uid, Optional.empty());
    pods.remove(uid);
    refused.remove(uid);
    inVain.remove(uid);
    asked.remove(uid);
    unseen.remove(uid);
  }

  /** From now on records about which nodes the scheduler asks; until then that costs nothing. */
  void beginRecordingAsks() {
    areAsksRecorded = true;
  }

  /** Records about which nodes the scheduler has asked for a pod, if that is of use. */
  void recordAsk(String uid, List<String> nodes) {
    if (areAsksRecorded && pods.containsKey(uid)) {
      if (!nodes.equals(askedLast)) {
        askedLast = List.copyOf(nodes);
        askedLastAsSet = Set.copyOf(nodes);
      }
      asked.put(uid, askedLastAsSet);
    }
  }

  /** The nodes about which the scheduler asked last, if it has. */
  Optional<Set<String>> nodesAskedFor(String uid) {
    return Optional.ofNullable(asked.get(uid));
  }

  boolean isRefused(String uid) {
    return refused.containsKey(uid);
  }

  /** What a refused pod asks for. */
  Optional<PodDemand> demandOf(String uid) {
    return Optional.ofNullable(refused.get(uid)).map(Refused::demand);
  }

  boolean has(String uid) {
    return pods.containsKey(uid);
  }

  Optional<PodFacts> of(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }

  /**
   * The waiting members of a pod's group, ordered by UID; only those that its scheduler is to place
   * too, since another one would never ask for what is reserved for them.
   */
  List<PodFacts> beside(PodFacts member, Group group) {
    return pods.values().stream()
        .filter(pod -> pod.isOf(member.namespace(), group))
        .filter(pod -> pod.scheduler().equals(member.scheduler()))
        .sorted(Comparator.comparing(PodFacts::uid))
        .toList();
  }

  /**
   * Records a refusal.
   *
   * @param heldBack whether it has to wait whatever room there is
   */
  void refuse(PodFacts pod, PodDemand demand, boolean heldBack) {
    var notOn = Set.copyOf(inVain.getOrDefault(pod.uid(), Set.of()));
    refused.put(pod.uid(), new Refused(pod, demand, notOn, heldBack));
  }

  /** Has every refused pod considered again, since the queues have changed. */
  void queuesChanged() {
    refused.replaceAll((_, each) -> new Refused(each.pod(), each.demand(), each.notOn(), true));
  }

  /** All pods that are not bound. */
  Stream<PodFacts> all() {
    return pods.values().stream();
  }

  /**
   * Records that a place was reserved on a node that the scheduler does not consider for the pod.
   */
  void reservedInVain(String uid, String node) {
    inVain.computeIfAbsent(uid, _ -> new HashSet<>()).add(node);
  }

  /** Replaces what refused pods ask for, since other models are known, or are their queues'. */
  void renew(Function<PodFacts, PodDemand> demands) {
    refused.replaceAll(
        (_, each) ->
            new Refused(each.pod(), demands.apply(each.pod()), each.notOn(), each.heldBack()));
  }

  /** Ends the refusal of a pod that was offered a place or woken. */
  void accept(String uid) {
    refused.remove(uid);
  }

  /** Records that a node may have more room than before. */
  void roomOn(String node) {
    roomier.add(node);
    rooms++;
  }

  /** Records that the size of a gang has changed. */
  void groupChanged() {
    groupsChanged = true;
  }

  /** How often a node may have got more room. */
  long rooms() {
    return rooms;
  }

  int refused() {
    return refused.size();
  }

  /** Whether a refused pod may have room now. */
  boolean haveNewHope() {
    return !refused.isEmpty() && (groupsChanged || !roomier.isEmpty());
  }

  /** Some of the refused pods, those first that are more important or waited longer. */
  List<Refused> inOrder(Predicate<Refused> which) {
    return refused.values().stream()
        .filter(which)
        .sorted(Comparator.comparingInt(refused -> -refused.pod().priority()))
        .toList();
  }

  /** The nodes that may have more room than at the last search. */
  List<String> roomier() {
    return List.copyOf(roomier);
  }

  /** Forgets the changes, which have been considered. */
  void settle() {
    roomier.clear();
    groupsChanged = false;
  }
}
