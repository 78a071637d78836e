package io.prescale.controller.scheduler.reclaim;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.prescale.placement.notice.Expectation;
import io.prescale.placement.notice.Expectation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What became of the replicas that a booking expects within the hour.
 *
 * @param counts how many of them came to what
 * @param missingFrom when the first of those without room is to be created
 * @param room what those without pods need for which no pod is asked to leave, by time
 * @param nodes where those will be that have a place, as it looks now, and when the first of them
 *     is created there
 */
public record BookingState(
    Map<Outcome, Integer> counts,
    Optional<Instant> missingFrom,
    List<Room> room,
    Map<String, Instant> nodes) {
  private static final Set<Outcome> NEED_ROOM =
      Set.of(Outcome.BOOKED, Outcome.FREE, Outcome.NO_ROOM);

  /** Nothing is expected. */
  public static final BookingState NONE =
      new BookingState(Map.of(), Optional.empty(), List.of(), Map.of());

  public BookingState {
    counts = Map.copyOf(counts);
    room = List.copyOf(room);
    nodes = Map.copyOf(nodes);
  }

  /**
   * Replicas without pods that are created at one time, and are to find free cards then.
   *
   * @param missing those of them for which there are none
   */
  public record Room(Instant from, int replicas, int missing) {
    private static Room of(Instant from, List<Outcome> outcomes) {
      int missing = (int) outcomes.stream().filter(Outcome.NO_ROOM::equals).count();
      return new Room(from, outcomes.size(), missing);
    }
  }

  /** How many came to this. */
  public int of(Outcome outcome) {
    return counts.getOrDefault(outcome, 0);
  }

  /** All that are expected. */
  public int expected() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * The outcomes of all that are expected. A round does not see those for which cards were kept in
   * vain, and says nothing new of those whose turn to be searched for has not come.
   *
   * @param before those of the last round
   */
  static Map<String, Outcome> known(
      List<Expectation> expected, Map<String, Outcome> now, Map<String, Outcome> before) {
    var known = new HashMap<String, Outcome>();
    for (var each : expected) {
      var key = each.claim().key();
      var outcome = now.getOrDefault(key, Outcome.NOT_BOUND);
      known.put(
          key,
          outcome == Outcome.NOT_SEARCHED ? before.getOrDefault(key, Outcome.NOT_YET) : outcome);
    }
    return known;
  }

  /**
   * The states of a round, by booking.
   *
   * @param places the nodes of those that have a place, by the keys of their claims
   */
  static Map<String, BookingState> of(
      List<Expectation> expected, Map<String, Outcome> outcomes, Map<String, Set<String>> places) {
    return expected.stream()
        .collect(
            groupingBy(
                Expectation::booking,
                collectingAndThen(toList(), all -> state(all, outcomes, places))));
  }

  private static BookingState state(
      List<Expectation> expected, Map<String, Outcome> outcomes, Map<String, Set<String>> places) {
    var counts = new EnumMap<Outcome, Integer>(Outcome.class);
    for (var each : expected) {
      counts.merge(outcome(each, outcomes), 1, Integer::sum);
    }
    var missing =
        expected.stream()
            .filter(each -> outcome(each, outcomes) == Outcome.NO_ROOM)
            .map(Expectation::from)
            .min(Comparator.naturalOrder());
    return new BookingState(counts, missing, room(expected, outcomes), nodes(expected, places));
  }

  private static Map<String, Instant> nodes(
      List<Expectation> expected, Map<String, Set<String>> places) {
    var nodes = new HashMap<String, Instant>();
    for (var each : expected) {
      for (var node : places.getOrDefault(each.claim().key(), Set.of())) {
        nodes.merge(node, each.from(), (one, other) -> one.isBefore(other) ? one : other);
      }
    }
    return nodes;
  }

  /** Pods that wait are seen by an autoscaler as they are. */
  private static List<Room> room(List<Expectation> expected, Map<String, Outcome> outcomes) {
    var byTime = new TreeMap<Instant, List<Outcome>>();
    for (var each : expected) {
      var outcome = outcome(each, outcomes);
      if (each.claim().pods().isEmpty() && NEED_ROOM.contains(outcome)) {
        byTime.computeIfAbsent(each.from(), _ -> new ArrayList<>()).add(outcome);
      }
    }
    return byTime.entrySet().stream()
        .map(entry -> Room.of(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Outcome outcome(Expectation each, Map<String, Outcome> outcomes) {
    return Objects.requireNonNull(outcomes.get(each.claim().key()));
  }
}
