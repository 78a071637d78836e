package io.prescale.controller.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How shards are shared out; what must hold is checked apart from how it is computed. */
class AssignmentTest {
  @Test
  void theFirstReplicaTakesAll() {
    var first = Assignment.of(12, Map.of(), replicas("a"), "a");

    assertThat(first.claims()).hasSize(12);
    assertThat(first.releases()).isEmpty();
  }

  @Test
  void aThirdReplicaTakesAThirdAndNoMoreMoves() {
    var holders = new TreeMap<Integer, String>();
    IntStream.range(0, 12).forEach(shard -> holders.put(shard, shard % 2 == 0 ? "a" : "b"));
    var replicas = replicas("a", "b", "c");

    assertThat(Assignment.of(12, holders, replicas, "a").releases()).containsExactly(8, 10);
    assertThat(Assignment.of(12, holders, replicas, "b").releases()).containsExactly(9, 11);
    assertThat(Assignment.of(12, holders, replicas, "c").claims()).as("not yet free").isEmpty();

    List.of(8, 9, 10, 11).forEach(holders::remove);
    assertThat(Assignment.of(12, holders, replicas, "c").claims()).containsExactly(8, 9, 10, 11);
    assertThat(Assignment.of(12, holders, replicas, "a")).isEqualTo(nothing());
  }

  @Test
  void theShardsOfALostReplicaAreSharedByTheOthers() {
    var holders = Map.of(0, "a", 1, "a", 4, "b");
    var replicas = replicas("a", "b");

    assertThat(Assignment.of(6, holders, replicas, "a").claims()).containsExactly(2);
    assertThat(Assignment.of(6, holders, replicas, "b").claims()).containsExactly(3, 5);
  }

