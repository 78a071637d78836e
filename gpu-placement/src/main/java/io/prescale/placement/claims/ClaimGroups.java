package io.prescale.placement.claims;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The pods that wait for cards or have some by a claim, and their groups. Not thread-safe. */
final class ClaimGroups {
  private final Map<String, ClaimPod> pods = new HashMap<>();
  private final Map<String, Set<String>> members = new HashMap<>();

  /** Records the newest state of a pod. */
  void put(ClaimPod pod) {
    remove(pod.uid());
    pods.put(pod.uid(), pod);
    pod.groupKey()
        .ifPresent(key -> members.computeIfAbsent(key, _ -> new HashSet<>()).add(pod.uid()));
  }

  /** Removes a pod that is gone. */
  void remove(String uid) {
    var known = pods.remove(uid);
    if (known != null) {
      known
          .groupKey()
          .ifPresent(
              key ->
                  members.computeIfPresent(
                      key, (_, uids) -> uids.remove(uid) && uids.isEmpty() ? null : uids));
    }
  }

  Collection<ClaimPod> all() {
    return pods.values();
  }

  /** The pods of a pod's group, itself included; only itself if it is of none. */
  List<ClaimPod> with(ClaimPod pod) {
    return pod.groupKey()
        .map(
            key ->
                members.getOrDefault(key, Set.of()).stream()
                    .map(uid -> Objects.requireNonNull(pods.get(uid)))
                    .sorted(NextSteps.MOST_IMPORTANT_FIRST)
                    .toList())
        .orElseGet(() -> List.of(pod));
  }
}
