package io.prescale.controller.plan;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/** The distribution of the replicas that several workloads have together in one step. */
public final class ReplicaSum {
  private final int[] sorted;

  private ReplicaSum(int[] sorted) {
    this.sorted = sorted;
  }

  /**
   * Adds up the replicas of workloads in every scenario.
   *
   * @param demands of the workloads, at least one, by the names that the dependence knows
   * @param h the step
   * @param factor by which every demand is multiplied
   */
  public static ReplicaSum of(
      Map<String, DemandAhead> demands, Dependence dependence, int h, double factor) {
    var sums =
        IntStream.range(0, dependence.scenarios())
            .map(
                k ->
                    demands.entrySet().stream()
                        .mapToInt(
                            it ->
                                it.getValue().replicas(h, dependence.level(it.getKey(), k), factor))
                        .sum())
            .sorted()
            .toArray();
    if (sums.length == 0) {
      throw new IllegalArgumentException("there are no scenarios");
    }
    return new ReplicaSum(sums);
  }

  /** The least number that is not exceeded with this probability. */
  public int quantile(double level) {
    int index = (int) Math.ceil(level * sorted.length - 1e-9) - 1;
    return sorted[Math.clamp(index, 0, sorted.length - 1)];
  }

  /** The probability that more than so many are needed. */
  public double probabilityAbove(int replicas) {
    return Arrays.stream(sorted).filter(it -> it > replicas).count() / (double) sorted.length;
  }
}
