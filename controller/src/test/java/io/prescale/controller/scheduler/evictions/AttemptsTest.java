package io.prescale.controller.scheduler.evictions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is repeated and counted, and what pods wish for. */
class AttemptsTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

  @ParameterizedTest
  @CsvSource({"90s, PT90S", "5m, PT5M", "0s, PT0S", "2h, PT2H", "-5m,", "1d,", "99999999s,", "x,"})
  void aWishIsADurationOrNone(String text, @Nullable Duration wish) {
    assertThat(PodWishes.duration(text)).isEqualTo(Optional.ofNullable(wish));
  }

  @Test
  void attemptsAreSpacedUpToAMinute() {
    var retries = new Retries(Duration.ofSeconds(1), Duration.ofMinutes(1));
    for (int attempt = 0; attempt < 10; attempt++) {
      retries.tried("p", NOW);
    }
    assertThat(retries.isDue("p", NOW.plusSeconds(59))).isFalse();
    assertThat(retries.isDue("p", NOW.plusSeconds(60))).isTrue();
  }

  @Test
  void whatFailsIsTriedAgainLater() {
    var attempts = new Attempts("a test");
    var tried = new AtomicInteger();

    assertThat(
            attempts.attempt(
                "p",
                NOW,
                () -> {
                  tried.incrementAndGet();
                  throw new KubernetesClientException("no");
                }))
        .isFalse();
    assertThat(attempts.attempt("p", NOW, tried::incrementAndGet)).isFalse();
    assertThat(attempts.attempt("other", NOW, () -> {})).isTrue();
    assertThat(attempts.attempt("p", NOW.plusSeconds(1), tried::incrementAndGet)).isTrue();
    assertThat(tried).hasValue(2);
  }

  @Test
  void aPodIsCountedOnceForAnHour() {
    var hour = new WithinTheHour();

    assertThat(hour.add("p", NOW)).isTrue();
    assertThat(hour.add("p", NOW.plusSeconds(5))).isFalse();
    assertThat(hour.count(NOW.plusSeconds(3600))).isEqualTo(1);
    assertThat(hour.count(NOW.plusSeconds(3601))).isZero();
  }
}
