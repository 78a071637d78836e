package io.prescale.controller.web;

import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What the last week of all workloads took with Prescale, and would have taken with a reactive HPA
 * with a target of 80 %: the sum of their newest replays.
 *
 * @param workloads that there are
 * @param counted of them, those that are in the sums
 * @param tooShort of the others, those whose history is too short for a verdict
 * @param failed of the others, those that could not be replayed
 * @param partOfAWeek of the counted, those with less than two weeks of history, of which less than
 *     a week is scored
 * @param takenForOneCard of the counted, those whose replicas' cards are not known
 */
public record Savings(
    int workloads,
    int counted,
    int tooShort,
    int failed,
    int partOfAWeek,
    int takenForOneCard,
    Usage prescale,
    Usage reactive) {

  /** The same with either. */
  public record Usage(double overloadedMinutes, double replicaHours, double cardHours) {
    static final Usage NONE = new Usage(0, 0, 0);

    Usage plus(Usage other) {
      return new Usage(
          overloadedMinutes + other.overloadedMinutes,
          replicaHours + other.replicaHours,
          cardHours + other.cardHours);
    }
  }

  /** What the newest replay of a workload says of its last week. */
  public sealed interface Week {
    /**
     * It is counted.
     *
     * @param isWhole whether all seven days are scored
     */
    record Judged(Usage prescale, Usage reactive, boolean isWhole, boolean knowsCards)
        implements Week {}

    /** Its history is too short for a verdict. */
    record TooShort() implements Week {}

    /** There was no replay. */
    record Failed() implements Week {}
  }

  /** Nothing is replayed. */
  public static Savings none() {
    return new Savings(0, 0, 0, 0, 0, 0, Usage.NONE, Usage.NONE);
  }

  /**
   * Sums up.
   *
   * @param workloads that there are, those included that were not replayed yet
   */
  public static Savings of(Collection<Week> weeks, int workloads) {
    var judged = of(weeks, Week.Judged.class).toList();
    Function<Function<Week.Judged, Usage>, Usage> sum =
        part -> judged.stream().map(part).reduce(Usage.NONE, Usage::plus);
    return new Savings(
        workloads,
        judged.size(),
        (int) of(weeks, Week.TooShort.class).count(),
        (int) of(weeks, Week.Failed.class).count(),
        (int) judged.stream().filter(it -> !it.isWhole()).count(),
        (int) judged.stream().filter(it -> !it.knowsCards()).count(),
        sum.apply(Week.Judged::prescale),
        sum.apply(Week.Judged::reactive));
  }

  private static <T> Stream<T> of(Collection<Week> weeks, Class<T> kind) {
    return weeks.stream().filter(kind::isInstance).map(kind::cast);
  }
}
