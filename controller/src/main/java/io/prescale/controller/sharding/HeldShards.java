package io.prescale.controller.sharding;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The shards of this replica, and for how long it may rely on them.
 *
 * @param own the shards that are its own as far as it knows
 * @param claimed those of them that it has claimed since its heartbeat last failed: while it
 *     failed, another replica may have taken them
 * @param beatAt when the request of the last heartbeat began, in nanoseconds
 */
record HeldShards(Set<Integer> own, Set<Integer> claimed, long beatAt) {
  static final HeldShards NONE = new HeldShards(Set.of(), Set.of(), 0);

  HeldShards {
    own = Set.copyOf(own);
    claimed = Set.copyOf(claimed);
    if (!own.containsAll(claimed)) {
      throw new IllegalArgumentException("claimed %s of %s".formatted(claimed, own));
    }
  }

  /** Whether the last heartbeat is recent, so that no other replica takes what this one has. */
  boolean isTrusted(long now, Duration trusted) {
    return now - beatAt < trusted.toNanos();
  }

  /**
   * After a heartbeat.
   *
   * @param lapsed whether its answer came when the one before was trusted no more
   */
  HeldShards after(long newBeatAt, boolean lapsed) {
    return new HeldShards(own, lapsed ? Set.of() : claimed, newBeatAt);
  }

  HeldShards with(int shard) {
    return new HeldShards(union(own, shard), union(claimed, shard), beatAt);
  }

  HeldShards without(Set<Integer> shards) {
    return new HeldShards(difference(own, shards), difference(claimed, shards), beatAt);
  }

  private static Set<Integer> union(Set<Integer> some, int one) {
    var all = new HashSet<>(some);
    all.add(one);
    return all;
  }

  private static Set<Integer> difference(Set<Integer> all, Set<Integer> some) {
    var rest = new HashSet<>(all);
    rest.removeAll(some);
    return rest;
  }
}
