package io.prescale.placement.overcommit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The memory that pods were seen to use in a window of time that ends now. Only pods that were
 * there before the window began count: what a younger one needs at other hours is not known yet.
 *
 * @param since when the window began
 * @param shares of each pod on each card, where exporters tell pods apart
 * @param cards all that is in use of a card, by UUID
 */
public record ObservedMemory(
    Instant since, Map<Share, Observation> shares, Map<String, Observation> cards) {
  /** Nothing was observed. */
  public static final ObservedMemory NONE = new ObservedMemory(Instant.MIN, Map.of(), Map.of());

  public ObservedMemory {
    shares = Map.copyOf(shares);
    cards = Map.copyOf(cards);
  }

  /** A pod's part of a card. */
  public record Share(String namespace, String pod, String card) {}

  /**
   * Mean and standard deviation over the window.
   *
   * @param limitMib that was enforced; empty when none is known
   */
  public record Observation(double meanMib, double deviationMib, Optional<Integer> limitMib) {
    /** The usage within a promise; what lies above it, such as a driver's part, is cut off. */
    MemoryUsage within(int promisedMib) {
      return new MemoryUsage(
          promisedMib,
          Math.clamp(meanMib, 0, promisedMib),
          Math.clamp(deviationMib, 0, promisedMib / 2.0));
    }
  }

  /**
   * A pod that has a part of a card.
   *
   * @param created empty when the pod is not known
   */
  public record Sharer(String namespace, String pod, Optional<Instant> created, int promisedMib) {}

  /**
   * The usage of the shares of a card: each by itself, or, if not all were observed, all of them
   * together if the card was and they were there all the time. Others are unknown.
   */
  public List<MemoryUsage> of(String card, List<Sharer> sharers) {
    var single = new ArrayList<MemoryUsage>();
    boolean isComplete = true;
    for (var sharer : sharers) {
      var observed = observed(card, sharer);
      isComplete &= observed.isPresent();
      single.add(observed.orElseGet(() -> MemoryUsage.unknown(sharer.promisedMib())));
    }
    long promised = sharers.stream().mapToLong(Sharer::promisedMib).sum();
    var together = cards.get(card);
    if (isComplete
        || together == null
        || promised > Integer.MAX_VALUE
        || !sharers.stream().allMatch(this::wasThere)) {
      return single;
    }
    return List.of(together.within((int) promised));
  }

  private Optional<MemoryUsage> observed(String card, Sharer sharer) {
    return Optional.ofNullable(shares.get(new Share(sharer.namespace(), sharer.pod(), card)))
        .filter(it -> wasThere(sharer) && it.limitMib().orElse(0) == sharer.promisedMib())
        .map(it -> it.within(sharer.promisedMib()));
  }

  private boolean wasThere(Sharer sharer) {
    return sharer.created().filter(created -> !created.isAfter(since)).isPresent();
  }
}
