package io.prescale.controller.scheduler.extender;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiServerFaults;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tasks that the extender repeats, on four threads; one that fails is tried again next time. */
final class Rounds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

  private final InstantSource clock;
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(
          4, Thread.ofPlatform().name("extender-upkeep-", 0).daemon().factory());

  Rounds(InstantSource clock) {
    this.clock = clock;
  }

  /** Runs a task again and again; it is always due. */
  void every(String what, Duration pause, Runnable task) {
    every(what, pause, () -> true, task);
  }

  /**
   * Runs a task again and again while it is due, with a pause from its end to the next time.
   *
   * @param what it does, such as "moves pods"
   */
  void every(String what, Duration pause, BooleanSupplier isDue, Runnable task) {
    long millis = pause.toMillis();
    var round = "The extender's round that " + what;
    var faults = new ApiServerFaults(round + " fails", round + " succeeds again");
    Runnable whileDue =
        () -> {
          if (isDue.getAsBoolean()) {
            withoutFailing(task, faults);
          }
        };
    var _ = threads.scheduleWithFixedDelay(whileDue, millis, millis, MILLISECONDS);
  }

  private void withoutFailing(Runnable task, ApiServerFaults faults) {
    try {
      task.run();
      faults.succeeded(clock.instant()).ifPresent(LOG::info);
    } catch (KubernetesClientException e) {
      faults.failed(e, clock.instant()).ifPresent(LOG::warn);
    } catch (RuntimeException e) {
      LOG.error("A round of the extender failed; the next one tries again.", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
