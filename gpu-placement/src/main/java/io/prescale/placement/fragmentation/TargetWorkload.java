package io.prescale.placement.fragmentation;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The requests that a cluster is expected to receive, as classes with frequencies.
 *
 * @param classes the most frequent first
 */
public record TargetWorkload(List<TaskClass> classes) {
  /** The share of requests that the classes must cover, in percent, as in the paper. */
  public static final int COVERED_PERCENT = 95;

  /**
   * Requests with equal CPU, cards and models, and their number.
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

    /** The class in words, such as {@code a quarter of a card} or {@code 4 cards}. */
    public String words() {
      var count = gpus == 1 ? "1 card" : gpus + " cards";
      var kind =
          switch (demand) {
            case GpuDemand.NoGpu none -> none.toString();
            case GpuDemand.WholeGpu whole ->
                whole.leastMemoryMib() == 0 ? count : count + " with " + whole;
            case GpuDemand.Fraction(var milli) when gpus == 1 && milli == 250 ->
                "a quarter of a card";
            case GpuDemand.Fraction(var milli) when gpus == 1 && milli == 500 -> "half a card";
            case GpuDemand.Fraction part -> part + (gpus == 1 ? " of a card" : " of " + count);
            case GpuDemand.Share share -> share + (gpus == 1 ? " of a card" : " of " + count);
            case GpuDemand.MigInstance mig -> gpus == 1 ? mig.toString() : gpus + " × " + mig;
          };
      var models =
          Stream.concat(
              cards.models().stream().sorted(),
              cards.excludedModels().stream().sorted().map("not "::concat));
      return cards.models().isEmpty() && cards.excludedModels().isEmpty()
          ? kind
          : models.collect(Collectors.joining(", ", kind + " (", ")"));
    }
  }

  public TargetWorkload {
    classes = List.copyOf(classes);
    if (classes.isEmpty()) {
      throw new IllegalArgumentException("a target workload has at least one class");
    }
  }

  /**
   * The most frequent classes that together cover 95 % of the shapes; equally frequent ones in
   * order of first occurrence.
   *
   * @throws IllegalArgumentException when there are no shapes
   */
  public static TargetWorkload mostFrequent(Stream<RequestShape> shapes) {
    var counts = new LinkedHashMap<RequestShape, Integer>();
    shapes.forEach(shape -> counts.merge(shape, 1, Integer::sum));
    return mostFrequent(counts);
  }

  /** The same of shapes that are counted already. */
  static TargetWorkload mostFrequent(Map<RequestShape, Integer> shapes) {
    var counts = new LinkedHashMap<Kind, Integer>();
    shapes.forEach((shape, count) -> counts.merge(Kind.of(shape), count, Integer::sum));
    long total = counts.values().stream().mapToLong(Integer::longValue).sum();
    long[] covered = {0};
    return new TargetWorkload(
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

  private record Kind(long cpuMilli, int gpus, GpuDemand demand, CardSelector cards) {
    static Kind of(RequestShape shape) {
      return new Kind(shape.host().cpuMilli(), shape.gpus(), shape.demand(), shape.cards());
    }

    TaskClass weighing(int count) {
      return new TaskClass(cpuMilli, gpus, demand, cards, count);
    }
  }
}
