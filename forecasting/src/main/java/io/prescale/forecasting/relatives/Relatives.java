package io.prescale.forecasting.relatives;

import io.prescale.forecasting.TimeSeries;
import java.util.Comparator;
import java.util.List;

/** The services that a new one may learn from. */
public record Relatives(List<Relative> all) {
  private static final Relatives NONE = new Relatives(List.of());

  public Relatives {
    all = List.copyOf(all);
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
   * of equals. All of them where there are no more. O(steps + relatives · log relatives).
   */
  public Relatives nearest(TimeSeries own, int most) {
    record Candidate(Relative relative, double distance) {}
    var shape = DemandShape.of(own);
    return new Relatives(
        all.stream()
            .map(it -> new Candidate(it, shape.distance(it.shape())))
            .sorted(Comparator.comparingDouble(Candidate::distance))
            .limit(most)
            .map(Candidate::relative)
            .toList());
  }

  /** Those whose steps are as long as {@code own}'s. */
  public Relatives ofStep(TimeSeries own) {
    return new Relatives(all.stream().filter(it -> it.step().equals(own.step())).toList());
  }
}
