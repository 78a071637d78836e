package io.prescale.controller.operator;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/**
 * Runs fits of models on a few threads, each for the namespace that has had the least time, so that
 * a tenant with many targets, or with costly ones, takes no more from others than its share.
 * Thread-safe.
 *
 * <p>Source: start-time fair queueing (Goyal, Vin and Cheng, 1996), with the time that fits took.
 */
final class FitQueue implements AutoCloseable {
  private final ExecutorService threads;
  private final LongSupplier nanoTime;

  /** The fits that wait, by namespace. */
  private final Map<String, Deque<Waiting>> waiting = new LinkedHashMap<>();

  /** The time that namespaces have had whose fits run, or that have had more than others. */
  private final Map<String, Long> had = new HashMap<>();

  /** How many fits of namespaces run. */
  private final Map<String, Integer> running = new HashMap<>();

  /** What the namespace had whose fit was taken last: one that begins to wait counts from there. */
  private long virtualTime;

  /** Fits of one target, of which at most a few wait: one for each metric. */
  private record Waiting(String target, Runnable fit) {}

  private record Turn(String namespace, Runnable fit) {}

  /**
   * @param atATime fits are arithmetic: with more threads than this, ticks wait for processors
   */
  FitQueue(int atATime) {
    this(atATime, System::nanoTime);
  }

  /** The same by a clock. */
  FitQueue(int atATime, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
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
    if (next.isEmpty()) { // it may have been dropped
      return;
    }
    long began = nanoTime.getAsLong();
    try {
      next.get().fit().run();
    } finally {
      charge(next.get(), nanoTime.getAsLong() - began);
    }
  }

  /** Takes a fit of the namespace that has had the least time; of equals, of the first to wait. */
  private Optional<Turn> next() {
    synchronized (waiting) {
      return waiting.keySet().stream().min(Comparator.comparingLong(this::hadBy)).map(this::take);
    }
  }

  private long hadBy(String namespace) {
    return Math.max(virtualTime, had.getOrDefault(namespace, 0L));
  }

  private Turn take(String namespace) {
    virtualTime = hadBy(namespace);
    had.entrySet()
        .removeIf(it -> it.getValue() <= virtualTime && !running.containsKey(it.getKey()));
    had.put(namespace, virtualTime);
    running.merge(namespace, 1, Integer::sum);
    var fits = Objects.requireNonNull(waiting.remove(namespace));
    var fit = fits.remove().fit();
    if (!fits.isEmpty()) {
      waiting.put(namespace, fits); // behind its equals
    }
    return new Turn(namespace, fit);
  }

  private void charge(Turn turn, long nanos) {
    synchronized (waiting) {
      had.merge(turn.namespace(), nanos, Long::sum);
      running.computeIfPresent(turn.namespace(), (_, fits) -> fits == 1 ? null : fits - 1);
      if (running.isEmpty() && waiting.isEmpty()) { // no debt outlives a pause
        had.clear();
      }
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
