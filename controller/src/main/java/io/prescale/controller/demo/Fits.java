package io.prescale.controller.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Fits models in the background, and tracks their age in simulated time: a second is eight minutes
 * of a day that passes in three minutes. Thread-safe.
 */
public final class Fits implements Executor, AutoCloseable {
  /** In a cluster a fit would be there at the next tick, or the one after. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final ExecutorService threads;
  private final ArrayDeque<Instant> asked = new ArrayDeque<>();
  private Instant now = Instant.MIN;

  /**
   * @param atATime how many fits run at once; leave a processor for the browser
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

  /** Runs a fit for which time never waits. */
  void background(Runnable fit) {
    threads.execute(fit);
  }

  private synchronized void done(Instant begun) {
    asked.removeFirstOccurrence(begun);
  }

  /** Sets the simulated time. */
  synchronized void passed(Instant newNow) {
    now = newNow;
  }

  /** Whether time should wait for a fit. */
  synchronized boolean areLate() {
    return asked.stream().anyMatch(begun -> begun.plus(PATIENCE).isBefore(now));
  }

  /** Cancels running fits. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
