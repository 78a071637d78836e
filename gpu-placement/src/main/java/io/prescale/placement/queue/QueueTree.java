package io.prescale.placement.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * All queues of a cluster. Immutable.
 *
 * <p>Inside the package queues are numbered, a parent before its children.
 */
public final class QueueTree {
  static final int NO_PARENT = -1;

  private final List<Queue> queues = new ArrayList<>();
  private final List<Integer> parents = new ArrayList<>();

  /** Of each queue: that of the topmost above it. */
  private final List<CardPool> pools = new ArrayList<>();

  /** Those of them that name models, in the order of the tree. */
  private final Set<CardPool> named = new LinkedHashSet<>();

  /** First the top-level queues, then the children of each queue. */
  private final List<List<Integer>> children = new ArrayList<>();

  private final Map<String, Integer> numbers = new HashMap<>();

  private QueueTree() {}

  /**
   * A tree of the given top-level queues.
   *
   * @throws IllegalArgumentException when two queues have one name, or the guaranteed amounts add
   *     up to more than a million GPUs
   */
  public static QueueTree of(List<Queue> topLevel) {
    long promised = topLevel.stream().mapToLong(queue -> queue.quota().guaranteed()).sum();
    if (promised > Quota.UNLIMITED) {
      throw new IllegalArgumentException(
          "the queues guarantee %d milli-GPU in sum; give at most %d"
              .formatted(promised, Quota.UNLIMITED));
    }
    QueueTree tree = new QueueTree();
    tree.children.add(new ArrayList<>());
    topLevel.forEach(queue -> tree.add(queue, NO_PARENT));
    return tree;
  }

  /**
   * A tree of entries, which name their parents.
   *
   * @throws IllegalArgumentException as {@link #of}, and when guaranteed amounts exceed a parent's
   */
  public static QueueTree ofEntries(Collection<QueueEntry> entries) {
    var byParent = entries.stream().collect(Collectors.groupingBy(QueueEntry::parent));
    return of(children(Optional.empty(), byParent));
  }

  private static List<Queue> children(
      Optional<String> parent, Map<Optional<String>, List<QueueEntry>> byParent) {
    return byParent.getOrDefault(parent, List.of()).stream()
        .map(
            entry ->
                new Queue(
                    entry.name(),
                    entry.quota(),
                    children(Optional.of(entry.name()), byParent),
                    entry.pool()))
        .toList();
  }

  private void add(Queue queue, int parent) {
    int number = queues.size();
    if (numbers.putIfAbsent(queue.name(), number) != null) {
      throw new IllegalArgumentException(
          "two queues are named %s; give each its own name".formatted(queue.name()));
    }
    queues.add(queue);
    parents.add(parent);
    pools.add(parent == NO_PARENT ? queue.pool() : pools.get(parent));
    if (!queue.pool().models().isEmpty()) {
      named.add(queue.pool());
    }
    children.get(parent + 1).add(number);
    children.add(new ArrayList<>());
    queue.children().forEach(child -> add(child, number));
  }

  public List<Queue> queues() {
    return List.copyOf(queues);
  }

  /** Whether a queue of this name can hold work. */
  public boolean isLeaf(String name) {
    Integer number = numbers.get(name);
    return number != null && isLeaf(number);
  }

  /** A queue and those above it, up to the top. */
  public List<String> upwardsFrom(String name) {
    List<String> names = new ArrayList<>();
    for (int q = numberOf(name); q != NO_PARENT; q = parent(q)) {
      names.add(name(q));
    }
    return names;
  }

  /** The pool whose cards a queue has. */
  public CardPool poolOf(String queue) {
    return pool(numberOf(queue));
  }

  /** The pool that names the longest part of a model; of equals the first in the tree. */
  public CardPool poolOfModel(String model) {
    var found = CardPool.REST;
    int longest = 0;
    for (var pool : named) {
      int match = pool.matchOf(model);
      if (match > longest) {
        found = pool;
        longest = match;
      }
    }
    return found;
  }

  /** Whether there are pools, so that not every queue may have every card. */
  public boolean hasPools() {
    return !named.isEmpty();
  }

  /** What pools have of cards, given by model. */
  public Map<CardPool, Long> capacity(Map<String, Long> byModel) {
    var capacity = new HashMap<CardPool, Long>();
    byModel.forEach(
        (model, milli) ->
            capacity.merge(
                poolOfModel(model),
                Math.min(milli, Quota.UNLIMITED),
                (a, b) -> Math.min(a + b, Quota.UNLIMITED)));
    return capacity;
  }

  int size() {
    return queues.size();
  }

  Quota quota(int number) {
    return queues.get(number).quota();
  }

  String name(int number) {
    return queues.get(number).name();
  }

  int parent(int number) {
    return parents.get(number);
  }

  CardPool pool(int number) {
    return pools.get(number);
  }

  boolean isLeaf(int number) {
    return queues.get(number).children().isEmpty();
  }

  /** The children of a queue, or the top-level queues. */
  int[] childrenOf(int parent) {
    return children.get(parent + 1).stream().mapToInt(Integer::intValue).toArray();
  }

  /** The queues that divide the same with a queue: it, and those beside it. */
  int[] familyOf(int number) {
    int parent = parent(number);
    return parent == NO_PARENT ? topOf(pool(number)) : childrenOf(parent);
  }

  /** The queues without a parent that divide a pool. */
  int[] topOf(CardPool pool) {
    return IntStream.of(childrenOf(NO_PARENT)).filter(top -> pool(top).equals(pool)).toArray();
  }

  int numberOf(String name) {
    Integer number = numbers.get(name);
    if (number == null) {
      throw new IllegalArgumentException(
          "there is no queue %s; there are %s"
              .formatted(name, numbers.keySet().stream().sorted().toList()));
    }
    return number;
  }

  int leafNumberOf(String name) {
    int number = numberOf(name);
    if (!isLeaf(number)) {
      throw new IllegalArgumentException(
          "queue %s has children; only queues without hold work".formatted(name));
    }
    return number;
  }

  /** Amounts of queues without children, added up to the top. */
  long[] totals(Map<String, Long> amounts) {
    long[] totals = new long[size()];
    amounts.forEach(
        (name, milli) -> {
          if (milli < 0 || milli > Quota.UNLIMITED) {
            throw new IllegalArgumentException(
                "%d milli-GPU for queue %s; give 0 to %d".formatted(milli, name, Quota.UNLIMITED));
          }
          totals[leafNumberOf(name)] = milli;
        });
    for (int number = size() - 1; number >= 0; number--) {
      if (parent(number) != NO_PARENT) {
        totals[parent(number)] += totals[number];
      }
      if (totals[number] > Quota.UNLIMITED) {
        throw new IllegalArgumentException(
            "%d milli-GPU below queue %s; give at most %d"
                .formatted(totals[number], name(number), Quota.UNLIMITED));
      }
    }
    return totals;
  }
}
