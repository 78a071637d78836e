package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.Pods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The pods of a gang get the places that they would get one after the other: each is compared with
 * one that is asked about alone, among all nodes, which is told how near each is to those before.
 */
class GangsAsSinglePodsTest {
  private static final long STEP = 1_000_000;
  private static final int ROUNDS = 60;

  private int placed;
  private int near;

  @Test
  void theyHaveTheSameNodesAndCards() {
    var random = new SplittableRandom(41);
    for (int round = 0; round < ROUNDS; round++) {
      new Case(random.split()).compare(round);
    }
    assertThat(List.of(placed > 1_500, near > 5)).as("%d, %d", placed, near).containsOnly(true);
  }

  /** The same nodes and running pods in two ledgers, and pods that are a gang in the first. */
  private final class Case {
    private final SplittableRandom random;
    private final Ledger together = new Ledger(10);
    private final Ledger alone = new Ledger(10);
    private final Map<String, String> zones = new TreeMap<>();
    private final Map<String, Integer> crowds = new HashMap<>();
    private final List<PodFacts> pods = new ArrayList<>();
    private final boolean isNear;

    Case(SplittableRandom random) {
      this.random = random;
      isNear = random.nextBoolean();
      int nodes = 20 + random.nextInt(60);
      for (int i = 0; i < nodes; i++) {
        node("n" + random.nextInt(1_000), "z" + random.nextInt(4));
      }
      int kinds = 1 + random.nextInt(4);
      var asks = IntStream.range(0, kinds).mapToObj(_ -> ask()).toList();
      int size = 2 + random.nextInt(isNear ? nodes : 3 * nodes);
      for (int i = 0; i < size; i++) {
        var pod = Pods.asking("g%04d".formatted(i), asks.get(random.nextInt(kinds)));
        pods.add(Pods.withPriority(pod, random.nextInt(30) == 0 ? 5 : 0));
      }
      pods.sort(Comparator.comparing(PodFacts::uid));
    }

    private void node(String name, String zone) {
      if (zones.putIfAbsent(name, zone) != null) {
        return;
      }
      crowds.put(name, random.nextInt(4) == 0 ? random.nextInt(3) : 0);
      boolean isPlain = random.nextInt(5) == 0;
      int cards = 1 + random.nextInt(8);
      var facts = isPlain ? Nodes.plain(name, cards) : Nodes.a100(name, cards);
      var placed = facts.at(NetworkLabels.KNOWN.position(Map.of(NetworkedLedger.ZONE, zone)));
      both().forEach(ledger -> ledger.seen(placed));
      for (int card = 0; card < cards && !isPlain; card++) {
        if (random.nextInt(3) == 0) {
          int mib = 10_000 * (1 + random.nextInt(8));
          var record = "GPU-%s-%d,NVIDIA,%d,0:;".formatted(name, card, mib);
          var pod = Pods.asking("%s-%d".formatted(name, card), Map.of("nvidia.com/gpu", 1L));
          var bound = Pods.bound(pod, name, Map.of(NetworkedLedger.RECORD, record));
          both().forEach(ledger -> ledger.seen(bound));
        }
      }
    }

    private List<Ledger> both() {
      return List.of(together, alone);
    }

    private Map<String, Long> ask() {
      return random.nextBoolean()
          ? Map.of("nvidia.com/gpu", 1L + random.nextInt(3))
          : Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 5_000L * (1 + random.nextInt(9)));
    }

    void compare(int round) {
      var group =
          isNear
              ? new Group(
                  "gang", pods.size(), NetworkedLedger.preferred(NetworkedLedger.ZONE), false)
              : new Group("gang", 1, Nearness.ANYWHERE, false);
      var members = pods.stream().map(pod -> Pods.inGroup(pod, group)).toList();
      members.forEach(together::seen);
      var inGang = new TreeMap<String, String>();
      for (var pod : members) {
        place(together, pod, false, Set.of()).ifPresent(node -> inGang.put(pod.uid(), node));
      }
      if (isNear && isWithinOneZone(inGang)) {
        return; // there is no room for all, or in one zone; single pods would be placed otherwise
      }
      var single = new TreeMap<String, String>();
      var taken = new HashSet<String>();
      for (var pod : pods) {
        alone.seen(pod);
        var node = place(alone, pod, isNear, taken);
        node.ifPresent(it -> single.put(pod.uid(), it));
        node.ifPresent(taken::add);
      }
      assertThat(inGang).as("round %d, near %s", round, isNear).isEqualTo(single);
      assertThat(together.uses()).as("round %d", round).isEqualTo(alone.uses());
      placed += single.size();
      near += isNear ? 1 : 0;
    }

    private boolean isWithinOneZone(Map<String, String> nodes) {
      return nodes.values().stream().map(zones::get).distinct().count() < 2;
    }

    private Optional<String> place(Ledger ledger, PodFacts pod, boolean byZone, Set<String> taken) {
      var nodes = List.copyOf(zones.keySet());
      var found =
          ledger.candidates(
              pod,
              nodes,
              true,
              NetworkedLedger.NOW,
              node -> (byZone ? STEP * distance(node, taken) : 0) + crowds.getOrDefault(node, 0));
      return found instanceof Candidates.Nodes(var best)
          ? Optional.of(best.getFirst())
          : Optional.empty();
    }

    /** Of the scopes from one node outwards, the first that the node shares with one taken. */
    private long distance(String node, Set<String> taken) {
      var levels = NetworkLabels.KNOWN.scopes();
      boolean isInZone =
          taken.stream().anyMatch(it -> Objects.equals(zones.get(it), zones.get(node)));
      int zone = levels.indexOf(NetworkLabels.KNOWN.scope(NetworkedLedger.ZONE).orElseThrow());
      int anywhere = levels.indexOf(NetworkScope.CLUSTER);
      return taken.contains(node) ? 0 : isInZone ? zone : anywhere;
    }
  }
}
