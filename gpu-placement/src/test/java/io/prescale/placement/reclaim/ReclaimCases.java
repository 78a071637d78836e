package io.prescale.placement.reclaim;

import static io.prescale.placement.vacancy.TestCluster.gang;

import io.prescale.placement.vacancy.TestCluster;
import java.util.Map;
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
}
