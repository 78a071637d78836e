package io.prescale.placement.overcommit;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The memory that pods were seen to use in a window of time that ends now. Only pods that were
 * there before the window began count: what a younger one needs at other hours is not known yet.
 *
 * @param since when the window began
 * @param shares of each pod on each card, observed for the whole window
 */
public record ObservedMemory(Instant since, Map<Share, Observation> shares) {
  /** Nothing was observed. */
  public static final ObservedMemory NONE = new ObservedMemory(Instant.MIN, Map.of());

  public ObservedMemory {
    shares = Map.copyOf(shares);
  }

  /** A pod's part of a card. */
  public record Share(String namespace, String pod, String card) {}

  /**
   * Mean and standard deviation over the window.
   *
   * @param limitMib that was enforced
   */
  public record Observation(double meanMib, double deviationMib, int limitMib) {
    /** The usage within a promise; what lies above it is cut off. */
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
   * @param created when a pod of this name was made; an earlier one of the name was another
   */
  public record Sharer(String namespace, String pod, Instant created, int promisedMib) {}

  /** The usage of each sharer of a card; unknown for those that were not observed all the time. */
  public List<MemoryUsage> of(String card, List<Sharer> sharers) {
    return sharers.stream()
        .map(
            sharer ->
                observed(card, sharer).orElseGet(() -> MemoryUsage.unknown(sharer.promisedMib())))
        .toList();
  }

  private Optional<MemoryUsage> observed(String card, Sharer sharer) {
    return Optional.ofNullable(shares.get(new Share(sharer.namespace(), sharer.pod(), card)))
        .filter(it -> !sharer.created().isAfter(since) && it.limitMib() == sharer.promisedMib())
        .map(it -> it.within(sharer.promisedMib()));
  }
}
