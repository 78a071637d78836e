package io.prescale.controller.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.replay.PolicyOutcome;
import io.prescale.controller.replay.PolicyRun;
import io.prescale.controller.replay.ReplayResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The independent scorer reads the CSV that is written for users and comes to the same figures.
 * Skipped without the scorer in {@code ../shared}, Python 3 or numpy.
 */
class TicksCsvScorerTest {

  @TempDir private Path folder;

  @Test
  void theScorerAgreesWithTheTable() throws Exception {
    Path scorer = repository().resolveSibling("shared").resolve("tools/score_replay.py");
    assumeTrue(Files.isReadable(scorer), "skipped: there is no ../shared/tools/score_replay.py");
    assumeTrue(succeeds("python3", "-c", "import numpy"), "skipped: no python3 with numpy");
    ReplayResult result = Results.sixteenDays();
    PolicyRun run = result.runs().getFirst();
    Path csv = folder.resolve("ticks.csv");
    TicksCsv.write(run, csv);

    JsonNode score = score(scorer, csv, result.settings().capacityPerReplica());

    PolicyOutcome ours = run.outcome();
    assertThat(100 * ours.overloadedShare()).isEqualTo(score.get("overloaded_pct").asDouble());
    assertThat(ours.replicaHours()).isEqualTo(score.get("replica_hours").asDouble());
    assertThat(ours.costVsClairvoyant()).isEqualTo(score.get("cost_vs_clairvoyant").asDouble());
    assertThat(100 * ours.coverage().orElseThrow().p95().covered())
        .isCloseTo(score.get("p95").get("coverage_pct").asDouble(), within(1e-10));
  }

  private static JsonNode score(Path scorer, Path csv, double capacity)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("python3", scorer.toString(), csv.toString(), "--capacity=" + capacity)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    JsonNode score = new ObjectMapper().readTree(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).isZero();
    return score;
  }

  private static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder.getParent() != null && !Files.exists(folder.resolve("mvnw"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
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
