package io.prescale.controller.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.Application;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose output cannot be written. */
class ResultStreamTest {
  /** In the language of the system. */
  private static final String BROKEN_PIPE =
      Objects.requireNonNull(OutputClosedException.brokenPipe());

  private final StringWriter err = new StringWriter();

  @Test
  @Timeout(60)
  void aProgramThatReadsNoMoreIsRecognizedInEveryLanguage() throws Exception {
    var reader = new ProcessBuilder("sh", "-c", "exec 0<&-; sleep 60").start();
    try (var pipe = reader.getOutputStream()) {
      assertThatThrownBy(
              () -> {
                for (; ; ) {
                  new ResultStream(pipe).write(new byte[100_000]);
                }
              })
          .isInstanceOfSatisfying(
              OutputClosedException.class, it -> assertThat(it.isClosedPipe()).isTrue());
    } catch (IOException _) {
      // What is left cannot be written either.
    } finally {
      reader.destroy();
    }
  }

  @Test
  @Timeout(60)
  void aClosedPipeEndsTheDemoQuietly() {
    assertThat(run(BROKEN_PIPE, "demo", "--port", "0", "--speed", "1"))
        .as(err.toString())
        .isEqualTo(141);
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "crd",
        "completion bash",
        "preset",
        "replay --help",
        "replay --demo --quiet --policies reactive"
      })
  void aClosedPipeEndsEveryCommandQuietly(String line) {
    assertThat(run(BROKEN_PIPE, line.split(" "))).as(err.toString()).isEqualTo(141);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aFullDiskIsAFailureAndNoSilentSuccess() {
    assertThat(run("No space left on device", "crd")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("Standard output cannot be written: No space left on device.");
  }

  private int run(String failure, String... args) {
    var out = new ResultStream(new Failing(failure));
    var surroundings =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), false),
            new PrintWriter(err),
            TestingSurroundings.FILE,
            TestingSurroundings.FILE,
            Map.of(),
            Clock.tickMillis(ZoneOffset.UTC));
    try (var files = new OutputFiles()) {
      return new Application(surroundings, files).run(args);
    }
  }

  /** Every write fails. */
  private static final class Failing extends OutputStream {
    private final String reason;

    Failing(String reason) {
      this.reason = reason;
    }

    @Override
    public void write(int oneByte) throws IOException {
      throw new IOException(reason);
    }
  }
}
