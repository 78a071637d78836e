package io.prescale.controller.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Fits models in the background, and knows since when the oldest of them is waited for in simulated
 * time: what takes a second takes eight minutes of a day that passes in three. Thread-safe.
 */
public final class Fits implements Executor, AutoCloseable {
  /** In a cluster a fit would be there at the next tick, or the one after. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final ExecutorService threads;
  private final ArrayDeque<Instant> asked = new ArrayDeque<>();
  private Instant now = Instant.MIN;

  /**
   * @param atATime fits; they are arithmetic, and whoever looks at the page wants a processor too
   */
  public Fits(int atATime) {
    threads =
        Executors.newFixedThreadPool(
            atATime, Thread.ofPlatform().daemon().name("fits-", 0).factory());
  }

  @Override
  public synchronized void execute(Runnable fit) {
    Instant begun = now;
    asked.addLast(begun);
    threads.execute(
        () -> {
          try {
            fit.run();
          } finally {
            done(begun);
          }
        });
  }

  private synchronized void done(Instant begun) {
    asked.removeFirstOccurrence(begun);
  }

  /** Simulated time has come so far. */
  synchronized void passed(Instant newNow) {
    now = newNow;
  }

  /** Whether time had better wait. */
  synchronized boolean areLate() {
    return asked.stream().anyMatch(begun -> begun.plus(PATIENCE).isBefore(now));
  }

  /** Breaks off what is under way. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
