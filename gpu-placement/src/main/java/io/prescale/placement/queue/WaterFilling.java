package io.prescale.placement.queue;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Divides an amount by weight among takers, each up to its bound: all get the same amount for a
 * unit of weight, except those that reach their bound before.
 *
 * <p>Whole units; what division leaves goes to the largest remainders (Hamilton's method), of
 * equals to the first. O(n²), n takers.
 */
final class WaterFilling {
  private final long[] weights;
  private final long[] bounds;
  private final long[] parts;

  private WaterFilling(long[] weights, long[] bounds) {
    this.weights = weights;
    this.bounds = bounds;
    parts = new long[weights.length];
  }

  /**
   * The part of each taker. Products of an amount or bound with a sum of weights must fit a long.
   *
   * @throws ArithmeticException when they do not
   */
  static long[] divide(long amount, long[] weights, long[] bounds) {
    WaterFilling filling = new WaterFilling(weights, bounds);
    filling.fill(amount);
    return filling.parts;
  }

  private void fill(long amount) {
    long rest = amount;
    List<Integer> open =
        IntStream.range(0, weights.length).filter(i -> weights[i] > 0).boxed().toList();
    while (!open.isEmpty()) {
      long level = rest;
      long total = open.stream().mapToLong(i -> weights[i]).sum();
      List<Integer> full = open.stream().filter(i -> isFullAt(i, level, total)).toList();
      if (full.isEmpty()) {
        divideProportionally(rest, total, open);
        return;
      }
      for (int i : full) {
        parts[i] = bounds[i];
        rest -= bounds[i];
      }
      open = open.stream().filter(i -> !full.contains(i)).toList();
    }
  }

  private boolean isFullAt(int i, long amount, long total) {
    return Math.multiplyExact(bounds[i], total) <= Math.multiplyExact(amount, weights[i]);
  }

  private void divideProportionally(long amount, long total, List<Integer> open) {
    long rest = amount;
    for (int i : open) {
      parts[i] = amount * weights[i] / total;
      rest -= parts[i];
    }
    open.stream()
        .sorted(Comparator.comparingLong(i -> -(amount * weights[i] % total)))
        .limit(rest)
        .forEach(i -> parts[i]++);
  }
}
