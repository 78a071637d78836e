package io.prescale.controller.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.Application;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With real processes and real signals. */
@Timeout(120)
class StopSignalTest {
  @TempDir private Path folder;

  @Test
  void ctrlCEndsAForecastWithItsExitCodeAndNoFile() throws Exception {
    var process =
        start(
            Application.class.getName(),
            "forecast",
            "--demo",
            "--every",
            "5m",
            "--out",
            folder.resolve("f.csv").toString());
    try (var err = process.errorReader()) {
      awaitLine(err, "demo: ");
      interrupt(process);

      assertThat(process.waitFor()).isEqualTo(130);
      assertThat(err.lines()).endsWith("Interrupted; no file was written.");
    }
    assertThat(process.inputReader().lines()).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void ctrlCLeavesNoHalfWrittenFile() throws Exception {
    var file = Files.writeString(folder.resolve("f.csv"), "old");
    var process = start(SlowWriter.class.getName(), file.toString());
    try (var out = process.inputReader()) {
      awaitLine(out, "half written");
      assertThat(folder.toFile().list()).hasSize(2);
      interrupt(process);

      assertThat(process.waitFor()).isEqualTo(130);
    }
    assertThat(file).hasContent("old");
    assertThat(folder.toFile().list()).hasSize(1);
  }

  /** Writes half a file and then hangs, deaf to interrupts. */
  static final class SlowWriter {
    private SlowWriter() {}

    public static void main(String[] args) throws Exception {
      try (var files = new OutputFiles();
          var _ = new StopSignal(Thread.currentThread(), Duration.ofSeconds(2), files::close)) {
        files.write(
            Path.of(args[0]),
            out -> {
              out.append("half of it").flush();
              System.out.println("half written");
              hang();
            });
        files.publish();
      }
    }

    private static void hang() {
      for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1); System.nanoTime() < end; ) {
        Thread.onSpinWait();
      }
    }
  }

  private static Process start(String... mainAndArgs) throws IOException, InterruptedException {
    var command = new ArrayList<>(heedingInterrupts());
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path")));
    command.addAll(List.of(mainAndArgs));
    return new ProcessBuilder(command).start();
  }

  /** A shell's background jobs, and whatever they start, are deaf to Ctrl-C. */
  private static List<String> heedingInterrupts() throws IOException, InterruptedException {
    var env = List.of("env", "--default-signal=INT");
    var attempt = new ArrayList<>(env);
    attempt.add("true");
    return new ProcessBuilder(attempt).start().waitFor() == 0 ? env : List.of();
  }

  private static void awaitLine(BufferedReader lines, String beginning) throws IOException {
    String line;
    do {
      line = lines.readLine();
      assertThat(line).as("output before " + beginning).isNotNull();
    } while (!line.startsWith(beginning));
  }

  private static void interrupt(Process process) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
  }
}
