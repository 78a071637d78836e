package io.prescale.placement.queue;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What each queue is owed now, in milli-GPU.
 *
 * <p>From the top down, as in KAI-Scheduler ({@code docs/fairness/README.md}) and Koordinator
 * ({@code 20220722-multi-hierarchy-elastic-quota-management.md}): of what its parent is owed, each
 * queue first gets what it asks for up to the guaranteed; the rest goes to the queues that ask for
 * more, those of the highest priority first, among equals by weight, bounded by what they ask for
 * and by their limit. A parent asks for what its children ask for, each up to its limit; what is
 * reserved counts as asked for. When the guaranteed exceeds what there is, all are cut in
 * proportion. Each {@linkplain CardPool pool} is divided by itself, among its own queues.
 */
public final class FairShares {
  private final QueueTree tree;
  private final long[] asked;
  private final long[] shares;

  private FairShares(QueueTree tree, long[] asked) {
    this.tree = tree;
    this.asked = asked;
    shares = new long[asked.length];
  }

  /**
   * The shares of a cluster. O(n²) for n queues.
   *
   * @param capacity the cluster's milli-GPU
   * @param demand what each queue without children runs and waits for; others ask for nothing
   */
  public static FairShares of(QueueTree tree, long capacity, Map<String, Long> demand) {
    return of(tree, Map.of(CardPool.REST, capacity), demand);
  }

  /** The same of a cluster whose cards are in pools: milli-GPU by pool. */
  public static FairShares of(
      QueueTree tree, Map<CardPool, Long> capacity, Map<String, Long> demand) {
    FairShares shares = new FairShares(tree, asked(tree, demand));
    capacity.forEach(
        (pool, milli) -> {
          if (milli < 0 || milli > Quota.UNLIMITED) {
            throw new IllegalArgumentException(
                "a capacity of %d milli-GPU; give 0 to %d".formatted(milli, Quota.UNLIMITED));
          }
          shares.divide(milli, tree.topOf(pool));
        });
    return shares;
  }

  private static long[] asked(QueueTree tree, Map<String, Long> demand) {
    long[] asked = new long[tree.size()];
    demand.keySet().forEach(tree::leafNumberOf);
    for (int number = tree.size() - 1; number >= 0; number--) {
      long own = tree.isLeaf(number) ? demand.getOrDefault(tree.name(number), 0L) : asked[number];
      if (own < 0) {
        throw new IllegalArgumentException(
            "queue %s asks for %d milli-GPU; give 0 or more".formatted(tree.name(number), own));
      }
      Quota quota = tree.quota(number);
      asked[number] = Math.max(Math.min(own, quota.limit()), quota.reserved());
      if (tree.parent(number) != QueueTree.NO_PARENT) {
        asked[tree.parent(number)] += asked[number];
      }
    }
    return asked;
  }

  private void divide(long amount, int[] queues) {
    long rest = amount - giveGuaranteed(amount, queues);
    int[] priorities =
        IntStream.of(queues)
            .map(number -> tree.quota(number).priority())
            .sorted()
            .distinct()
            .toArray();
    for (int i = priorities.length - 1; i >= 0; i--) {
      int priority = priorities[i];
      rest -=
          giveByWeight(
              rest,
              IntStream.of(queues)
                  .filter(number -> tree.quota(number).priority() == priority)
                  .toArray());
    }
    for (int number : queues) {
      if (!tree.isLeaf(number)) {
        divide(shares[number], tree.childrenOf(number));
      }
    }
  }

  private long giveGuaranteed(long amount, int[] queues) {
    long[] due =
        IntStream.of(queues)
            .mapToLong(number -> Math.min(tree.quota(number).guaranteed(), asked[number]))
            .toArray();
    return give(queues, WaterFilling.divide(Math.min(amount, Arrays.stream(due).sum()), due, due));
  }

  private long giveByWeight(long amount, int[] queues) {
    long[] weights =
        IntStream.of(queues).mapToLong(number -> tree.quota(number).weight()).toArray();
    long[] missing =
        IntStream.of(queues).mapToLong(number -> asked[number] - shares[number]).toArray();
    return give(queues, WaterFilling.divide(amount, weights, missing));
  }

  private long give(int[] queues, long[] parts) {
    for (int i = 0; i < queues.length; i++) {
      shares[queues[i]] += parts[i];
    }
    return Arrays.stream(parts).sum();
  }

  /** What a queue is owed. */
  public long of(String queue) {
    return shares[tree.numberOf(queue)];
  }

  long of(int number) {
    return shares[number];
  }

  QueueTree tree() {
    return tree;
  }
}
