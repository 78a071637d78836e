package io.prescale.forecasting.relatives;

import io.prescale.forecasting.TimeSeries;
import java.util.Comparator;
import java.util.List;

/**
 * The services that a new one may learn from.
 *
 * @param all of them, the predecessor too
 * @param predecessor the metrics of the service that the new one replaces; empty where none is
 *     known
 */
public record Relatives(List<Relative> all, List<Relative> predecessor) {
  private static final Relatives NONE = new Relatives(List.of());

  public Relatives {
    all = List.copyOf(all);
    predecessor = List.copyOf(predecessor);
    if (!all.containsAll(predecessor)) {
      throw new IllegalArgumentException("a predecessor is one of all relatives");
    }
  }

  /** Relatives without a predecessor among them. */
  public Relatives(List<Relative> all) {
    this(all, List.of());
  }

  /** No service. */
  public static Relatives none() {
    return NONE;
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  public int size() {
    return all.size();
  }

  /**
   * Those whose demand has been the most like {@code own} at the same times of the week; the first
   * of equals. All of them where there are no more; where a predecessor is known, only the nearest
   * of its metrics. O(steps + relatives · log relatives).
   */
  public List<Relative> nearest(TimeSeries own, int most) {
    record Candidate(Relative relative, double distance) {}
    var shape = DemandShape.of(own);
    return (predecessor.isEmpty() ? all : predecessor)
        .stream()
            .map(it -> new Candidate(it, shape.distance(it.shape())))
            .sorted(Comparator.comparingDouble(Candidate::distance))
            .limit(predecessor.isEmpty() ? most : 1)
            .map(Candidate::relative)
            .toList();
  }

  /** Those whose steps are as long as {@code own}'s. */
  public Relatives ofStep(TimeSeries own) {
    return new Relatives(ofStep(all, own), ofStep(predecessor, own));
  }

  private static List<Relative> ofStep(List<Relative> relatives, TimeSeries own) {
    return relatives.stream().filter(it -> it.step().equals(own.step())).toList();
  }
}