  @Test
  void moreReplicasThanShardsHaveOneOrNone() {
    var holders = Map.of(0, "c", 1, "a");
    var replicas = replicas("a", "b", "c", "d");

    for (var replica : replicas) {
      assertThat(Assignment.of(2, holders, replicas, replica)).isEqualTo(nothing());
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> Assignment.of(0, Map.of(), replicas("a"), "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Assignment.of(2, Map.of(2, "a"), replicas("a"), "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Assignment.of(2, Map.of(1, "gone"), replicas("a"), "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Assignment.of(2, Map.of(), replicas("b"), "a"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** All of 1 to 6 shards, held by none or by any of 1 to 4 replicas. */
  @Test
  void everySmallClusterBecomesEvenWithTheFewestMoves() {
    for (int replicas = 1; replicas <= 4; replicas++) {
      for (int shards = 1; shards <= 6; shards++) {
        for (int code = 0; code < Math.pow(replicas + 1, shards); code++) {
          becomesEven(shards, names(replicas), holders(code, shards, replicas));
        }
      }
    }
  }

  @Test
  void everyLargeClusterBecomesEvenWithTheFewestMoves() {
    var random = new SplittableRandom(15);
    for (int run = 0; run < 2_000; run++) {
      int shards = random.nextInt(1, 41);
      int replicas = random.nextInt(1, 11);
      var holders = new TreeMap<Integer, String>();
      for (int shard = 0; shard < shards; shard++) {
        int holder = random.nextInt(-2, replicas);
        if (holder >= 0) {
          holders.put(shard, name(holder));
        }
      }
      becomesEven(shards, names(replicas), holders);
    }
  }

  /** Each acts on what it saw when it last looked; a Lease is written only as it was seen. */
  @Test
  void replicasThatSeeOldLeasesAgreeOnceTheyLookAgain() {
    for (int seed = 0; seed < 300; seed++) {
      var random = new SplittableRandom(seed);
      var leases = new TreeMap<Integer, String>();
      var replicas = names(random.nextInt(1, 8));
      for (int step = 0; step < 200; step++) {
        var self = List.copyOf(replicas).get(random.nextInt(replicas.size()));
        var seen = Map.copyOf(leases);
        for (int others = random.nextInt(3); others > 0; others--) {
          act(leases, seen, replicas, List.copyOf(replicas).get(random.nextInt(replicas.size())));
        }
        act(leases, seen, replicas, self);
      }
      for (int round = 0; round < 3; round++) {
        replicas.forEach(self -> act(leases, Map.copyOf(leases), replicas, self));
      }

      assertThat(leases).as("seed %d", seed).hasSize(32);
      assertThat(spread(leases.values(), replicas)).as("seed %d", seed).isLessThanOrEqualTo(1);
    }
  }

  private static void act(
      Map<Integer, String> leases,
      Map<Integer, String> seen,
      SortedSet<String> replicas,
      String self) {
    var assignment = Assignment.of(32, seen, replicas, self);
    assignment.releases().forEach(shard -> leases.remove(shard, self));
    assignment.claims().forEach(shard -> leases.putIfAbsent(shard, self));
  }

  private static void becomesEven(
      int shards, SortedSet<String> replicas, Map<Integer, String> before) {
    var holders = new TreeMap<>(before);
    int moves = 0;
    for (int round = 0; round < 2; round++) { // releases, then claims of what was released
      var seen = Map.copyOf(holders);
      var claimed = new HashSet<Integer>();
      for (var replica : replicas) {
        var assignment = Assignment.of(shards, seen, replicas, replica);
        assertThat(assignment.claims()).as("of %s", seen).noneMatch(seen::containsKey);
        assertThat(assignment.claims()).as("of %s", seen).allMatch(claimed::add);
        assertThat(assignment.releases()).allMatch(shard -> replica.equals(seen.get(shard)));
        moves += assignment.releases().size();
        assignment.releases().forEach(holders::remove);
        assignment.claims().forEach(shard -> holders.put(shard, replica));
      }
    }

    assertThat(holders).as("from %s", before).hasSize(shards);
    assertThat(spread(holders.values(), replicas)).as("from %s", before).isLessThanOrEqualTo(1);
    assertThat(moves).as("from %s", before).isEqualTo(fewestMoves(shards, replicas, before));
  }

  /** By trying which replicas have the one more. */
  private static int fewestMoves(
      int shards, SortedSet<String> replicas, Map<Integer, String> before) {
    var loads = new ArrayList<>(loads(before.values(), replicas).values());
    int each = shards / replicas.size();
    int fewest = Integer.MAX_VALUE;
    for (int mask = 0; mask < 1 << replicas.size(); mask++) {
      if (Integer.bitCount(mask) == shards % replicas.size()) {
        int moves = 0;
        for (int i = 0; i < loads.size(); i++) {
          moves += Math.max(0, loads.get(i) - each - (mask >> i & 1));
        }
        fewest = Math.min(fewest, moves);
      }
    }
    return fewest;
  }

  private static int spread(Collection<String> holders, SortedSet<String> replicas) {
    var loads = loads(holders, replicas).values();
    return loads.stream().mapToInt(it -> it).max().orElseThrow()
        - loads.stream().mapToInt(it -> it).min().orElseThrow();
  }

  private static Map<String, Integer> loads(
      Collection<String> holders, SortedSet<String> replicas) {
    var loads = new HashMap<String, Integer>();
    replicas.forEach(replica -> loads.put(replica, 0));
    holders.forEach(holder -> loads.merge(holder, 1, Integer::sum));
    return loads;
  }

  /** The holders that a number stands for, digit by digit. */
  private static Map<Integer, String> holders(int code, int shards, int replicas) {
    var holders = new TreeMap<Integer, String>();
    int rest = code;
    for (int shard = 0; shard < shards; shard++) {
      int digit = rest % (replicas + 1);
      rest /= replicas + 1;
      if (digit > 0) {
        holders.put(shard, name(digit - 1));
      }
    }
    return holders;
  }

  private static Assignment nothing() {
    return new Assignment(new TreeSet<>(), new TreeSet<>());
  }

  private static SortedSet<String> names(int count) {
    return IntStream.range(0, count)
        .mapToObj(AssignmentTest::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(int replica) {
    return "replica-" + replica;
  }

  private static SortedSet<String> replicas(String... names) {
    return new TreeSet<>(List.of(names));
  }
}
