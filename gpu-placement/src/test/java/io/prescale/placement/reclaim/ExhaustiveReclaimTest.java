package io.prescale.placement.reclaim;

import static io.prescale.placement.vacancy.TestCluster.firm;
import static io.prescale.placement.vacancy.TestCluster.gang;
import static io.prescale.placement.vacancy.TestCluster.over;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.queue.FairShares;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.QueueLedger;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import io.prescale.placement.reclaim.ReclaimResult.NotReclaimable;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import io.prescale.placement.topology.Link;
import io.prescale.placement.topology.LinkMatrix;
import io.prescale.placement.topology.PciePath;
import io.prescale.placement.vacancy.TestCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares with a search that tries every set of victims; it shares no code with the engine. */
class ExhaustiveReclaimTest {
  private static final int CARDS = 4;
  private static final long GPU = 1000;

  private int placed;
  private int refused;
  private int needless;

  @Test
  void findsTheFewestVictimsThatExhaustiveSearchFinds() {
    SplittableRandom random = new SplittableRandom(17);
    for (int round = 0; round < 600; round++) {
      compare(new Case(random.split()), round);
    }
    assertThat(List.of(placed > 200, refused > 80, needless > 20))
        .as("%d placed, %d refused, %d without eviction", placed, refused, needless)
        .containsOnly(true);
  }

  private void compare(Case random, int round) {
    Reclaimer reclaimer = new Reclaimer(new LinkedCards());
    int fewest = random.fewestVictims();
    ReclaimResult result = reclaimer.decide(random.snapshot, random.claim());
    switch (result) {
      case NotReclaimable _ -> {
        assertThat(fewest).as("round %d: a way exists", round).isEqualTo(Case.IMPOSSIBLE);
        refused++;
      }
      case Reclaimed reclaimed -> {
        assertThat(reclaimed.isProvenLeast()).as("round %d", round).isTrue();
        assertThat(reclaimed.cost().victims()).as("round %d", round).isEqualTo(fewest);
        random.verify(reclaimed, round);
        placed++;
        needless += fewest == 0 ? 1 : 0;
      }
    }
  }

  /** A random cluster, its queues and gangs, and a claim. */
  private static final class Case {
    static final int IMPOSSIBLE = Integer.MAX_VALUE;

    private final SplittableRandom random;
    private final LinkMatrix links;
    private final TestCluster cluster;
    private final List<Placement> pods;
    private final Map<String, Integer> gangMinimum = new HashMap<>();
    private final Map<String, Long> used = new HashMap<>();
    private final Map<String, Long> guaranteed = new HashMap<>();
    private final List<GpuRequest> requests;
    private final ClusterSnapshot snapshot;
    private final int nodes;

    Case(SplittableRandom random) {
      this.random = random;
      links = LinkMatrix.of(CARDS, (a, b) -> new Link(PciePath.SAME_CPU, random.nextInt(2)));
      nodes = 1 + random.nextInt(3);
      cluster = TestCluster.of(nodes, links);
      for (int gang = 0; gang < 3; gang++) {
        gangMinimum.put("g" + gang, random.nextInt(4));
      }
      fill();
      snapshot = cluster.snapshot();
      pods = snapshot.placements().toList();
      for (String queue : List.of("x", "y")) {
        used.put(queue, usedBy(queue));
        guaranteed.put(queue, GPU * random.nextInt(4));
      }
      requests = requests();
    }

    private void fill() {
      for (int pod = 0; pod < 9; pod++) {
        int node = random.nextInt(nodes);
        GpuNode now = cluster.snapshot().node(node);
        List<Integer> idle = IntStream.range(0, CARDS).filter(now::isIdle).boxed().toList();
        if (random.nextInt(3) > 0 && !idle.isEmpty()) {
          int count = Math.min(idle.size(), 1 + random.nextInt(2));
          cluster.pod(
              "p" + pod,
              standing(),
              node,
              idle.subList(0, count).stream().mapToInt(Integer::intValue).toArray());
        } else {
          int milli = 200 + 100 * random.nextInt(6);
          int card = random.nextInt(CARDS);
          if (now.freeComputeMilli(card) >= milli) {
            cluster.fraction("p" + pod, standing(), milli, node, card);
          }
        }
      }
    }

    private Standing standing() {
      String queue = random.nextBoolean() ? "x" : "y";
      return switch (random.nextInt(6)) {
        case 0 -> firm(queue);
        case 1, 2 -> gang(queue, "g" + random.nextInt(3));
        default -> over(queue);
      };
    }

    private List<GpuRequest> requests() {
      RequestShape shape =
          switch (random.nextInt(4)) {
            case 0 -> RequestShape.of(1, new GpuDemand.Fraction(300 + 100 * random.nextInt(6)));
            case 1 ->
                RequestShape.of(2 + random.nextInt(2), GpuDemand.WholeGpu.ANY)
                    .withLinks(LinkRequirement.required(LinkScope.NVLINK));
            default -> RequestShape.of(1 + random.nextInt(4), GpuDemand.WholeGpu.ANY);
          };
      Standing standing = new Standing("owner", 10, false, Optional.of("claim"));
      return IntStream.rangeClosed(1, 1 + random.nextInt(2))
          .mapToObj(i -> new GpuRequest("claim" + i, shape, standing))
          .toList();
    }

    private long usedBy(String queue) {
      return pods.stream()
          .filter(pod -> pod.request().standing().queue().equals(queue))
          .mapToLong(Case::milli)
          .sum();
    }

