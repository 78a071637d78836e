package io.prescale.placement.notice;

import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.queue.QueueTree;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A workload that was suspended and waits to go on.
 *
 * @param key names it
 * @param milli what its pods take of their queues, in thousandths of a card; empty if not known
 * @param shapes of the pods that it had
 * @param since when it was suspended
 */
public record SuspendedWork(
    String key, Map<String, Long> milli, List<RequestShape> shapes, Instant since) {
  static final Comparator<SuspendedWork> ORDER =
      Comparator.comparing(SuspendedWork::since).thenComparing(SuspendedWork::key);

  public SuspendedWork {
    milli = Map.copyOf(milli);
    shapes = List.copyOf(shapes);
  }

  /** The queue that pays for most of it; empty if none is known. */
  public String queue() {
    return milli.entrySet().stream()
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  /** What all its pods take, in thousandths of a card. */
  long total() {
    return milli.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether all queues that pay for it, and there are some, can hold work. */
  boolean isOf(QueueTree tree) {
    return !milli.isEmpty() && milli.keySet().stream().allMatch(tree::isLeaf);
  }

  /** What it will claim once it goes on. */
  Claimant claim(Set<String> nodes) {
    return new Claimant(key, queue(), Set.of(), shapes, total(), Optional.of(nodes), 0, since);
  }
}
