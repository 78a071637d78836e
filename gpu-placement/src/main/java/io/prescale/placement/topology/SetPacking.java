package io.prescale.placement.topology;

import java.util.ArrayList;
import java.util.List;

/**
 * For every set of cards, the greatest sum of scores of disjoint sets of one size within it.
 *
 * <p>Dynamic programming over all sets: the lowest card is either left out or joined by the other
 * members of its set. O(2^n · C(n-1, size-1)) once for a matrix, n ≤ 16.
 */
final class SetPacking {
  private final int[] best;

  SetPacking(LinkMatrix links, int size) {
    best = new int[1 << links.cards()];
    List<int[]> setsByLowest = new ArrayList<>();
    for (int card = 0; card < links.cards(); card++) {
      setsByLowest.add(setsWithLowest(card, size, links.cards()));
    }
    for (int bits = 1; bits < best.length; bits++) {
      best[bits] = packed(bits, setsByLowest.get(Integer.numberOfTrailingZeros(bits)), links, size);
    }
  }

  int best(int bits) {
    return best[bits];
  }

  private int packed(int bits, int[] sets, LinkMatrix links, int size) {
    int most = best[bits & bits - 1];
    if (Integer.bitCount(bits) < size) {
      return most;
    }
    for (int set : sets) {
      if ((set & ~bits) == 0) {
        most = Math.max(most, links.score(set) + best[bits & ~set]);
      }
    }
    return most;
  }

  private static int[] setsWithLowest(int lowest, int size, int cards) {
    List<Integer> sets = new ArrayList<>();
    int step = 1 << lowest;
    for (int bits = step; bits < 1 << cards; bits += 2 * step) {
      if (Integer.bitCount(bits) == size) {
        sets.add(bits);
      }
    }
    return sets.stream().mapToInt(Integer::intValue).toArray();
  }
}
