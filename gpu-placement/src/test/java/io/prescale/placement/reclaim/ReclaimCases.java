package io.prescale.placement.reclaim;

import static io.prescale.placement.vacancy.TestCluster.gang;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.queue.FairShares;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.QueueLedger;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import io.prescale.placement.queue.ReclaimBudget;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import io.prescale.placement.vacancy.TestCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Clusters of the size at which the benchmarks measure. */
final class ReclaimCases {
  /** Each elastic job needs one of its eight pods. */
  static final Map<String, Integer> ELASTIC_MINIMUM =
      IntStream.range(0, 1000)
          .mapToObj(job -> "job" + job)
          .collect(Collectors.toMap(Function.identity(), _ -> 1));

  static final Standing OWNER = new Standing("owner", 10, false, Optional.empty());

  private ReclaimCases() {}

  /** 1,000 nodes of eight cards, full of 1,000 jobs of eight single cards, spread widely. */
  static TestCluster thousandElasticJobs() {
    TestCluster cluster = TestCluster.of(1000, 8);
    for (int job = 0; job < 1000; job++) {
      for (int pod = 0; pod < 8; pod++) {
        cluster.pod(
            "j%d-%d".formatted(job, pod),
            gang("train", "job" + job),
            (job + 125 * pod) % 1000,
            pod);
      }
    }
    return cluster;
  }

  /** A claim of one pod of "owner" on pods of lower priority. */
  static ReclaimRequest claim(RequestShape shape) {
    return claim(shape, Map.of());
  }

  static ReclaimRequest claim(RequestShape shape, Map<String, Integer> gangMinimum) {
    return claim(shape, Optional.empty(), gangMinimum);
  }

  /** A claim that may also take from other queues. */
  static ReclaimRequest claim(RequestShape shape, ReclaimBudget budget) {
    return claim(shape, Optional.of(budget), Map.of());
  }

  static ReclaimRequest claim(
      RequestShape shape, Optional<ReclaimBudget> budget, Map<String, Integer> gangMinimum) {
    return new ReclaimRequest(List.of(new GpuRequest("claim", shape, OWNER)), budget, gangMinimum);
  }

  static RequestShape whole(int gpus) {
    return RequestShape.of(gpus, GpuDemand.WholeGpu.ANY);
  }

  /** What a claim takes that has to be granted. */
  static Reclaimed reclaimed(TestCluster cluster, ReclaimRequest claim) {
    return (Reclaimed) new Reclaimer(new LinkedCards()).decide(cluster.snapshot(), claim);
  }

  /** A cluster of so many GPUs, all in use by "train"; "owner" is guaranteed some. */
  static ReclaimBudget trainOwes(int gpus, int claimed) {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("owner", Quota.train(1000L * claimed, 1)),
                Queue.leaf("train", Quota.train(0, 1))));
    Map<String, Long> used = Map.of("train", 1000L * gpus);
    FairShares shares =
        FairShares.of(tree, 1000L * gpus, Map.of("train", 1000L * gpus, "owner", 1000L * claimed));
    return QueueLedger.of(shares, used, Map.of()).reclaimFor("owner", 1000L * claimed);
  }
}
