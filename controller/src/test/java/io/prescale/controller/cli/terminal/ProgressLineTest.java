package io.prescale.controller.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private static final Terminal UNICODE = new Terminal(true, false, true, 80);
  private static final String CLEAR = "\r\u001b[K";

  private final StringWriter err = new StringWriter();
  private Duration now = Duration.ofHours(1);

  @Test
  void drawsABarAndSaysHowLongItTakes() {
    try (var line = line(UNICODE, true)) {
      line.update(0, 200);
      now = now.plusSeconds(30);
      line.update(50, 200);
      now = now.plusSeconds(90);
      line.update(200, 200);
    }

    assertThat(err.toString().split(CLEAR.replace("[", "\\["), -1))
        .containsExactly(
            "",
            "Replaying ░░░░░░░░░░░░░░░░░░░░░░░░   0 %",
            "Replaying ██████░░░░░░░░░░░░░░░░░░  25 %, 1 min 31 s left",
            "Replaying ████████████████████████ 100 %",
            "");
  }

  @Test
  void doesNotDrawMoreOftenThanAnEyeCanSee() {
    try (var line = line(UNICODE, true)) {
      for (int i = 0; i < 1000; i++) {
        now = now.plusMillis(1);
        line.update(i, 1000);
      }
    }

    assertThat(err.toString().split("%", -1)).hasSizeBetween(10, 12);
  }

  @Test
  void usesAsciiWhereUnicodeIsNotUnderstoodAndKeepsToTheWidth() {
    try (var line = line(new Terminal(true, false, false, 20), true)) {
      line.update(1, 2);
    }

    assertThat(err.toString()).isEqualTo(CLEAR + "Replaying #########" + CLEAR);
  }

  @Test
  void isSilentInAFileAndWhenNotWanted() {
    try (var inFile = line(TestingSurroundings.FILE, true);
        var unwanted = line(UNICODE, false)) {
      inFile.update(1, 2);
      unwanted.update(1, 2);
    }

    assertThat(err.toString()).isEmpty();
  }

  private ProgressLine line(Terminal terminal, boolean wanted) {
    return new ProgressLine(
        new PrintWriter(err), terminal, wanted, "Replaying", () -> now.toNanos());
  }
}
