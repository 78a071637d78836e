package io.prescale.controller.sharding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What one replica has to do so that every replica works on as many shards as any other, or on one
 * more, and no shard moves without need. Replicas that see the same claim different shards; those
 * that do not are kept apart by the Leases, and agree once they see the same.
 *
 * @param claims shards that no live replica holds, for this one to take
 * @param releases shards that this replica holds and is to leave to others
 */
record Assignment(SortedSet<Integer> claims, SortedSet<Integer> releases) {
  Assignment {
    claims = Collections.unmodifiableSortedSet(new TreeSet<>(claims));
    releases = Collections.unmodifiableSortedSet(new TreeSet<>(releases));
  }

  /**
   * Decides for one replica.
   *
   * @param shards how many there are, numbered from 0
   * @param holders of the shards that a live replica holds, by the shard's number
   * @param replicas that are alive, this one and all holders among them
   * @param self this replica
   * @throws IllegalArgumentException for a shard that does not exist or a replica that is not alive
   */
  static Assignment of(
      int shards, Map<Integer, String> holders, SortedSet<String> replicas, String self) {
    if (shards < 1 || holders.keySet().stream().anyMatch(it -> it < 0 || it >= shards)) {
      throw new IllegalArgumentException("of %d shards: %s".formatted(shards, holders));
    }
    if (!replicas.contains(self) || !replicas.containsAll(holders.values())) {
      throw new IllegalArgumentException(
          "%s and the holders %s are not all of %s".formatted(self, holders, replicas));
    }
    var loads = new TreeMap<String, Integer>();
    replicas.forEach(replica -> loads.put(replica, 0));
    holders.values().forEach(holder -> loads.merge(holder, 1, Integer::sum));
    var targets = targets(shards, loads);
    return new Assignment(
        claims(shards, holders, loads, targets, self),
        releases(holders, targets.getOrDefault(self, 0), self));
  }

  /** How many shards each replica should have. */
  private static Map<String, Integer> targets(int shards, SortedMap<String, Integer> loads) {
    int each = shards / loads.size();
    int more = shards % loads.size();
    // Those that hold most have the one more, or it would have to move.
    var ranked =
        loads.entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
            .map(Map.Entry::getKey)
            .toList();
    var targets = new HashMap<String, Integer>();
    for (int i = 0; i < ranked.size(); i++) {
      targets.put(ranked.get(i), i < more ? each + 1 : each);
    }
    return targets;
  }

  /** Each replica's part of the free shards, in the order of the replicas' names. */
  private static SortedSet<Integer> claims(
      int shards,
      Map<Integer, String> holders,
      SortedMap<String, Integer> loads,
      Map<String, Integer> targets,
      String self) {
    var free = IntStream.range(0, shards).filter(it -> !holders.containsKey(it)).boxed().toList();
    int from = 0;
    for (var load : loads.entrySet()) {
      int lacks = Math.max(0, targets.getOrDefault(load.getKey(), 0) - load.getValue());
      int to = Math.min(free.size(), from + lacks);
      if (load.getKey().equals(self)) {
        return new TreeSet<>(free.subList(from, to));
      }
      from = to;
    }
    return Collections.emptySortedSet();
  }

  private static SortedSet<Integer> releases(
      Map<Integer, String> holders, int target, String self) {
    List<Integer> own = new ArrayList<>();
    holders.forEach(
        (shard, holder) -> {
          if (holder.equals(self)) {
            own.add(shard);
          }
        });
    Collections.sort(own);
    return new TreeSet<>(own.subList(Math.min(target, own.size()), own.size()));
  }
}
