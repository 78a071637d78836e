package io.prescale.controller.cli.terminal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts the working thread on Ctrl-C and SIGTERM, and gives it time to clean up. The JVM then
 * exits with 128 plus the signal's number: 130 after Ctrl-C.
 */
public final class StopSignal implements AutoCloseable {
  private final Thread hook;
  private final Duration timeToStop;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * Installs the handler.
   *
   * @param worker the thread to interrupt
   * @param timeToStop the longest that it is waited for
   * @param tidyUp runs after the worker has stopped, or has not stopped in time
   */
  public StopSignal(Thread worker, Duration timeToStop, Runnable tidyUp) {
    this.timeToStop = timeToStop;
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

  /** Removes the handler: signals now end the process at once. */
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
      if (!stopped.await(timeToStop.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
