package io.prescale.controller.operator.scalein;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Chooses deletion costs so that a scale-in of any size that is near loses about the least work.
 *
 * <p>Only pods that could go are marked, with costs below the 0 of all others; a pod whose work is
 * unknown never is. Costs that are good enough stay: a write for every change of the load would be
 * many, and the load is a scrape old anyway.
 */
final class NextToGo {
  /** The most pods that are marked at the same time. */
  static final int MOST = 100;

  /** A mark without a scale-in near it is removed after this time. */
  static final Duration KEPT = Duration.ofMinutes(10);

  /** The part of a pod's average work that may be lost beyond what is necessary, at any size. */
  private static final double TOLERANCE = 0.1;

  private static final Comparator<Candidate> IDLEST_FIRST =
      Comparator.comparingDouble(Candidate::knownWork).thenComparing(Candidate::name);

  private NextToGo() {}

  /**
   * A write to a pod.
   *
   * @param cost empty to remove Prescale's mark
   */
  record Write(Candidate pod, OptionalInt cost) {}

  /**
   * The writes after which the pods with the least work go first. The most urgent come first: marks
   * of pods that should stay are removed before others are set.
   *
   * @param pods serving ones, without those whose cost is another's
   * @param leaving how many of them could go soon; 0 if no scale-in is near
   */
  static List<Write> writes(List<Candidate> pods, int leaving, Instant now) {
    if (leaving <= 0) {
      return removed(pods, now.minus(KEPT));
    }
    var best = pods.stream().filter(Candidate::isKnown).sorted(IDLEST_FIRST).toList();
    best = best.subList(0, Math.min(best.size(), Math.min(leaving, MOST)));
    return isGoodEnough(pods, best) ? List.of() : between(pods, best);
  }

  /** Removes marks that were written at this time or before. */
  static List<Write> removed(List<Candidate> pods, Instant until) {
    return pods.stream()
        .filter(pod -> pod.mark().filter(it -> !it.since().isAfter(until)).isPresent())
        .map(pod -> new Write(pod, OptionalInt.empty()))
        .toList();
  }

  /** Whether, as they are marked, the first few to go have little more work than the best few. */
  private static boolean isGoodEnough(List<Candidate> pods, List<Candidate> best) {
    var marked =
        pods.stream()
            .filter(pod -> pod.mark().isPresent())
            .sorted(Comparator.comparingInt(pod -> pod.mark().orElseThrow().cost()))
            .toList();
    if (marked.size() < best.size() || !marked.stream().allMatch(Candidate::isKnown)) {
      return false;
    }
    double mean =
        pods.stream()
            .filter(Candidate::isKnown)
            .mapToDouble(Candidate::knownWork)
            .average()
            .orElse(0);
    double more = 0;
    for (int i = 0; i < best.size(); i++) {
      more += marked.get(i).knownWork() - best.get(i).knownWork();
      if (more > TOLERANCE * mean) {
        return false;
      }
    }
    return true;
  }

  /** From -100 up, so that a longer list changes no cost of a shorter one. */
  private static List<Write> between(List<Candidate> pods, List<Candidate> best) {
    var writes = new ArrayList<Write>();
    pods.stream()
        .filter(pod -> pod.mark().isPresent() && !best.contains(pod))
        .forEach(pod -> writes.add(new Write(pod, OptionalInt.empty())));
    for (int i = 0; i < best.size(); i++) {
      var pod = best.get(i);
      int cost = i - MOST;
      if (!pod.mark().map(Candidate.Mark::cost).equals(Optional.of(cost))) {
        writes.add(new Write(pod, OptionalInt.of(cost)));
      }
    }
    return writes;
  }
}
