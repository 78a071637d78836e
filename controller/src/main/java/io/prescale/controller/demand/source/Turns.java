package io.prescale.controller.demand.source;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The requests to one server that may be under way at a time. A namespace has at most as many as it
 * leaves free, so that those that hang in one never take the last (the dynamic threshold of
 * Choudhury and Hahne, 1998, for buffers that are shared). Thread-safe.
 */
final class Turns {
  /** The turns at one host and port, apart for reads and for histories. */
  record OfServer(Turns reads, Turns histories) {
    OfServer(SourceSettings settings) {
      this(new Turns(settings.requestsPerServer()), new Turns(settings.historiesPerServer()));
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Map<String, Integer> taken = new HashMap<>();
  private int free;

  /**
   * @param most of all namespaces together; one alone has half of them, rounded up
   */
  Turns(int most) {
    this.free = most;
  }

  /** Whether the namespace got a turn within this time; then {@link #end} must follow. */
  boolean begin(String namespace, Duration longest) throws InterruptedException {
    long nanos = longest.toNanos();
    lock.lockInterruptibly();
    try {
      while (taken.getOrDefault(namespace, 0) >= free) {
        if (nanos <= 0) {
          return false;
        }
        nanos = ended.awaitNanos(nanos);
      }
      taken.merge(namespace, 1, Integer::sum);
      free--;
      return true;
    } finally {
      lock.unlock();
    }
  }

  void end(String namespace) {
    lock.lock();
    try {
      taken.computeIfPresent(namespace, (_, count) -> count == 1 ? null : count - 1);
      free++;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean areAllFree() {
    lock.lock();
    try {
      return taken.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
