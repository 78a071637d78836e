package io.prescale.controller.scheduler.reclaim;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.prescale.placement.notice.Expectation;
import io.prescale.placement.notice.Expectation.Outcome;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of the replicas that a booking expects within the hour.
 *
 * @param counts how many of them came to what
 * @param missingFrom when the first of those without room is to be created
 */
public record BookingState(Map<Outcome, Integer> counts, Optional<Instant> missingFrom) {
  /** Nothing is expected. */
  public static final BookingState NONE = new BookingState(Map.of(), Optional.empty());

  public BookingState {
    counts = Map.copyOf(counts);
  }

  /** How many came to this. */
  public int of(Outcome outcome) {
    return counts.getOrDefault(outcome, 0);
  }

  /** All that are expected. */
  public int expected() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The states of a round, by booking. */
  static Map<String, BookingState> of(List<Expectation> expected, Map<String, Outcome> outcomes) {
    return expected.stream()
        .collect(
            groupingBy(
                Expectation::booking, collectingAndThen(toList(), all -> state(all, outcomes))));
  }

  private static BookingState state(List<Expectation> expected, Map<String, Outcome> outcomes) {
    var counts = new EnumMap<Outcome, Integer>(Outcome.class);
    for (var each : expected) {
      counts.merge(outcome(each, outcomes), 1, Integer::sum);
    }
    var missing =
        expected.stream()
            .filter(each -> outcome(each, outcomes) == Outcome.NO_ROOM)
            .map(Expectation::from)
            .min(Comparator.naturalOrder());
    return new BookingState(counts, missing);
  }

  /** A round does not see those for which cards were kept in vain. */
  private static Outcome outcome(Expectation each, Map<String, Outcome> outcomes) {
    return outcomes.getOrDefault(each.claim().key(), Outcome.NOT_BOUND);
  }
}
