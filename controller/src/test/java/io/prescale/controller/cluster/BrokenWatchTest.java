package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.ProgramLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the log has of a watch that cannot be had. */
@Timeout(120)
class BrokenWatchTest {
  @Test
  void aFaultIsOneLineWhenItBeginsOneWhenItChangesAndOneWhenItEnds() {
    var watching = new AtomicBoolean();
    var log = new CopyOnWriteArrayList<String>();
    var broken = new BrokenWatch("nodes", () -> true, watching::get, log::add);

    for (int attempt = 0; attempt < 100; attempt++) {
      assertThat(broken.retryAfterException(true, new IOException("connection refused"))).isTrue();
    }
    broken.retryAfterException(true, new KubernetesClientException("forbidden"));
    watching.set(true);
    await().atMost(Duration.ofSeconds(20)).until(() -> log.size() == 3);
    broken.retryAfterException(true, new IOException("connection refused"));

    assertThat(log)
        .containsExactly(
            "The watch of nodes is interrupted and retried until it succeeds: connection refused",
            "The watch of nodes is interrupted and retried until it succeeds: forbidden",
            "The watch of nodes is on again, after 101 failed attempts.",
            "The watch of nodes is interrupted and retried until it succeeds: connection refused");
  }

  @Test
  void faultsThatAlternateAreOneLineEach() {
    var log = new CopyOnWriteArrayList<String>();
    var broken = new BrokenWatch("nodes", () -> true, () -> false, log::add);

    for (int attempt = 0; attempt < 100; attempt++) {
      broken.retryAfterException(true, new IOException("refused"));
      broken.retryAfterException(true, new IOException("reset"));
    }
    assertThat(log).hasSize(2);
    for (int attempt = 0; attempt < 100; attempt++) {
      broken.retryAfterException(true, new IOException("request " + attempt + " failed"));
    }
    assertThat(log).hasSize(10);
  }

  @Test
  void theLogHasOneLineAndNoStackTraceOfManyAttempts() throws Exception {
    var output = ProgramLog.of(WatchWithoutServer.class);

    assertThat(output).contains("3 attempts");
    assertThat(output.lines().filter(line -> line.contains("The watch of pods is"))).hasSize(1);
    assertThat(output).doesNotContain("\tat ").doesNotContain("listSyncAndWatch");
  }
}
