package io.prescale.placement.reclaim;

import java.util.Comparator;

/**
 * What evictions cost; the first difference decides.
 *
 * @param victims pods evicted
 * @param endedGangs gangs that are evicted as a whole
 * @param highestPriority among the victims; the least int without any
 * @param pauses what the victims lose beyond the time without cards, as {@link
 *     ReclaimRequest#pauseCosts} says, in thousandths of a card × seconds
 * @param milli GPU taken from the victims
 */
public record EvictionCost(
    int victims, int endedGangs, int highestPriority, long pauses, long milli)
    implements Comparable<EvictionCost> {
  /** The cost of no evictions. */
  public static final EvictionCost NOTHING = new EvictionCost(0, 0, Integer.MIN_VALUE, 0, 0);

  private static final Comparator<EvictionCost> ORDER =
      Comparator.comparingInt(EvictionCost::victims)
          .thenComparingInt(EvictionCost::endedGangs)
          .thenComparingInt(EvictionCost::highestPriority)
          .thenComparingLong(EvictionCost::pauses)
          .thenComparingLong(EvictionCost::milli);

  @Override
  public int compareTo(EvictionCost other) {
    return ORDER.compare(this, other);
  }
}
