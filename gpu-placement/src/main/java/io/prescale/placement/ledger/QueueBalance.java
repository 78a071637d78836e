package io.prescale.placement.ledger;

import io.prescale.placement.queue.CardPool;
import io.prescale.placement.queue.FairShares;
import io.prescale.placement.queue.QueueLedger;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import io.prescale.placement.queue.QuotaCheck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What queues use and are owed at one moment, in thousandths of a card. Immutable.
 *
 * @param capacity of all cards, by pool
 * @param ledger of the queues
 * @param shares what each is owed
 * @param used by queues without children
 * @param demand what they use and wait for
 */
record QueueBalance(
    QueueTree tree,
    Map<CardPool, Long> capacity,
    QueueLedger ledger,
    FairShares shares,
    Map<String, Long> used,
    Map<String, Long> demand) {

  /**
   * The balance of a moment.
   *
   * @param byModel what may be given to pods of cards, by model
   * @param used by queues without children
   * @param demand what they use and wait for
   */
  static QueueBalance of(
      QueueTree tree, Map<String, Long> byModel, Map<String, Long> used, Map<String, Long> demand) {
    var capacity = tree.capacity(byModel);
    var asked = bounded(demand);
    var had = bounded(used);
    var shares = FairShares.of(tree, capacity, asked);
    var ledger = QueueLedger.of(shares, had, Map.of());
    return new QueueBalance(tree, capacity, ledger, shares, had, asked);
  }

  /**
   * Pods can claim any amount; the sum of all must stay within the library's bounds. If it does
   * not, nothing sensible can be said of the queues with the largest amounts, which are cut.
   */
  private static Map<String, Long> bounded(Map<String, Long> amounts) {
    long sum = amounts.values().stream().mapToLong(QueueBalance::believed).sum();
    long most =
        sum <= Quota.UNLIMITED ? Quota.UNLIMITED : Quota.UNLIMITED / Math.max(1, amounts.size());
    var bounded = new HashMap<String, Long>();
    amounts.forEach((queue, milli) -> bounded.put(queue, Math.clamp(milli, 0, most)));
    return bounded;
  }

  private static long believed(long milli) {
    return Math.clamp(milli, 0, Quota.UNLIMITED);
  }

  /**
   * Why a queue may not take an amount now, if it may not: a limit, or the due of another queue.
   *
   * @param asker of the amount, for the sentence
   * @param claims the least amount that waits, by queue; read only if it matters
   */
  Optional<String> refusal(
      String queue, String asker, long milli, Supplier<Map<String, Long>> claims) {
    if (ledger.check(queue, milli, true) instanceof QuotaCheck.Exceeded exceeded) {
      return Optional.of(beyondLimit(exceeded, asker, milli));
    }
    return ledger.isWithinShares(queue, milli)
        ? Optional.empty()
        : ledger.owedBefore(queue, milli, claims.get()).map(owed -> beyondShare(queue, owed));
  }

  /** Whether a queue and those above it are owed an amount more. */
  boolean isOwed(String queue, long milli) {
    return tree.isLeaf(queue)
        && milli <= capacity.getOrDefault(tree.poolOf(queue), 0L)
        && ledger.isWithinShares(queue, milli);
  }

  private String beyondLimit(QuotaCheck.Exceeded exceeded, String asker, long milli) {
    return "queue %s has %s of at most %s cards, and %s asks for %s"
        .formatted(
            exceeded.queue(),
            Quota.cards(ledger.used(exceeded.queue())),
            Quota.cards(exceeded.allowed()),
            asker,
            Quota.cards(milli));
  }

  private String beyondShare(String queue, String owed) {
    return "queue %s has %s of the %s cards that it is owed, and queue %s, which waits, %s of %s"
        .formatted(
            queue,
            Quota.cards(ledger.used(queue)),
            Quota.cards(shares.of(queue)),
            owed,
            Quota.cards(ledger.used(owed)),
            Quota.cards(shares.of(owed)));
  }

  /** By which right a queue has what it uses. */
  QuotaUse useOf(String queue) {
    return ledger.borrows(queue) ? QuotaUse.OVER_QUOTA : QuotaUse.GUARANTEED;
  }

  /** The queue to serve next of those that have pods waiting. */
  Optional<String> next(List<String> queues) {
    return ledger.next(queues);
  }
}
