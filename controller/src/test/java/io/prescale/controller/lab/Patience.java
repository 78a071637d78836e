package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionFactory;

/**
 * How the tests wait for what a real control plane does in its own time.
 *
 * <p>Whatever cannot be read yet, be it for a server that starts or for a field that is not
 * written, is read again; a test ends with the last such failure when its patience does.
 */
final class Patience {
  /** Several syncs of the HPA controller, several ticks: whoever would act has acted. */
  private static final Duration A_WHILE = Duration.ofSeconds(12);

  private Patience() {}

  /** Long enough for every step of every test on a machine that is busy with another one. */
  static ConditionFactory patiently() {
    return await()
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofMillis(250))
        .ignoreExceptions();
  }

  /** That a value is no other for a while. */
  static void stays(Callable<Integer> value, int expected) throws InterruptedException {
    long end = System.nanoTime() + A_WHILE.toNanos();
    while (System.nanoTime() < end) {
      assertThat(patiently().until(value, Objects::nonNull)).isEqualTo(expected);
      Thread.sleep(500);
    }
  }
}
