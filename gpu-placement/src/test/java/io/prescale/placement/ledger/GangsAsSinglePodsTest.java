package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Container;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.Quota;
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
 * Of equal nodes those come first that have the pod's image; a queue's limit may leave a pod the
 * cards of which it takes the least part.
 */
class GangsAsSinglePodsTest {
  private static final long STEP = 1_000_000;
  private static final int ROUNDS = 120;
  private static final List<String> IMAGES = List.of("one:1", "two:1", "three:1");

  private int placed;
  private int near;
  private int limited;

  @Test
  void theyHaveTheSameNodesAndCards() {
    var random = new SplittableRandom(41);
    for (int round = 0; round < ROUNDS; round++) {
      new Case(random.split()).compare(round);
    }
    assertThat(List.of(placed > 3_000, near > 20, limited > 15))
        .as("%d, %d, %d", placed, near, limited)
        .containsOnly(true);
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

    /** Whether most nodes are alike, so that images decide. */
    private final boolean isUniform;

    private final boolean isLimited;

    Case(SplittableRandom random) {
      this.random = random;
      isNear = random.nextBoolean();
      isUniform = random.nextBoolean();
      isLimited = !isNear && random.nextBoolean();
      int nodes = 20 + random.nextInt(60);
      for (int i = 0; i < nodes; i++) {
        node("n" + random.nextInt(1_000), "z" + random.nextInt(4));
      }
      int kinds = 1 + random.nextInt(4);
      var asks = IntStream.range(0, kinds).mapToObj(_ -> ask()).toList();
      int size = isNear ? nodes + random.nextInt(nodes) : 2 + random.nextInt(3 * nodes);
      for (int i = 0; i < size; i++) {
        pods.add(pod("g%04d".formatted(i), asks.get(random.nextInt(kinds))));
      }
      pods.sort(Comparator.comparing(PodFacts::uid));
      if (isLimited) {
        var quota = Quota.train(0, 1).withLimit(1_000 + random.nextInt(9_000));
        both().forEach(ledger -> ledger.queues(List.of(QueuedNode.queue("team", quota))));
      }
    }

    private PodFacts pod(String name, Map<String, Long> asks) {
      var image = IMAGES.get(random.nextInt(IMAGES.size()));
      var pod = Pods.of(name, List.of(new Container("main", false, asks, image)), Map.of());
      var important = Pods.withPriority(pod, random.nextInt(30) == 0 ? 5 : 0);
      return Pods.inQueue(important, "team", NetworkedLedger.NOW);
    }

    private void node(String name, String zone) {
      if (zones.putIfAbsent(name, zone) != null) {
        return;
      }
      crowds.put(name, random.nextInt(4) == 0 ? random.nextInt(3) : 0);
      boolean isPlain = random.nextInt(5) == 0;
      boolean isSmall = random.nextInt(isLimited ? 6 : 3) > (isLimited ? 0 : 1);
      int cards = isUniform ? 4 : 1 + random.nextInt(8);
      var facts =
          isPlain
              ? Nodes.plain(name, cards)
              : isSmall ? small(name, cards) : Nodes.a100(name, cards);
      var placed =
          facts
              .at(NetworkLabels.KNOWN.position(Map.of(NetworkedLedger.ZONE, zone)))
              .with(
                  random.nextInt(3) == 0
                      ? Set.of(IMAGES.get(random.nextInt(IMAGES.size())))
                      : Set.of());
      both().forEach(ledger -> ledger.seen(placed));
      for (int card = 0; card < cards && !isPlain; card++) {
        if (random.nextInt(isUniform ? 12 : 3) == 0) {
          int mib = 10_000 * (1 + random.nextInt(isSmall ? 4 : 8));
          var record = "GPU-%s-%d,NVIDIA,%d,0:;".formatted(name, card, mib);
          var pod = Pods.asking("%s-%d".formatted(name, card), Map.of("nvidia.com/gpu", 1L));
          var bound = Pods.bound(pod, name, Map.of(NetworkedLedger.RECORD, record));
          both().forEach(ledger -> ledger.seen(bound));
        }
      }
    }

    /** A node of cards with half the memory. */
    private static NodeFacts small(String name, int cards) {
      var register = Nodes.a100Register(name, cards).replace("81920", "40960");
      return new NodeFacts(
          name,
          Map.of(),
          Map.of("hami.io/node-nvidia-register", register),
          Map.of("nvidia.com/gpu", cards * 10L),
          true,
          false);
    }

    private List<Ledger> both() {
      return List.of(together, alone);
    }

    private Map<String, Long> ask() {
      return random.nextBoolean()
          ? Map.of("nvidia.com/gpu", 1L + random.nextInt(isNear ? 1 : 3))
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
      limited += isLimited && !single.isEmpty() && single.size() < pods.size() ? 1 : 0;
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
