package io.prescale.controller.web;

import java.time.Instant;
import java.util.List;

/**
 * Nodes, cards and the newest placements. Amounts are in thousandths of a card.
 *
 * @param matching nodes that the filter lets through
 * @param nodes a page of those
 * @param decisions the newest first
 */
public record GpuPage(
    Totals totals, int matching, int offset, List<Node> nodes, List<Decision> decisions) {

  /**
   * The whole cluster.
   *
   * @param allocatedMilli promised to pods
   * @param usedMilli kept busy by them
   * @param fragmentMilli idle and of no use to the workloads that there are
   * @param unplaced pods that no node has room for
   */
  public record Totals(
      int nodes,
      int cards,
      int sickCards,
      long allocatedMilli,
      long usedMilli,
      long fragmentMilli,
      int unplaced) {}

  /**
   * A node.
   *
   * @param links how its cards are linked, in words
   * @param pairs the nearest link of each pair of cards, row by row: nv, switch, bridge, numa or
   *     far; empty when it is not known
   */
  public record Node(
      String name,
      String model,
      String links,
      List<List<String>> pairs,
      long fragmentMilli,
      List<Card> cards) {}

  /** A card. */
  public record Card(
      int index,
      String uuid,
      int memoryMib,
      int allocatedMilli,
      int allocatedMib,
      int usedMilli,
      String health,
      String trouble,
      List<Share> shares) {}

  /** What a pod has of a card. */
  public record Share(String pod, String workload, int milli, int mib, boolean ready) {}

  /** What became of a pod; {@code node} is empty when no node has room. */
  public record Decision(Instant at, String pod, String node, String reason) {}
}
