package io.prescale.placement.consolidation;

import static io.prescale.placement.vacancy.TestCluster.firm;
import static io.prescale.placement.vacancy.TestCluster.over;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.vacancy.TestCluster;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares plans with all sequences of moves, tried by a search that shares no code with the
 * planner.
 */
class ExhaustiveMovesTest {
  private static final int CARDS = 4;
  private static final int DEEPEST = 3;

  private static TestCluster randomCluster(SplittableRandom random) {
    int nodes = 2 + random.nextInt(2);
    TestCluster cluster = TestCluster.of(nodes, CARDS);
    for (int pod = 0; pod < 4 + random.nextInt(4); pod++) {
      int node = random.nextInt(nodes);
      GpuNode now = cluster.snapshot().node(node);
      Standing standing = random.nextInt(6) == 0 ? firm("x") : over("x");
      int[] idle = IntStream.range(0, CARDS).filter(now::isIdle).toArray();
      int count = 1 + random.nextInt(2);
      if (random.nextInt(3) > 0 && idle.length >= count) {
        cluster.pod("p" + pod, standing, node, Arrays.copyOf(idle, count));
      } else {
        int card = random.nextInt(CARDS);
        int milli = 300 + 100 * random.nextInt(4);
        if (now.freeComputeMilli(card) >= milli) {
          cluster.fraction("p" + pod, standing, milli, node, card);
        }
      }
    }
    return cluster;
  }

  @Test
  void freesAShapeWithTheFewestMovesThatAnySequenceNeeds() {
    SplittableRandom random = new SplittableRandom(23);
    int[] byMoves = new int[DEEPEST + 2];
    for (int round = 0; round < 800; round++) {
      TestCluster cluster = randomCluster(random);
      int gpus = 2 + random.nextInt(3);
      GpuRequest wanted = new GpuRequest("wanted", RequestShape.of(gpus, GpuDemand.WholeGpu.ANY));

      MovePlan plan =
          new Consolidator(new LinkedCards())
              .freeShape(cluster.snapshot(), wanted, MoveRules.atMost(DEEPEST));

      int found = plan.target().isPresent() ? plan.moves().size() : DEEPEST + 1;
      assertThat(found)
          .as("round %d: %s for %s", round, cluster.snapshot().nodes().toList(), wanted)
          .isEqualTo(new AllMoves(cluster.snapshot()).fewest(gpus));
      ConsolidatorTest.assertSafe(cluster.snapshot(), plan);
      assertThat(plan.moves()).allMatch(move -> move.from().request().standing().preemptible());
      byMoves[found]++;
    }
    assertThat(Arrays.stream(byMoves).allMatch(count -> count >= 2))
        .as(Arrays.toString(byMoves))
        .isTrue();
  }

  /** The shared pod can only move to the fourth card of the node, next to the one that leaves. */
  @Test
  void theShapeTakesCardsThatLeaveRoomForAPodThatMovesBefore() {
    TestCluster cluster = TestCluster.of(2, CARDS);
    cluster.pod("two", over("x"), 0, 2, 3);
    cluster.fraction("shared", over("x"), 700, 1, 1).pod("stays", firm("x"), 1, 2, 3);

    assertThat(movesFor(3, cluster)).containsExactly("shared to n0", "two to n1");
  }

  /** The other node has one card for each of the pods, and the small one would take the wrong. */
  @Test
  void aWholeCardMovesBeforeAShareOfOne() {
    TestCluster cluster = TestCluster.of(2, CARDS);
    cluster.fraction("small", over("x"), 200, 0, 2).pod("whole", over("x"), 0, 3);
    cluster.fraction("stays", firm("x"), 300, 1, 3).fraction("other", over("x"), 300, 1, 1);
    cluster.pod("two", over("x"), 1, 0, 2);

    assertThat(movesFor(4, cluster)).containsExactly("other to n1", "whole to n1", "small to n1");
  }

  /** As most pods ask for cards in a cluster, whole ones too: for their memory alone. */
  @Test
  void aWholeCardMovesBeforeAShareOfOneAlsoWithoutALimitOfCompute() {
    TestCluster cluster = TestCluster.of(2, CARDS);
    memory(cluster, "small", over("x"), 200, 0, 2);
    memory(cluster, "whole", over("x"), 1000, 0, 3);
    memory(cluster, "stays", firm("x"), 300, 1, 3);
    memory(cluster, "other", over("x"), 300, 1, 1);
    memory(cluster, "two", over("x"), 1000, 1, 0, 2);

    assertThat(movesFor(4, cluster)).containsExactly("other to n1", "whole to n1", "small to n1");
  }

  private static void memory(
      TestCluster cluster, String name, Standing standing, int milli, int node, int... onCards) {
    var share = new GpuDemand.Share(0, 80 * 1024 * milli / 1000);
    cluster.put(name, standing, RequestShape.of(onCards.length, share), node, onCards);
  }

  private static List<String> movesFor(int gpus, TestCluster cluster) {
    GpuRequest wanted = new GpuRequest("wanted", RequestShape.of(gpus, GpuDemand.WholeGpu.ANY));
    MovePlan plan =
        new Consolidator(new LinkedCards())
            .freeShape(cluster.snapshot(), wanted, MoveRules.atMost(DEEPEST));
    ConsolidatorTest.assertSafe(cluster.snapshot(), plan);
    assertThat(new AllMoves(cluster.snapshot()).fewest(gpus)).isEqualTo(plan.moves().size());
    return plan.moves().stream()
        .map(move -> "%s to %s".formatted(move.from().request().name(), move.to().node()))
        .toList();
  }

