package io.prescale.placement.notice;

import io.prescale.placement.cluster.RequestShape;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A workload that was suspended and waits to go on.
 *
 * @param key names it
 * @param shapes of the pods that it had
 * @param milli what they take of its queue, in thousandths of a card
 * @param since when it was suspended
 */
public record SuspendedWork(
    String key, String queue, List<RequestShape> shapes, long milli, Instant since) {
  static final Comparator<SuspendedWork> ORDER =
      Comparator.comparing(SuspendedWork::since).thenComparing(SuspendedWork::key);

  public SuspendedWork {
    shapes = List.copyOf(shapes);
  }

  /** What it will claim once it goes on. */
  Claimant claim(Set<String> nodes) {
    return new Claimant(key, queue, Set.of(), shapes, milli, Optional.of(nodes), 0, since);
  }
}
