package io.prescale.placement.reclaim;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.filter.LinkedCards;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
 * {@code ./mvnw -q -pl gpu-placement -Pbench test-compile -Dbench=ReclaimBenchmark}
 *
 * <p>8,000 cards on 1,000 nodes, all in use by 1,000 elastic jobs of eight.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class ReclaimBenchmark {
  private final ClusterSnapshot cluster = ReclaimCases.thousandElasticJobs().snapshot();
  private final Reclaimer reclaimer = new Reclaimer(new LinkedCards());

  private ReclaimResult claim(int pods, int gpus) {
    return claim(pods, gpus, ReclaimCases.ELASTIC_MINIMUM);
  }

  private ReclaimResult claim(int pods, int gpus, Map<String, Integer> gangMinimum) {
    Standing standing = new Standing("owner", 10, false, Optional.of("claim"));
    RequestShape shape = RequestShape.of(gpus, GpuDemand.WholeGpu.ANY);
    List<GpuRequest> requests =
        IntStream.range(0, pods)
            .mapToObj(i -> new GpuRequest("claim" + i, shape, standing))
            .toList();
    return reclaimer.decide(cluster, new ReclaimRequest(requests, Optional.empty(), gangMinimum));
  }

  @Benchmark
  public ReclaimResult oneGpu() {
    return claim(1, 1);
  }

  @Benchmark
  public ReclaimResult fourGpusOnANode() {
    return claim(1, 4);
  }

  @Benchmark
  public ReclaimResult eightGpusOnANode() {
    return claim(1, 8);
  }

  /** A gang of ten pods of eight. */
  @Benchmark
  public ReclaimResult gangOfEightyGpus() {
    return claim(10, 8);
  }

  /** A gang of 250 pods of eight. */
  @Benchmark
  public ReclaimResult gangOfTwoThousandGpus() {
    return claim(250, 8);
  }

  /** A gang of ten pods of eight when the jobs are rigid: each pod evicted ends a job. */
  @Benchmark
  public ReclaimResult gangOfEightyGpusAmongRigidJobs() {
    return claim(10, 8, Map.of());
  }

  /** No node has nine cards. */
  @Benchmark
  public ReclaimResult refusal() {
    RequestShape shape = RequestShape.of(9, GpuDemand.WholeGpu.ANY);
    Standing standing = new Standing("owner", 10, false, Optional.empty());
    return reclaimer.decide(
        cluster,
        new ReclaimRequest(
            List.of(new GpuRequest("claim", shape, standing)), Optional.empty(), Map.of()));
  }
}
