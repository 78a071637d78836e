package io.prescale.controller.cli.terminal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and SIGTERM into an interrupt of the working thread, and gives it time to tidy up.
 * The JVM then exits with 128 plus the signal's number: 130 after Ctrl-C.
 */
public final class StopSignal implements AutoCloseable {
  private static final Duration TIME_TO_STOP = Duration.ofSeconds(2);

  private final Thread hook;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * Begins to listen.
   *
   * @param worker what to interrupt
   * @param tidyUp runs after the worker has stopped, or has been given up
   */
  public StopSignal(Thread worker, Runnable tidyUp) {
    this.hook =
        new Thread(
            () -> {
              worker.interrupt();
              awaitWorker();
              tidyUp.run();
            },
            "stop-signal");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** The work is done: from here on signals end the process at once. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The signal was there first, and the hook runs.
    }
  }

  private void awaitWorker() {
    try {
      if (!stopped.await(TIME_TO_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