    private static long milli(Placement pod) {
      return pod.shares().stream().mapToLong(GpuShare::computeMilli).sum();
    }

    ReclaimRequest claim() {
      long sum = guaranteed.values().stream().mapToLong(Long::longValue).sum();
      QueueTree tree =
          QueueTree.of(
              List.of(
                  Queue.leaf("owner", Quota.train(100 * GPU, 1)),
                  Queue.leaf("x", Quota.train(guaranteed.getOrDefault("x", 0L), 1)),
                  Queue.leaf("y", Quota.train(guaranteed.getOrDefault("y", 0L), 1))));
      Map<String, Long> demand = new HashMap<>(used);
      demand.put("owner", 100 * GPU);
      FairShares shares = FairShares.of(tree, 100 * GPU + sum, demand);
      QueueLedger ledger = QueueLedger.of(shares, used, Map.of());
      return new ReclaimRequest(
          requests, Optional.of(ledger.reclaimFor("owner", 4 * GPU)), gangMinimum);
    }

    int fewestVictims() {
      int fewest = IMPOSSIBLE;
      for (int victims = 0; victims < 1 << pods.size(); victims++) {
        if (Integer.bitCount(victims) < fewest && isAllowed(victims) && fitsWithout(victims)) {
          fewest = Integer.bitCount(victims);
        }
      }
      return fewest;
    }

    private boolean isAllowed(int victims) {
      Map<String, Long> left = new HashMap<>(used);
      Map<String, Integer> remaining = new HashMap<>();
      Map<String, Integer> taken = new HashMap<>();
      for (int i = 0; i < pods.size(); i++) {
        Standing standing = pods.get(i).request().standing();
        boolean leaves = (victims >> i & 1) == 1;
        if (leaves && !standing.preemptible()) {
          return false;
        }
        if (leaves) {
          left.merge(standing.queue(), -milli(pods.get(i)), Long::sum);
        }
        standing
            .gang()
            .ifPresent(gang -> (leaves ? taken : remaining).merge(gang, 1, Integer::sum));
      }
      for (String gang : taken.keySet()) {
        int stay = remaining.getOrDefault(gang, 0);
        if (stay > 0 && stay < gangMinimum.getOrDefault(gang, 0)) {
          return false;
        }
      }
      return left.entrySet().stream()
          .allMatch(
              queue ->
                  queue.getValue() >= guaranteed.getOrDefault(queue.getKey(), 0L)
                      || queue.getValue().equals(used.get(queue.getKey())));
    }

    private boolean fitsWithout(int victims) {
      int[][] free = new int[nodes][CARDS];
      for (int[] cards : free) {
        Arrays.fill(cards, 1000);
      }
      for (int i = 0; i < pods.size(); i++) {
        if ((victims >> i & 1) == 0) {
          int node = Integer.parseInt(pods.get(i).node().substring(1));
          pods.get(i).shares().forEach(share -> free[node][share.card()] -= share.computeMilli());
        }
      }
      return fits(free, 0);
    }

    private boolean fits(int[][] free, int request) {
      if (request == requests.size()) {
        return true;
      }
      RequestShape shape = requests.get(request).shape();
      int milli = shape.demand() instanceof GpuDemand.Fraction part ? part.milli() : 1000;
      for (int[] cards : free) {
        for (int set = 1; set < 1 << CARDS; set++) {
          if (Integer.bitCount(set) == shape.gpus() && isLinked(set, shape)) {
            int[] before = cards.clone();
            boolean enough = true;
            for (int card = 0; card < CARDS; card++) {
              cards[card] -= (set >> card & 1) * milli;
              enough &= cards[card] >= 0;
            }
            boolean all = enough && fits(free, request + 1);
            System.arraycopy(before, 0, cards, 0, CARDS);
            if (all) {
              return true;
            }
          }
        }
      }
      return false;
    }

    private boolean isLinked(int set, RequestShape shape) {
      boolean required = shape.links().strength() == LinkRequirement.Strength.REQUIRED;
      for (int a = 0; required && a < CARDS; a++) {
        for (int b = 0; b < a; b++) {
          if ((set >> a & set >> b & 1) == 1 && links.score(a, b) < 100) {
            return false;
          }
        }
      }
      return true;
    }

    /** The victims are allowed, and the placements fit where they are. */
    void verify(Reclaimed reclaimed, int round) {
      int victims = 0;
      for (Placement victim : reclaimed.victims()) {
        victims |= 1 << pods.indexOf(victim);
      }
      assertThat(Integer.bitCount(victims)).isEqualTo(reclaimed.victims().size());
      assertThat(isAllowed(victims)).as("round %d: %s", round, reclaimed.victims()).isTrue();
      ClusterSnapshot after = snapshot;
      for (Placement victim : reclaimed.victims()) {
        after = after.without(victim);
      }
      for (Placement placement : reclaimed.placements()) {
        after = after.with(placement);
        int set = placement.shares().stream().mapToInt(share -> 1 << share.card()).sum();
        assertThat(isLinked(set, placement.request().shape())).isTrue();
      }
      assertThat(new ArrayList<>(reclaimed.placements()))
          .extracting(Placement::request)
          .isEqualTo(requests);
      after
          .nodes()
          .forEach(
              node ->
                  IntStream.range(0, CARDS)
                      .forEach(
                          card ->
                              assertThat(node.freeComputeMilli(card))
                                  .as("round %d", round)
                                  .isNotNegative()));
    }
  }
}
