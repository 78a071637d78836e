package io.prescale.controller.demand.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SmallHeapTest {
  @Test
  void noServerRunsAReplicaOutOfMemory() throws Exception {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx40m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                HostileHistories.class.getName())
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output.lines().filter(line -> line.startsWith("["))).hasSize(5);
    assertThat(output).doesNotContain("[Found", " Found");
  }
}
