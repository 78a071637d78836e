package io.prescale.placement.decision;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.preference.Policy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code ./mvnw -q -pl gpu-placement -am -Pbench test-compile -Dbench=PlacerBenchmark}
 *
 * <p>Nodes of eight shared cards, four fifths full of requests of 100 shapes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PlacerBenchmark {
  private static final int SHAPES = 100;
  private static final int CARDS = 8;

  @Param({"100", "1213", "5000", "10000"})
  private int nodes;

  private final SplittableRandom random = new SplittableRandom(1);
  private final List<RequestShape> shapes = new ArrayList<>();
  private final ArrayDeque<Placement> placed = new ArrayDeque<>();
  private ClusterSnapshot cluster = ClusterSnapshot.of(List.of());
  private Placer placer = placer(List.of(RequestShape.of(1, GpuDemand.WholeGpu.ANY)));
  private int number;

  @Setup
  public void fillFourFifths() {
    IntStream.range(0, SHAPES).mapToObj(_ -> randomShape()).forEach(shapes::add);
    cluster =
        ClusterSnapshot.of(IntStream.range(0, nodes).mapToObj(PlacerBenchmark::node).toList());
    placer = placer(shapes);
    long wanted = (long) nodes * CARDS * Gpu.WHOLE_MILLI * 4 / 5;
    while (wanted > 0) {
      wanted -= placeNext();
    }
  }

  private RequestShape randomShape() {
    var shape =
        random.nextInt(10) == 0
            ? RequestShape.of(1 << random.nextInt(4), GpuDemand.WholeGpu.ANY)
            : RequestShape.of(1, new GpuDemand.Fraction(50 * (1 + random.nextInt(19))));
    return shape.withHost(new HostDemand(1000L * (1 + random.nextInt(8)), 1024, ""));
  }

  private static NodeSpec node(int index) {
    var name = "node-" + index;
    var gpus =
        IntStream.range(0, CARDS)
            .mapToObj(card -> Gpu.whole(name + "/" + card, "nvidia", "A100", 81_920))
            .map(gpu -> gpu.withPartitioning(Partitioning.HAMI_CORE, 10))
            .toList();
    return new NodeSpec(name, 128_000, 1 << 20, gpus);
  }

  private static Placer placer(List<RequestShape> workload) {
    var fragmentation = new Fragmentation(TargetWorkload.mostFrequent(workload.stream()));
    var linkedCards = new LinkedCards();
    return new Placer(Policy.prescale(fragmentation, linkedCards), linkedCards);
  }

  /** Places one more request if it fits and gives the thousandths it took. */
  private long placeNext() {
    var shape = shapes.get(random.nextInt(SHAPES));
    if (placer.place(cluster, new GpuRequest("r" + number++, shape)) instanceof Placed result) {
      cluster = cluster.with(result.placement());
      placed.add(result.placement());
      return result.placement().shares().stream().mapToLong(share -> share.computeMilli()).sum();
    }
    return 0;
  }

  /** One request comes and the oldest leaves: a decision and two changes of the snapshot. */
  @Benchmark
  public ClusterSnapshot comeAndGo() {
    placeNext();
    cluster = cluster.without(placed.remove());
    return cluster;
  }

  /** A decision for a shape that was never asked before, so that every node is judged. */
  @Benchmark
  public PlacementResult unknownShape() {
    var known = shapes.get(number % SHAPES);
    var shape = known.withHost(new HostDemand(known.host().cpuMilli(), 1024 + number++, ""));
    return placer.place(cluster, new GpuRequest("r" + number, shape));
  }
}
