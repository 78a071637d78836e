package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
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

  /** In a process of its own, because tests log less than the program does. */
  @Test
  void theLogHasOneLineAndNoStackTraceOfManyAttempts() throws Exception {
    var command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    logging().forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), WatchWithoutServer.class.getName()));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output).contains("3 attempts");
    assertThat(output.lines().filter(line -> line.contains("The watch of pods is"))).hasSize(1);
    assertThat(output).doesNotContain("\tat ").doesNotContain("listSyncAndWatch");
  }

  /** As the program logs. */
  private static Properties logging() throws IOException {
    var properties = new Properties();
    properties.load(
        new StringReader(Files.readString(Path.of("src/main/resources/simplelogger.properties"))));
    return properties;
  }
}
