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
 * @param squares of independent standard normal values, one for each past week but one
 */
public record WeekDraws(List<Integer> weeks, List<Integer> growths, List<Double> squares) {
  /** Beyond, a few weeks would say that anything is possible. */
  private static final double WIDEST = 3;

  public WeekDraws {
    weeks = List.copyOf(weeks);
    growths = List.copyOf(growths);
    squares = List.copyOf(squares);
    if (weeks.isEmpty() || growths.size() != weeks.size()) {
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

  int week(int ahead) {
    return weeks.get(ahead);
  }

  int growth(int ahead) {
    return growths.get(ahead);
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
