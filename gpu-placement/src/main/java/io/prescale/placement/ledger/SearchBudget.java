package io.prescale.placement.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits the time that searches for one gang take from all others, by the nodes that they look at:
 * a burst, and what follows at a rate (the generic cell rate algorithm). A gang of a thousand pods,
 * no two alike, and ten levels of the network would otherwise stop scheduling for minutes. Not
 * thread-safe.
 */
final class SearchBudget {
  /** Looks take about a microsecond each. */
  private static final long A_SECOND = 100_000;

  private static final Duration BURST = Duration.ofSeconds(2);

  /** By gang, when all its looks would have been made at the rate. */
  private final Map<String, Instant> paid = new HashMap<>();

  /** How long a gang has to wait for its next search; zero or less if it need not. */
  Duration wait(String gang, Instant now) {
    return Duration.between(now, paid.getOrDefault(gang, now)).minus(BURST);
  }

  /** Counts the looks of a search. */
  void spend(String gang, long looks, Instant now) {
    paid.values().removeIf(each -> !each.isAfter(now));
    var cost = Duration.ofNanos(looks * Duration.ofSeconds(1).toNanos() / A_SECOND);
    paid.merge(gang, now.plus(cost), (until, _) -> until.plus(cost));
  }
}
