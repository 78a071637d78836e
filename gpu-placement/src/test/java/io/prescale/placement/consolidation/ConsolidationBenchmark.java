package io.prescale.placement.consolidation;

import static io.prescale.placement.vacancy.TestCluster.firm;
import static io.prescale.placement.vacancy.TestCluster.over;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.vacancy.TestCluster;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code ./mvnw -q -pl gpu-placement -Pbench test-compile -Dbench=ConsolidationBenchmark}
 *
 * <p>8,000 cards on 1,000 nodes, three quarters of them in use by pods of one or two cards, one in
 * five guaranteed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class ConsolidationBenchmark {
  private static final int NODES = 1000;

  private final ClusterSnapshot scattered = cluster(3);
  private final ClusterSnapshot full = cluster(4);
  private final ClusterSnapshot wide = wide();
  private final Consolidator consolidator = new Consolidator(new LinkedCards());

  private static ClusterSnapshot cluster(int quarters) {
    SplittableRandom random = new SplittableRandom(1);
    TestCluster cluster = TestCluster.of(NODES, 8);
    for (int node = 0; node < NODES; node++) {
      for (int card = 0; card < 2 * quarters; card += 2) {
        Standing standing = random.nextInt(5) == 0 ? firm("x") : over("x");
        String name = "p%d-%d".formatted(node, card);
        if (random.nextBoolean()) {
          cluster.pod(name, standing, node, card, card + 1);
        } else {
          cluster.pod(name, standing, node, card).pod(name + "b", over("x"), node, card + 1);
        }
      }
    }
    return cluster.snapshot();
  }

  private static ClusterSnapshot wide() {
    TestCluster cluster = TestCluster.of(NODES, 8);
    for (int node = 0; node < NODES; node++) {
      cluster.pod("p" + node, over("x"), node, 0, 1, 2, 3, 4, 5);
    }
    return cluster.snapshot();
  }

  private MovePlan free(ClusterSnapshot cluster) {
    GpuRequest wanted = new GpuRequest("wanted", RequestShape.of(8, GpuDemand.WholeGpu.ANY));
    return consolidator.freeShape(cluster, wanted, MoveRules.atMost(10));
  }

  @Benchmark
  public MovePlan freeEightGpusOnANode() {
    return free(scattered);
  }

  /** All cards are in use: there is nowhere to move to. */
  @Benchmark
  public MovePlan freeEightGpusInAFullCluster() {
    return free(full);
  }

  /**
   * Each node holds one pod of six cards: there is room, but not for the pods that would have to
   * move.
   */
  @Benchmark
  public MovePlan freeEightGpusWhereNothingFits() {
    return free(wide);
  }

  /** Fifty moves, each the best, for a workload of 1, 2, 4 and 8 cards. */
  @Benchmark
  public MovePlan lowerFragmentationByFiftyMoves() {
    List<TaskClass> classes =
        List.of(
            new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 4),
            new TaskClass(0, 2, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 2),
            new TaskClass(0, 4, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 2),
            new TaskClass(0, 8, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1));
    return consolidator.lowerFragmentation(
        scattered, new Fragmentation(new TargetWorkload(classes)), MoveRules.atMost(50));
  }
}
