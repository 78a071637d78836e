package io.prescale.controller.sharding;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.prescale.controller.cluster.LeaseHolder;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * One replica's part of the protocol, run at each heartbeat on one thread: it shows that it lives,
 * looks who else does, and takes or leaves shards. What it holds may be read by any thread.
 */
final class ShardCycle {
  /** At the end of the name under which a replica leads that shares the work. */
  static final String SHARING = " (sharded)";

  private final ShardLeases leases;
  private final String identity;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final ShardTimes times;
  private final Consumer<Set<Integer>> moved;
  private volatile HeldShards held = HeldShards.NONE;
  private Heartbeats heartbeats = Heartbeats.NONE;

  /**
   * A replica without shards.
   *
   * @param moved takes the shards that have become this replica's, or are no longer its own
   */
  ShardCycle(
      ShardLeases leases,
      String identity,
      InstantSource clock,
      LongSupplier nanoTime,
      ShardTimes times,
      Consumer<Set<Integer>> moved) {
    this.leases = leases;
    this.identity = identity;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.times = times;
    this.moved = moved;
  }

  /** Whether this replica may write for a shard at this moment. */
  boolean holds(int shard) {
    var now = held;
    return now.claimed().contains(shard) && isTrusted(now);
  }

  /** The number of shards that this replica may write for at this moment. */
  int trusted() {
    var now = held;
    return isTrusted(now) ? now.claimed().size() : 0;
  }

  /** The shards that are this replica's as far as it knows. */
  Set<Integer> own() {
    return held.own();
  }

  private boolean isTrusted(HeldShards those) {
    return those.isTrusted(nanoTime.getAsLong(), times.trusted());
  }

  /** Stops working on all shards, without a request. */
  void stop() {
    held = HeldShards.NONE;
    heartbeats = Heartbeats.NONE;
  }

  /**
   * Releases all shards, so that others take them at once.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when the server refuses or
   *     cannot be reached
   */
  void leave() {
    for (var lease : leases.read().values()) {
      if (isOwn(lease)) {
        leases.release(lease);
      }
    }
    leases.remove(Set.of(identity));
  }

  /**
   * A heartbeat, and what follows from those of the others.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when the server refuses or
   *     cannot be reached
   */
  void run() {
    long began = nanoTime.getAsLong();
    // Before the heartbeat: one that took a shard before this list has beaten before this beat, and
    // one that takes it after the list makes this replica's own claim a conflict.
    var leader = leases.leads();
    var present = leases.read();
    var texts = leases.beat(identity, clock.instant());
    boolean lapsed = !isTrusted(held);
    held = held.after(began, lapsed);
    if (lapsed) {
      heartbeats = Heartbeats.NONE; // silence means nothing while this replica did not listen
    }
    heartbeats = heartbeats.after(texts, holders(present), nanoTime.getAsLong());
    forget(heartbeats.silent(began, times.forgotten()));
    drop(lost(present));
    share(leader, present, heartbeats.live(began, times.expiry()), began);
  }

  private void forget(Set<String> replicas) {
    if (!replicas.isEmpty()) {
      leases.remove(replicas);
    }
  }

  /** Takes and leaves what is needed for an even share. */
  private void share(
      Optional<String> leader, Map<Integer, Lease> present, SortedSet<String> live, long began) {
    if (leader.isEmpty()) {
      return; // until it is known whether one replica does all the work
    }
    if (!leader.get().endsWith(SHARING)) {
      release(ownOf(present), present); // that replica does all the work, as before an upgrade
      return;
    }
    var assignment = assignment(present, live);
    release(assignment.releases(), present);
    var claims = ownOf(present); // again, after the heartbeat failed
    claims.removeAll(assignment.releases());
    claims.removeAll(held.claimed());
    claims.addAll(assignment.claims());
    claim(claims, present, began);
  }

  private Assignment assignment(Map<Integer, Lease> present, SortedSet<String> live) {
    var replicas = new TreeSet<>(live);
    replicas.add(identity);
    var holders = new TreeMap<Integer, String>();
    present.forEach(
        (shard, lease) ->
            LeaseHolder.of(lease)
                .filter(replicas::contains)
                .ifPresent(holder -> holders.put(shard, holder)));
    return Assignment.of(Shards.COUNT, holders, replicas, identity);
  }

  private static Set<String> holders(Map<Integer, Lease> present) {
    return present.values().stream()
        .flatMap(lease -> LeaseHolder.of(lease).stream())
        .collect(Collectors.toSet());
  }

  private boolean isOwn(Lease lease) {
    return LeaseHolder.of(lease).filter(identity::equals).isPresent();
  }

  private Set<Integer> ownOf(Map<Integer, Lease> present) {
    return present.entrySet().stream()
        .filter(it -> isOwn(it.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Those that are no longer this replica's by their Leases. */
  private Set<Integer> lost(Map<Integer, Lease> present) {
    var lost = new TreeSet<>(held.own());
    lost.removeAll(ownOf(present));
    return lost;
  }

  private void drop(Set<Integer> shards) {
    var dropped = new TreeSet<>(shards);
    dropped.retainAll(held.own());
    if (!dropped.isEmpty()) {
      held = held.without(dropped);
      moved.accept(dropped);
    }
  }

  /** Stops working on shards; their Leases are released a heartbeat later, when writes are over. */
  private void release(Set<Integer> shards, Map<Integer, Lease> present) {
    var idle = new TreeSet<>(shards);
    idle.removeAll(held.own());
    drop(shards);
    for (int shard : idle) {
      leases.release(Objects.requireNonNull(present.get(shard)));
    }
  }

  /** Claims until the next heartbeat is due: the rest follows after it. */
  private void claim(Set<Integer> shards, Map<Integer, Lease> present, long began) {
    var claimed = new TreeSet<Integer>();
    try {
      for (int shard : shards) {
        if (nanoTime.getAsLong() - began >= times.beat().toNanos()) {
          break;
        }
        if (leases.claim(shard, present.get(shard), identity, clock.instant())) {
          held = held.with(shard);
          claimed.add(shard);
        }
      }
    } finally {
      if (!claimed.isEmpty()) {
        moved.accept(claimed);
      }
    }
  }
}
