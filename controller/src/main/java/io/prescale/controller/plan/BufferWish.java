package io.prescale.controller.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A workload for whose replicas nodes may be missing, and what an autoscaler is asked for already.
 *
 * @param cards of a replica
 * @param room what its replicas need; empty while that is not known, so that all stays as it is
 * @param missingSince since when some are missing
 * @param held replicas for which an autoscaler holds room, or adds nodes, as it was asked to
 * @param mayGrow whether it may be asked for more
 * @param nodeLead from asking until a new node has its cards
 */
public record BufferWish(
    String name,
    double cards,
    Optional<List<RoomAhead>> room,
    Optional<Instant> missingSince,
    int held,
    boolean mayGrow,
    Duration nodeLead) {
  /** One look does not suffice: a pod that ends, or a node that restarts, is back within it. */
  static final Duration STEADY = Duration.ofSeconds(30);

  public BufferWish {
    room = room.map(List::copyOf);
    if (!(cards > 0 && Double.isFinite(cards)) || held < 0 || nodeLead.isNegative()) {
      throw new IllegalArgumentException(
          "%s: %s cards, %d held, a node lead of %s".formatted(name, cards, held, nodeLead));
    }
  }

  /**
   * Replicas for which room is wanted: from a node lead before the first of those that are missing
   * is created, for all that come as soon. What is held is held for as long as so many replicas
   * have no pods; otherwise the new nodes, which are empty still, would be removed before them.
   */
  int replicas(Instant now) {
    if (room.isEmpty()) {
      return held;
    }
    int kept = Math.min(held, room.get().stream().mapToInt(RoomAhead::replicas).sum());
    return mayGrow && isTime(now) ? Math.max(kept, due(now)) : kept;
  }

  private boolean isTime(Instant now) {
    boolean isSteady = missingSince.filter(it -> !it.plus(STEADY).isAfter(now)).isPresent();
    return isSteady
        && room.orElseThrow().stream().anyMatch(it -> it.missing() > 0 && isDue(it, now));
  }

  private int due(Instant now) {
    return room.orElseThrow().stream()
        .filter(it -> isDue(it, now))
        .mapToInt(RoomAhead::replicas)
        .sum();
  }

  private boolean isDue(RoomAhead each, Instant now) {
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
