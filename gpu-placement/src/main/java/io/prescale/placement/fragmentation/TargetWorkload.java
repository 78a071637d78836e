package io.prescale.placement.fragmentation;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The requests that the cluster is expected to get, as classes with how often they occur. The idle
 * GPU that they could not use is what fragmentation means.
 */
public final class TargetWorkload {
  /** Share of the requests that the classes must cover, in percent, as published. */
  public static final int COVERED_PERCENT = 95;

  private final List<TaskClass> classes;

  private TargetWorkload(List<TaskClass> classes) {
    this.classes = classes;
  }

  /**
   * Requests that do not differ in CPU, cards and models, and how many there are of them.
   *
   * @param weight number of requests
   */
  public record TaskClass(
      long cpuMilli, int gpus, GpuDemand demand, CardSelector cards, int weight) {
    public TaskClass {
      if (cpuMilli < 0 || gpus < 0 || weight < 1) {
        throw new IllegalArgumentException(
            "a task class of %d milli CPU, %d GPUs and weight %d; give at least 0, 0 and 1"
                .formatted(cpuMilli, gpus, weight));
      }
    }
  }

  /** The classes in which requests of the given shapes fall, all of them. */
  public static TargetWorkload of(List<TaskClass> classes) {
    if (classes.isEmpty()) {
      throw new IllegalArgumentException("a target workload has at least one class");
    }
    return new TargetWorkload(List.copyOf(classes));
  }

  /**
   * The most frequent classes of a workload, as many as cover 95 % of it; of equally frequent ones,
   * the one that is seen first.
   *
   * @throws IllegalArgumentException when there are no shapes
   */
  public static TargetWorkload mostFrequent(Stream<RequestShape> shapes) {
    var counts = new LinkedHashMap<Kind, Integer>();
    shapes.forEach(shape -> counts.merge(Kind.of(shape), 1, Integer::sum));
    long total = counts.values().stream().mapToLong(Integer::longValue).sum();
    long[] covered = {0};
    return of(
        counts.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .takeWhile(
                kind -> {
                  boolean isNeeded = covered[0] * 100 < total * COVERED_PERCENT;
                  covered[0] += kind.getValue();
                  return isNeeded;
                })
            .map(kind -> kind.getKey().weighing(kind.getValue()))
            .toList());
  }

  /** The most frequent first. */
  public List<TaskClass> classes() {
    return classes;
  }

  private record Kind(long cpuMilli, int gpus, GpuDemand demand, CardSelector cards) {
    static Kind of(RequestShape shape) {
      return new Kind(shape.host().cpuMilli(), shape.gpus(), shape.demand(), shape.cards());
    }

    TaskClass weighing(int count) {
      return new TaskClass(cpuMilli, gpus, demand, cards, count);
    }
  }
}
