package io.prescale.placement.ledger;

import static java.util.stream.Collectors.toSet;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.queue.CardPool;
import io.prescale.placement.queue.QueueTree;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The queue of each pod, and the models whose cards it may have. Not thread-safe. */
final class PodQueues {
  private final Map<String, String> named = new HashMap<>();
  private Optional<QueueTree> tree = Optional.empty();

  /** The queues in force, if there are any. */
  Optional<QueueTree> tree() {
    return tree;
  }

  /** Replaces the queues. */
  void replace(Optional<QueueTree> now) {
    tree = now;
  }

  /** As {@link Ledger#queueNamed}; returns whether anything has changed. */
  boolean named(String name, Optional<String> queue) {
    var before = Optional.ofNullable(named.get(name));
    queue.ifPresentOrElse(given -> named.put(name, given), () -> named.remove(name));
    return !before.equals(queue);
  }

  /** The name of a pod's queue, whether there is such a queue or not. */
  String queueOf(PodFacts pod) {
    var name = pod.queueOr(Optional.ofNullable(named.get(pod.namespace())));
    return name.indexOf('/') < 0 ? name : named.getOrDefault(name, name);
  }

  /** Whether there is a queue of this name that can hold work. */
  boolean isInForce(String queue) {
    return tree.filter(known -> known.isLeaf(queue)).isPresent();
  }

  /** The queue that pays for a pod; without queues the default one, which pays for all. */
  String payerOf(PodFacts pod) {
    return tree.isEmpty() ? PodFacts.DEFAULT_QUEUE : queueOf(pod);
  }

  /**
   * Where a pod stands in line: with its queue, if that can hold work; without queues all pods
   * stand in one line.
   */
  Optional<String> lineOf(PodFacts pod) {
    return tree.isEmpty() ? Optional.of("") : Optional.of(queueOf(pod)).filter(this::isInForce);
  }

  /** Of some models those whose cards a pod may have by its queue; empty if it may have any. */
  Optional<Set<String>> permitted(PodFacts pod, Set<String> models) {
    return tree.filter(QueueTree::hasPools)
        .map(
            known -> {
              var pool = poolOf(pod, known);
              return Stream.concat(models.stream(), Stream.of(CardAmounts.COUNTED))
                  .filter(model -> known.poolOfModel(model).equals(pool))
                  .collect(toSet());
            });
  }

  private CardPool poolOf(PodFacts pod, QueueTree known) {
    var queue = queueOf(pod);
    return known.isLeaf(queue) ? known.poolOf(queue) : CardPool.REST;
  }
}
