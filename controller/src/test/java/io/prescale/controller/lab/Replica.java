package io.prescale.controller.lab;

import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that runs as a process of its own. Its log is kept in {@code target/lab}. */
public record Replica(Process process, Path log) implements AutoCloseable {
  private static final Duration TIME_TO_STOP = Duration.ofMinutes(1);

  /** Where the logs are. */
  static Path logs() throws IOException {
    return Files.createDirectories(Checkout.root().resolve("controller/target/lab"));
  }

  /**
   * Starts a program; who breaks the test off leaves none behind.
   *
   * @param name its log's
   * @param environment variables beside those of the tests
   */
  static Replica start(String name, List<String> command, Map<String, String> environment)
      throws IOException {
    var log = logs().resolve(name + ".log");
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    var process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new Replica(process, log);
  }

  /** Memory that a process has, in MiB, as Linux says. */
  static long residentMib(Process process) throws IOException {
    var status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
    return status.lines().filter(it -> it.startsWith("VmRSS")).findFirst().stream()
        .mapToLong(it -> Long.parseLong(it.replaceAll("\\D", "")) >> 10)
        .sum();
  }

  /** Such as {@code STOP} and {@code CONT}, if it runs. */
  void signal(String name) throws IOException, InterruptedException {
    if (process.isAlive()) {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }
  }

  /** What it has logged so far. */
  List<String> lines() throws IOException {
    return Files.readAllLines(log);
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGTERM, and waits for its end. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(TIME_TO_STOP.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("the replica did not stop within " + TIME_TO_STOP);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
