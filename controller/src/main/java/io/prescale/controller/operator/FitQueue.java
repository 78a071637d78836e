package io.prescale.controller.operator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Runs fits of models on a few threads, taking turns between namespaces, so that a tenant with many
 * targets does not make others wait for all of them. Thread-safe.
 */
final class FitQueue implements AutoCloseable {
  private final ExecutorService threads;

  /** The fits that wait, by namespace; the namespace whose turn is next comes first. */
  private final Map<String, Deque<Waiting>> waiting = new LinkedHashMap<>();

  /** Fits of one target, of which at most a few wait: one for each metric. */
  private record Waiting(String target, Runnable fit) {}

  /**
   * @param atATime fits are arithmetic: with more threads than this, ticks wait for processors
   */
  FitQueue(int atATime) {
    threads =
        Executors.newFixedThreadPool(
            atATime, Thread.ofPlatform().daemon().name("fits-", 0).factory());
  }

  /** Where the fits of one target are run. */
  Executor of(String namespace, String target) {
    return fit -> add(namespace, new Waiting(target, fit));
  }

  private void add(String namespace, Waiting fit) {
    synchronized (waiting) {
      waiting.computeIfAbsent(namespace, _ -> new ArrayDeque<>()).add(fit);
    }
    threads.execute(this::runNext);
  }

  private void runNext() {
    var next = next();
    if (next != null) { // it may have been dropped
      next.fit().run();
    }
  }

  /** Takes a fit of the namespace whose turn it is, which comes last then. */
  private @Nullable Waiting next() {
    synchronized (waiting) {
      var turns = waiting.entrySet().iterator();
      if (!turns.hasNext()) {
        return null;
      }
      var turn = turns.next();
      turns.remove();
      var fit = turn.getValue().remove();
      if (!turn.getValue().isEmpty()) {
        waiting.put(turn.getKey(), turn.getValue());
      }
      return fit;
    }
  }

  /** Drops the fits of a target that wait, because its spec was edited or it is gone. */
  void drop(String target) {
    synchronized (waiting) {
      waiting.values().forEach(fits -> fits.removeIf(fit -> fit.target().equals(target)));
      waiting.values().removeIf(Deque::isEmpty);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
