package io.prescale.controller.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * What is drawn for one scenario of the coming weeks, for all services at once: that services are
 * busy together, and grow together, so stays as it was.
 *
 * @param weeks for each coming week the past one that it runs as, counted back
 * @param growths for each coming week the past one that it grows as
 * @param again for each coming week a number from 0 to below 1, by which a service draws among its
 *     own weeks that lacks the one that was drawn
 * @param squares of independent standard normal values, one for each past week but one
 */
public record WeekDraws(
    List<Integer> weeks, List<Integer> growths, List<Double> again, List<Double> squares) {
  /** Beyond, a few weeks would say that anything is possible. */
  private static final double WIDEST = 3;

  public WeekDraws {
    weeks = List.copyOf(weeks);
    growths = List.copyOf(growths);
    again = List.copyOf(again);
    squares = List.copyOf(squares);
    if (weeks.isEmpty() || growths.size() != weeks.size() || again.size() != weeks.size()) {
      throw new IllegalArgumentException("every coming week runs as one and grows as one");
    }
  }

  /**
   * Draws scenarios.
   *
   * @param ahead how many weeks are to come
   * @param past how many weeks are known at most
   */
  public static List<WeekDraws> of(int scenarios, int ahead, int past, RandomGenerator random) {
    var draws = new ArrayList<WeekDraws>();
    for (int i = 0; i < scenarios; i++) {
      draws.add(
          new WeekDraws(
              drawn(ahead, past, random),
              drawn(ahead, Math.max(1, past - 1), random),
              IntStream.range(0, ahead).mapToObj(_ -> random.nextDouble()).toList(),
              IntStream.range(0, past - 1)
                  .mapToObj(_ -> random.nextGaussian())
                  .map(it -> it * it)
                  .toList()));
    }
    return draws;
  }

  private static List<Integer> drawn(int count, int of, RandomGenerator random) {
    return IntStream.range(0, count).mapToObj(_ -> random.nextInt(of)).toList();
  }

  /**
   * Which of a service's own weeks a coming one runs as.
   *
   * @param own where each past week is among them, counted back; negative where it is unknown
   * @param count how many they are
   */
  int week(int ahead, int[] own, int count) {
    return among(weeks.get(ahead), ahead, own, count);
  }

  /** Which of its own changes from one week to the next a coming week grows as. */
  int growth(int ahead, int[] own, int count) {
    return among(growths.get(ahead), ahead, own, count);
  }

  private int among(int drawn, int ahead, int[] own, int count) {
    return drawn < own.length && own[drawn] >= 0 ? own[drawn] : (int) (again.get(ahead) * count);
  }

  /**
   * By how much the spread of so few weeks is too narrow in this scenario: the root of n - 1 over a
   * chi-squared value with as many degrees of freedom, by which normal errors become Student's
   * (Biometrika 6, 1908).
   */
  double width(int count) {
    int freedom = Math.min(squares.size(), count - 1);
    double sum = squares.stream().limit(freedom).mapToDouble(Double::doubleValue).sum();
    return sum == 0 ? 1 : Math.min(WIDEST, Math.sqrt(freedom / sum));
  }
}
