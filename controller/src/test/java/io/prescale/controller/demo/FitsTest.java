package io.prescale.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class FitsTest {
  private static final Instant NOON = Instant.parse("2026-01-19T12:00:00Z");

  @Test
  void areLateWhenTheOldestIsWaitedForLongerThanTenMinutes() {
    try (var fits = new Fits(1)) {
      var end = new CountDownLatch(1);
      fits.passed(NOON);
      fits.execute(() -> await(end));
      fits.passed(NOON.plus(Duration.ofMinutes(10)));
      assertThat(fits.areLate()).isFalse();

      fits.execute(() -> {});
      fits.passed(NOON.plus(Duration.ofMinutes(11)));
      assertThat(fits.areLate()).isTrue();

      end.countDown();
      Awaitility.await().until(() -> !fits.areLate());
    }
  }

  @Test
  void aFitThatFailsIsWaitedForNoLonger() {
    try (var fits = new Fits(1)) {
      fits.passed(NOON);
      fits.execute(
          () -> {
            throw new IllegalStateException("as a test wants it");
          });
      fits.passed(NOON.plus(Duration.ofHours(1)));

      Awaitility.with().dontCatchUncaughtExceptions().await().until(() -> !fits.areLate());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
