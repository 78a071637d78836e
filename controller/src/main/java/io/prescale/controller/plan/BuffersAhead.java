package io.prescale.controller.plan;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * For how many replicas of each workload an autoscaler is asked to hold room, within a limit for
 * all of them together. Where it does not suffice, what is held comes first, then growth for what
 * is created first.
 */
public final class BuffersAhead {
  private static final double ROUNDING = 1e-9;

  private BuffersAhead() {}

  /**
   * What is asked for one workload.
   *
   * @param replicas within the limit
   * @param beyond those that are wanted, too, and that the limit does not allow
   * @param upTo when the last of those that are wanted is created
   * @param next when nodes are asked for, if that is still to come
   */
  public record Answer(int replicas, int beyond, Optional<Instant> upTo, Optional<Instant> next) {}

  /**
   * The answers, by the names of the workloads.
   *
   * @param mostCards of all replicas together
   */
  public static Map<String, Answer> of(List<BufferWish> wishes, double mostCards, Instant now) {
    if (!(mostCards >= 0)) {
      throw new IllegalArgumentException("at most %s cards".formatted(mostCards));
    }
    var inTurn =
        wishes.stream()
            .sorted(Comparator.comparing(BufferWish::first).thenComparing(BufferWish::name))
            .toList();
    var allowed = new HashMap<String, Integer>();
    double left = mostCards;
    for (var wish : inTurn) {
      int kept = fitting(Math.min(wish.replicas(now), wish.held().replicas()), wish, left);
      allowed.put(wish.name(), kept);
      left -= kept * wish.cards();
    }
    var answers = new HashMap<String, Answer>();
    for (var wish : inTurn) {
      int wanted = wish.replicas(now);
      int kept = allowed.getOrDefault(wish.name(), 0);
      int more = fitting(wanted - kept, wish, left);
      left -= more * wish.cards();
      answers.put(
          wish.name(),
          new Answer(kept + more, wanted - kept - more, wish.upTo(now), wish.next(now)));
    }
    return answers;
  }

  private static int fitting(int replicas, BufferWish wish, double cards) {
    return (int) Math.min(replicas, Math.floor(cards / wish.cards() + ROUNDING));
  }
}
