package io.prescale.controller.fairness;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The requests to one server that may be under way at a time, and those that wait for a place:
 * first come, first served within a namespace, while namespaces take turns. A namespace has at most
 * as many places as it leaves free, so that requests that hang in one never take the last (the
 * dynamic threshold of Choudhury and Hahne, 1998, for buffers that are shared). Thread-safe.
 *
 * @param <T> what waits
 */
public final class FairPlaces<T> {
  /** What waits, by namespace; the one whose turn is next comes first. */
  private final Map<String, Deque<T>> waiting = new LinkedHashMap<>();

  private final Map<String, Integer> taken = new HashMap<>();
  private int free;

  /**
   * @param most of all namespaces together; one alone has half of them, rounded up
   */
  public FairPlaces(int most) {
    this.free = most;
  }

  /** Lets something wait for its {@link #next turn}. */
  public synchronized void await(String namespace, T request) {
    waiting.computeIfAbsent(namespace, _ -> new ArrayDeque<>()).add(request);
  }

  /** Whether it still waited, and so will get no place. */
  public synchronized boolean withdraw(String namespace, T request) {
    var ofIt = waiting.get(namespace);
    if (ofIt == null || !ofIt.remove(request)) {
      return false;
    }
    if (ofIt.isEmpty()) {
      waiting.remove(namespace);
    }
    return true;
  }

  /** Gives the next that waits a place, which {@link #end} frees; empty if none may have one. */
  public synchronized Optional<T> next() {
    var turn = waiting.keySet().stream().filter(it -> taken.getOrDefault(it, 0) < free).findFirst();
    return turn.map(this::take);
  }

  /** The first of a namespace, which comes last then. */
  private T take(String namespace) {
    taken.merge(namespace, 1, Integer::sum);
    free--;
    var ofIt = Objects.requireNonNull(waiting.remove(namespace), "a namespace that waits");
    var next = ofIt.remove();
    if (!ofIt.isEmpty()) {
      waiting.put(namespace, ofIt);
    }
    return next;
  }

  /** Frees a place of a namespace. */
  public synchronized void end(String namespace) {
    taken.computeIfPresent(namespace, (_, count) -> count == 1 ? null : count - 1);
    free++;
  }

  /** Whether no place is taken. */
  public synchronized boolean areAllFree() {
    return taken.isEmpty();
  }
}
