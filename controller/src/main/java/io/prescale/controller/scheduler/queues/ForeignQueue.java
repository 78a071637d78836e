package io.prescale.controller.scheduler.queues;

import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A queue of another system, in thousandths of a card.
 *
 * @param guaranteed of its own
 * @param lent the part of that which others may borrow
 * @param beyond how much more than it is guaranteed it may have; empty for any amount
 * @param weight its part of what others leave, in relation to its siblings
 */
record ForeignQueue(
    String name,
    Optional<String> parent,
    long guaranteed,
    long lent,
    Optional<Long> beyond,
    int weight,
    int priority) {
  ForeignQueue {
    if (guaranteed < 0 || lent < 0 || lent > guaranteed || beyond.orElse(0L) < 0) {
      throw new IllegalArgumentException(
          "queue %s is guaranteed %d, lends %d and takes %s more"
              .formatted(name, guaranteed, lent, beyond));
    }
  }

  /**
   * Queues as entries of one tree. A parent is guaranteed what its children are, besides its own:
   * other systems do not ask that it is written down. A parent that is only named is made.
   */
  static List<QueueEntry> entries(Collection<ForeignQueue> all) {
    var byName = new LinkedHashMap<String, ForeignQueue>();
    all.forEach(queue -> byName.put(queue.name(), queue));
    all.stream()
        .flatMap(queue -> queue.parent().stream())
        .forEach(parent -> byName.computeIfAbsent(parent, ForeignQueue::onlyNamed));
    var children =
        byName.values().stream()
            .filter(queue -> queue.parent().isPresent())
            .collect(Collectors.groupingBy(queue -> queue.parent().orElseThrow()));
    return byName.values().stream().map(queue -> queue.entry(sum(queue, children))).toList();
  }

  private static ForeignQueue onlyNamed(String name) {
    return new ForeignQueue(name, Optional.empty(), 0, 0, Optional.empty(), 1, 0);
  }

  /** Its own and those below; of queues that are above themselves each once. */
  private static long sum(ForeignQueue queue, Map<String, List<ForeignQueue>> children) {
    long sum = 0;
    var seen = new HashSet<String>();
    var next = new ArrayDeque<ForeignQueue>();
    next.add(queue);
    for (var each = next.poll(); each != null; each = next.poll()) {
      if (seen.add(each.name())) {
        sum = Math.min(sum + each.guaranteed(), Quota.UNLIMITED);
        next.addAll(children.getOrDefault(each.name(), List.of()));
      }
    }
    return sum;
  }

  private QueueEntry entry(long guarantee) {
    long limit = beyond.map(more -> guarantee + more).orElse(Quota.UNLIMITED);
    long reserved = Math.min(guaranteed - lent, guarantee);
    return new QueueEntry(
        name,
        parent,
        new Quota(guarantee, reserved, Math.min(limit, Quota.UNLIMITED), weight, priority));
  }
}
