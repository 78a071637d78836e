package io.prescale.controller.scheduler.extender;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A round that is due a second after the last one has ended, and at once when there is news, but
 * never before as much time has passed as the last one took, nor before a fifth of a second: a
 * storm of news takes half of a thread at most. Looked at often, by one thread.
 */
final class PromptRound implements Runnable {
  /** Between two looks. */
  static final Duration LOOK = Duration.ofMillis(50);

  private static final long REGULAR_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LEAST_NANOS = Duration.ofMillis(200).toNanos();

  private final Runnable round;
  private final LongSupplier news;
  private final LongSupplier nanoTime;
  private long known;
  private long ended;
  private long took;

  /**
   * A round that is due in a second.
   *
   * @param news a number that changes when the round should not wait
   * @param nanoTime a clock that never goes back
   */
  PromptRound(Runnable round, LongSupplier news, LongSupplier nanoTime) {
    this.round = round;
    this.news = news;
    this.nanoTime = nanoTime;
    known = news.getAsLong();
    ended = nanoTime.getAsLong();
  }

  /** Runs the round if it is due. */
  @Override
  public void run() {
    long begun = nanoTime.getAsLong();
    long since = begun - ended;
    // Read before the round, so that what happens meanwhile is news to the next one.
    long now = news.getAsLong();
    boolean isPrompt = now != known && since >= Math.max(LEAST_NANOS, took);
    if (!isPrompt && since < Math.max(REGULAR_NANOS, took)) {
      return;
    }
    known = now;
    try {
      round.run();
    } finally {
      ended = nanoTime.getAsLong();
      took = ended - begun;
    }
  }
}
