package io.prescale.placement.queue;

import java.util.List;

/**
 * A queue and the children that divide its amount; only a queue without children holds work.
 *
 * @param pool of a queue without a parent; its children divide cards of the same
 */
public record Queue(String name, Quota quota, List<Queue> children, CardPool pool) {
  public Queue {
    children = List.copyOf(children);
    if (children.stream().anyMatch(child -> !child.pool.equals(CardPool.REST))) {
      throw new IllegalArgumentException(
          "a child of queue %s names models; name them in the topmost queue".formatted(name));
    }
    if (name.isBlank()) {
      throw new IllegalArgumentException("a queue has no name; give one");
    }
    long promised = children.stream().mapToLong(child -> child.quota.guaranteed()).sum();
    if (promised > quota.guaranteed()) {
      throw new IllegalArgumentException(
          "queue %s guarantees its children %d milli-GPU but has only %d guaranteed itself; raise its own"
              .formatted(name, promised, quota.guaranteed()));
    }
  }

  /** A queue of cards that are in no pool of their own. */
  public Queue(String name, Quota quota, List<Queue> children) {
    this(name, quota, children, CardPool.REST);
  }

  public static Queue leaf(String name, Quota quota) {
    return new Queue(name, quota, List.of());
  }

  public static Queue group(String name, Quota quota, Queue... children) {
    return new Queue(name, quota, List.of(children));
  }
}
