package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.fragmentation.Fragmentation;

/**
 * Fragmentation gradient descent (Weng et al., ATC'23): prefers the place where a request increases
 * fragmentation least.
 *
 * <p>As in the paper, the change Δ in thousandths of a card is mapped to an integer from 0 to 100,
 * {@code ⌊100 / (1 + e^(Δ / 1000))⌋}. The coarse steps, 40 thousandths wide around 0, are part of
 * the method: they cause ties, ties fill nodes in order, and exact numbers pack worse.
 */
public final class LeastFragmentation implements Preference {
  private static final int SCORES = 100;

  private final Fragmentation fragmentation;

  /** At index s, the least gain in weighted thousandths for which the score is above s. */
  private final long[] leastGains;

  public LeastFragmentation(Fragmentation fragmentation) {
    this.fragmentation = fragmentation;
    leastGains = new long[SCORES - 1];
    for (int score = 1; score < SCORES; score++) {
      double logOdds = StrictMath.log((double) score / (SCORES - score));
      leastGains[score - 1] = (long) Math.ceil(1000 * fragmentation.totalWeight() * logOdds);
    }
  }

  @Override
  public String name() {
    return "least fragmentation";
  }

  @Override
  public String inWords(long cost) {
    return "%d of %d points".formatted(-cost, SCORES);
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    var profile = fragmentation.profile(node);
    long before = profile.now();
    return cards -> -score(before - profile.after(shape, cards));
  }

  private int score(long gain) {
    int low = 0;
    int high = leastGains.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (gain >= leastGains[middle]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
