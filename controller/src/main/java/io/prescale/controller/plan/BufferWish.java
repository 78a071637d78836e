package io.prescale.controller.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A workload for whose replicas nodes may be missing, and what an autoscaler is asked for already.
 *
 * @param cards of a replica
 * @param room what its replicas need; empty while that is not known, so that all stays as it is
 * @param missingSince since when some are missing
 * @param held what an autoscaler was asked for
 * @param mayGrow whether it may be asked for more
 * @param nodeLead from asking until a new node has its cards
 */
public record BufferWish(
    String name,
    double cards,
    Optional<List<RoomAhead>> room,
    Optional<Instant> missingSince,
    Held held,
    boolean mayGrow,
    Duration nodeLead) {
  /** One look does not suffice: a pod that ends, or a node that restarts, is back within it. */
  static final Duration STEADY = Duration.ofSeconds(30);

  /**
   * Long enough for a scheduler to be replaced; a node that idles longer costs more than a new one.
   */
  public static final Duration LONGEST_UNKNOWN = Duration.ofMinutes(15);

  /**
   * What an autoscaler was asked for.
   *
   * @param replicas for which it holds room, or adds nodes
   * @param upTo when the last of those is created that were wanted, also beyond the limit; empty if
   *     none are held
   * @param unknownSince since when it is not known what the replicas need; empty if it is
   */
  public record Held(int replicas, Optional<Instant> upTo, Optional<Instant> unknownSince) {
    public static final Held NONE = new Held(0, Optional.empty(), Optional.empty());

    public Held {
      if (replicas < 0) {
        throw new IllegalArgumentException(replicas + " held");
      }
    }
  }

  public BufferWish {
    room = room.map(List::copyOf);
    if (!(cards > 0 && Double.isFinite(cards)) || nodeLead.isNegative()) {
      throw new IllegalArgumentException(
          "%s: %s cards, a node lead of %s".formatted(name, cards, nodeLead));
    }
  }

  /**
   * Replicas for which room is wanted: from a node lead before the first of those that are missing
   * is created, for all that come as soon. What is held is held for as long as so many of those for
   * which it was asked have no pods; otherwise the new nodes, which are empty still, would be
   * removed before them. While it is not known what they need, it is held for some time.
   */
  int replicas(Instant now) {
    if (room.isEmpty()) {
      return isUnknownForLong(now) ? 0 : held.replicas();
    }
    int due = due(now).mapToInt(RoomAhead::replicas).sum();
    return mayGrow && isTime(now) ? due : Math.min(held.replicas(), due);
  }

  /** When the last of those is created for which room is wanted. */
  Optional<Instant> upTo(Instant now) {
    return room.isEmpty()
        ? held.upTo()
        : due(now).map(RoomAhead::from).max(Comparator.naturalOrder());
  }

  private boolean isUnknownForLong(Instant now) {
    return held.unknownSince().filter(it -> !it.plus(LONGEST_UNKNOWN).isAfter(now)).isPresent();
  }

  private boolean isTime(Instant now) {
    boolean isSteady = missingSince.filter(it -> !it.plus(STEADY).isAfter(now)).isPresent();
    return isSteady
        && room.orElseThrow().stream().anyMatch(it -> it.missing() > 0 && isTimeFor(it, now));
  }

  /** Those that come within a node lead, or for which room is held since nodes took longer. */
  private Stream<RoomAhead> due(Instant now) {
    return room.orElseThrow().stream()
        .filter(
            it ->
                isTimeFor(it, now)
                    || held.upTo().filter(last -> !it.from().isAfter(last)).isPresent());
  }

  private boolean isTimeFor(RoomAhead each, Instant now) {
    return !each.from().minus(nodeLead).isAfter(now);
  }

  /** When the first of those that are missing is created; far away if none is. */
  Instant first() {
    return room.stream()
        .flatMap(List::stream)
        .filter(it -> it.missing() > 0)
        .map(RoomAhead::from)
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  /** When nodes are asked for, if that is still to come. */
  Optional<Instant> next(Instant now) {
    return Optional.of(first())
        .filter(it -> mayGrow && it.isBefore(Instant.MAX))
        .map(it -> it.minus(nodeLead))
        .filter(it -> it.isAfter(now));
  }
}
