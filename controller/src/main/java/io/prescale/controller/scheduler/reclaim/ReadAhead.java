package io.prescale.controller.scheduler.reclaim;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What is read of the API server while rounds go on, since a claim waits for each request of a
 * round, and as long again for the next one. For one thread, which alone sees what was read.
 */
final class ReadAhead<T> {
  private final Executor reader;
  private Optional<CompletableFuture<T>> underWay = Optional.empty();

  /**
   * Nothing is being read.
   *
   * @param reader runs the readings
   */
  ReadAhead(Executor reader) {
    this.reader = reader;
  }

  /** Whether what was begun has not been taken yet. */
  boolean isUnderWay() {
    return underWay.isPresent();
  }

  /** Begins to read, when nothing is under way. */
  void begin(Supplier<T> reading) {
    underWay = Optional.of(CompletableFuture.supplyAsync(reading, reader));
  }

  /** What was read, once. */
  Optional<T> take() {
    var done = underWay.filter(CompletableFuture::isDone);
    if (done.isPresent()) {
      underWay = Optional.empty();
    }
    return done.map(CompletableFuture::join);
  }
}
