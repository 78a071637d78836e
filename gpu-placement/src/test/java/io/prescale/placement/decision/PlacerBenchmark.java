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
import io.prescale.placement.topology.KnownMachines;
import io.prescale.placement.topology.LinkMatrix;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
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
  private static final LinkMatrix HGX = KnownMachines.hgxH100();

  @Param({"100", "1213", "5000", "10000"})
  private int nodes;

  /** Whether the cards are linked, as on an HGX H100. */
  @Param({"false", "true"})
  private boolean linked;

  private final SplittableRandom random = new SplittableRandom(1);
  private final List<RequestShape> shapes = new ArrayList<>();
  private final ArrayDeque<Placement> placed = new ArrayDeque<>();
  private ClusterSnapshot cluster = ClusterSnapshot.of(List.of());
  private Placer placer = placer(List.of(RequestShape.of(1, GpuDemand.WholeGpu.ANY)));
  private int number;

  @Setup
  public void fillFourFifths() {
    IntStream.range(0, SHAPES).mapToObj(_ -> randomShape()).forEach(shapes::add);
    cluster = ClusterSnapshot.of(IntStream.range(0, nodes).mapToObj(this::node).toList());
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

  private NodeSpec node(int index) {
    var name = "node-" + index;
    var gpus =
        IntStream.range(0, CARDS)
            .mapToObj(card -> Gpu.whole(name + "/" + card, "nvidia", "A100", 81_920))
            .map(gpu -> gpu.withPartitioning(Partitioning.HAMI_CORE, 10))
            .toList();
    var node = new NodeSpec(name, 128_000, 1 << 20, gpus);
    return linked ? node.withLinks(HGX) : node;
  }

  private static Placer placer(List<RequestShape> workload) {
    var fragmentation = new Fragmentation(TargetWorkload.mostFrequent(workload.stream()));
    var linkedCards = new LinkedCards();
    return new Placer(Policy.prescale(fragmentation, linkedCards), linkedCards);
  }

  /** Places one more request if it fits and returns the thousandths that it takes. */
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
  public ClusterSnapshot comeAndGo(CpuTime cpuTime) {
    cpuTime.start();
    placeNext();
    cluster = cluster.without(placed.remove());
    cpuTime.stop();
    return cluster;
  }

  /** A decision for a shape that was not seen before, so that every node is evaluated. */
  @Benchmark
  public PlacementResult unknownShape(CpuTime cpuTime) {
    var known = shapes.get(number % SHAPES);
    var shape = known.withHost(new HostDemand(known.host().cpuMilli(), 1024 + number++, ""));
    cpuTime.start();
    var result = placer.place(cluster, new GpuRequest("r" + number, shape));
    cpuTime.stop();
    return result;
  }

  /**
   * CPU time of single decisions and the heap in use, printed at the end of a trial: on a shared
   * machine JMH's times include those of other processes.
   */
  @State(Scope.Thread)
  public static class CpuTime {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long[] nanos = new long[1 << 20];
    private int count;
    private long started;

    @Setup(Level.Iteration)
    public void forgetWarmup() {
      count = 0;
    }

    void start() {
      started = threads.getCurrentThreadCpuTime();
    }

    void stop() {
      nanos[count++ % nanos.length] = threads.getCurrentThreadCpuTime() - started;
    }

    @TearDown(Level.Iteration)
    public void print() {
      long[] sorted = Arrays.copyOf(nanos, Math.min(count, nanos.length));
      Arrays.sort(sorted);
      System.gc();
      var runtime = Runtime.getRuntime();
      System.out.printf(
          "[CPU µs: mean %.1f, p50 %.1f, p99 %.1f; heap %d MiB] ",
          Arrays.stream(sorted).average().orElse(0) / 1e3,
          sorted[sorted.length / 2] / 1e3,
          sorted[sorted.length * 99 / 100] / 1e3,
          (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    }
  }
}
