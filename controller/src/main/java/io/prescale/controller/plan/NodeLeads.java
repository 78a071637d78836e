package io.prescale.controller.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long it took from asking an autoscaler for nodes until one had its cards, the newest last.
 */
public record NodeLeads(List<Duration> measured) {
  /** How many are remembered. */
  public static final int REMEMBERED = 10;

  /** What takes longer has waited for something else, such as a quota of the cloud. */
  public static final Duration LONGEST = Duration.ofHours(2);

  private static final double SHARE = 0.9;

  /** Those that make no sense are left out, and of too many the oldest. */
  public NodeLeads {
    var sensible =
        measured.stream().filter(it -> it.isPositive() && it.compareTo(LONGEST) <= 0).toList();
    measured =
        List.copyOf(sensible.subList(Math.max(0, sensible.size() - REMEMBERED), sensible.size()));
  }

  /** With another one. */
  public NodeLeads with(Duration took) {
    var all = new ArrayList<>(measured);
    all.add(took);
    return new NodeLeads(all);
  }

  /**
   * How long the next one is expected to take: the 90th percentile (nearest rank).
   *
   * @param usual while none was measured
   */
  public Duration expected(Duration usual) {
    if (measured.isEmpty()) {
      return usual;
    }
    int rank = (int) Math.ceil(SHARE * measured.size());
    return measured.stream().sorted().toList().get(rank - 1);
  }
}
