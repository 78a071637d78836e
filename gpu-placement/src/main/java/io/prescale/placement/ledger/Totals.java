package io.prescale.placement.ledger;

import io.prescale.placement.cluster.ClusterSnapshot;

/**
 * Sums over a cluster.
 *
 * @param refused pods that the scheduler has put aside until there is room
 * @param milli thousandths of cards that could be given out
 * @param heldMilli those that are held
 * @param memoryMib of cards
 * @param heldMemoryMib that is promised
 * @param overcommittedMib that is promised beyond what cards have
 */
public record Totals(
    int nodes,
    int cards,
    int pods,
    int refused,
    long milli,
    long heldMilli,
    long memoryMib,
    long heldMemoryMib,
    long overcommittedMib) {

  /** Adds up a cluster. */
  public static Totals of(ClusterSnapshot cluster, int pods, int refused) {
    int cards = 0;
    long milli = 0;
    long freeMilli = 0;
    long memory = 0;
    long heldMemory = 0;
    long overcommitted = 0;
    for (int index = 0; index < cluster.size(); index++) {
      var node = cluster.node(index);
      cards += node.cards();
      for (int card = 0; card < node.cards(); card++) {
        milli += node.gpu(card).computeMilli();
        freeMilli += node.freeComputeMilli(card);
        int promised = node.promisedGpuMemoryMib(card);
        memory += node.gpu(card).memoryMib();
        heldMemory += promised;
        overcommitted += Math.max(0, promised - node.gpu(card).memoryMib());
      }
    }
    return new Totals(
        cluster.size(),
        cards,
        pods,
        refused,
        milli,
        milli - freeMilli,
        memory,
        heldMemory,
        overcommitted);
  }
}
