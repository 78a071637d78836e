package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program that scores ticks and knows nothing of ours. Not everyone has it. */
public final class IndependentScorer {
  private static final String UNPROVEN =
      "that a program which others wrote comes to the replay's figures";

  private final Path program;

  private IndependentScorer(Path program) {
    this.program = program;
  }

  /** The test that asks for it is skipped without the scorer, Python 3 or numpy. */
  public static IndependentScorer require() throws InterruptedException {
    Path program = SharedFolder.require("tools/score_replay.py", UNPROVEN);
    assumeTrue(
        hasNumpy(), () -> "skipped: without python3 and numpy it stays unproven " + UNPROVEN);
    return new IndependentScorer(program);
  }

  /** What it prints for a file of ticks. */
  public JsonNode score(Path ticks, String... options) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("python3", program.toString(), ticks.toString()));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    JsonNode score = new ObjectMapper().readTree(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).isZero();
    return score;
  }

  private static boolean hasNumpy() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "-c", "import numpy")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