  /** Free thousandths of each card, and where each pod is. */
  private static final class AllMoves {
    private final int[][] free;
    private final List<Placement> pods;
    private final int[][] at;
    private final Set<Integer> moved = new HashSet<>();

    AllMoves(ClusterSnapshot cluster) {
      free = new int[cluster.size()][CARDS];
      for (int[] cards : free) {
        Arrays.fill(cards, 1000);
      }
      pods = cluster.placements().toList();
      at = new int[pods.size()][];
      for (int pod = 0; pod < at.length; pod++) {
        int node = Integer.parseInt(pods.get(pod).node().substring(1));
        int set = pods.get(pod).shares().stream().mapToInt(share -> 1 << share.card()).sum();
        at[pod] = new int[] {node, set};
        add(node, set, -milli(pod));
      }
    }

    private int milli(int pod) {
      GpuShare share = pods.get(pod).shares().getFirst();
      return Math.max(share.computeMilli(), share.memoryMib() * 1000 / (80 * 1024));
    }

    private void add(int node, int set, int milli) {
      for (int card = 0; card < CARDS; card++) {
        free[node][card] += (set >> card & 1) * milli;
      }
    }

    int fewest(int gpus) {
      for (int moves = 0; moves <= DEEPEST; moves++) {
        if (reaches(gpus, moves)) {
          return moves;
        }
      }
      return DEEPEST + 1;
    }

    private boolean reaches(int gpus, int moves) {
      if (moves == 0) {
        return Arrays.stream(free)
            .anyMatch(cards -> Arrays.stream(cards).filter(left -> left == 1000).count() >= gpus);
      }
      for (int pod = 0; pod < at.length; pod++) {
        if (pods.get(pod).request().standing().preemptible() && moved.add(pod)) {
          for (int node = 0; node < free.length; node++) {
            if (tryOn(pod, node, gpus, moves)) {
              return true;
            }
          }
          moved.remove(pod);
        }
      }
      return false;
    }

    private boolean tryOn(int pod, int node, int gpus, int moves) {
      int size = Integer.bitCount(at[pod][1]);
      for (int set = 1; set < 1 << CARDS; set++) {
        if (Integer.bitCount(set) == size && hasRoom(node, set, milli(pod))) {
          int[] from = at[pod];
          add(from[0], from[1], milli(pod));
          add(node, set, -milli(pod));
          at[pod] = new int[] {node, set};
          boolean reached = reaches(gpus, moves - 1);
          at[pod] = from;
          add(node, set, milli(pod));
          add(from[0], from[1], -milli(pod));
          if (reached) {
            return true;
          }
        }
      }
      return false;
    }

    private boolean hasRoom(int node, int set, int milli) {
      return IntStream.range(0, CARDS)
          .filter(card -> (set >> card & 1) == 1)
          .allMatch(card -> free[node][card] >= milli);
    }
  }

  @Test
  void theFirstMoveLowersTheFragmentationMostOfAllMovesBetweenNodes() {
    SplittableRandom random = new SplittableRandom(29);
    Fragmentation fragmentation =
        new Fragmentation(
            new TargetWorkload(
                List.of(
                    new TaskClass(0, 1, new GpuDemand.Fraction(600), CardSelector.ANY, 3),
                    new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 2),
                    new TaskClass(0, 4, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1))));
    int moving = 0;
    for (int round = 0; round < 300; round++) {
      ClusterSnapshot cluster = randomCluster(random).snapshot();
      MovePlan plan =
          new Consolidator(new LinkedCards())
              .lowerFragmentation(cluster, fragmentation, new MoveRules(Map.of(), Map.of(), 1, 0));

      long most = mostGained(cluster, fragmentation);
      assertThat(plan.gainMilli()).as("round %d", round).isEqualTo(Math.max(0, most));
      moving += plan.moves().size();
    }
    assertThat(moving).isGreaterThan(100);
  }

  private static long mostGained(ClusterSnapshot cluster, Fragmentation fragmentation) {
    double now = fragmentation.milliOf(cluster);
    double least = now;
    for (Placement pod : cluster.placements().toList()) {
      if (!pod.request().standing().preemptible()) {
        continue;
      }
      ClusterSnapshot without = cluster.without(pod);
      for (GpuNode node : cluster.nodes().filter(n -> !n.name().equals(pod.node())).toList()) {
        for (int set = 1; set < 1 << CARDS; set++) {
          if (Integer.bitCount(set) == pod.shares().size() && fits(node, set, pod)) {
            int cards = set;
            List<GpuShare> shares =
                IntStream.range(0, CARDS)
                    .filter(card -> (cards >> card & 1) == 1)
                    .mapToObj(
                        card -> node.share(card, pod.request().shape().demand()).orElseThrow())
                    .toList();
            ClusterSnapshot after = without.with(new Placement(pod.request(), node.name(), shares));
            least = Math.min(least, fragmentation.milliOf(after));
          }
        }
      }
    }
    return Math.round(now - least);
  }

  private static boolean fits(GpuNode node, int set, Placement pod) {
    int milli = pod.shares().getFirst().computeMilli();
    return IntStream.range(0, CARDS)
        .filter(card -> (set >> card & 1) == 1)
        .allMatch(
            card -> node.freeComputeMilli(card) >= milli && (milli < 1000 || node.isIdle(card)));
  }
}
