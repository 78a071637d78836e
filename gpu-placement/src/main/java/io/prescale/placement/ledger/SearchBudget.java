package io.prescale.placement.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limits the time that searches for one gang take from all others, by the nodes that they look at:
 * a burst, and what follows at a rate (the generic cell rate algorithm). Where the clock stands
 * still, as in a trial, there is no limit. Not thread-safe.
 */
final class SearchBudget {
  /** Looks take about a microsecond each. */
  private static final long A_SECOND = 100_000;

  private static final Duration BURST = Duration.ofSeconds(2);

  private final Map<String, Debt> debts = new HashMap<>();

  /**
   * What a gang's searches have cost.
   *
   * @param at when the last one was made
   * @param paid when all their looks would have been made at the rate
   * @param refusal why the last one found nothing; empty if it found places
   */
  private record Debt(Instant at, Instant paid, String refusal) {}

  /** Why a gang is not searched for now, if it has to wait. */
  Optional<String> refusal(String gang, Instant now) {
    return Optional.ofNullable(debts.get(gang))
        .filter(debt -> now.isAfter(debt.at()) && debt.paid().isAfter(now.plus(BURST)))
        .map(
            debt ->
                "%s; after long searches, it is looked at again in %d s"
                    .formatted(
                        debt.refusal().isEmpty()
                            ? "its group had places a moment ago"
                            : debt.refusal(),
                        Duration.between(now, debt.paid()).minus(BURST).toSeconds() + 1));
  }

  /** Counts the looks of a search. */
  void spend(String gang, long looks, String refusal, Instant now) {
    debts.values().removeIf(each -> !each.paid().isAfter(now));
    var cost = Duration.ofNanos(looks * Duration.ofSeconds(1).toNanos() / A_SECOND);
    var before = debts.get(gang);
    var from = before == null ? now : before.paid();
    debts.put(gang, new Debt(now, from.plus(cost), refusal));
  }
}
