package io.prescale.forecasting.online;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The steps that the models of a peak are fitted to: all if there are few, else some spread evenly,
 * and others where demand moved most a day or a week before. There mornings begin, of which an even
 * spread holds too few minutes to learn from.
 *
 * <p>What a step is chosen by is known at that step, and nearly all of it is among the features, so
 * that quantiles given the features stay what they are (covariate shift; Shimodaira 2000, Journal
 * of Statistical Planning and Inference 90).
 */
final class PeakMoments {
  private static final int EVENLY = 6000;
  private static final int MOVES = 1000;

  private PeakMoments() {}

  /**
   * At most {@value #EVENLY} and {@value #MOVES} steps, some of both. O(candidates · (log
   * candidates + window + ten minutes in steps)).
   *
   * @param from the first candidate
   */
  static int[] of(
      DemandHistory history, PeakFeatures features, int from, int candidates, long seed) {
    if (candidates <= EVENLY) {
      return IntStream.range(from, from + Math.max(0, candidates)).toArray();
    }
    double[] moves =
        IntStream.range(0, candidates)
            .mapToDouble(i -> features.earlierMove(history, from + i))
            .toArray();
    int[] moving = largest(moves, MOVES);
    var random = new SplittableRandom(seed);
    return IntStream.concat(
            IntStream.range(0, EVENLY)
                .map(i -> TrainingRows.moment(i, EVENLY, from, candidates, random)),
            Arrays.stream(moving).map(i -> from + i))
        .toArray();
  }

  /**
   * The indices of the largest numbers above 0, at most so many, in ascending order; the last of
   * those that are equal.
   */
  static int[] largest(double[] numbers, int count) {
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    double least = sorted[sorted.length - count];
    long equal = count - Arrays.stream(sorted).filter(it -> it > least).count();
    var chosen = IntStream.builder();
    for (int i = numbers.length - 1; i >= 0; i--) {
      if (numbers[i] > least) {
        chosen.add(i);
      } else if (numbers[i] == least && least > 0 && equal > 0) {
        chosen.add(i);
        equal--;
      }
    }
    return chosen.build().sorted().toArray();
  }
}
