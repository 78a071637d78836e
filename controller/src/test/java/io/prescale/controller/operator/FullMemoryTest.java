package io.prescale.controller.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FullMemoryTest {
  /** The heap of the chart's limit, full to the last object that the budget admits. */
  @Test
  void whatTheHeapHasNoRoomForWaitsAndBeginsWhenThereIsSome() throws Exception {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx614m",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                FullMemory.class.getName())
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output)
        .containsPattern("\\b(8[0-9]|9[0-9]) fit, " + FullMemory.BEYOND + " wait\n")
        .containsPattern("\\b(8[0-9]|9[0-9]) are left, none waits\n")
        .doesNotContain("informer stopped", "OutOfMemoryError");
  }
}
