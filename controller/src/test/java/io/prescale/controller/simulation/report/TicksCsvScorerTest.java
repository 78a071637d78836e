package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.prescale.controller.simulation.replay.IndependentScorer;
import io.prescale.controller.simulation.replay.PlainScorer;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The independent scorer reads the CSV that is written for users and comes to the same figures.
 * Without it, Python 3 or numpy {@link PlainScorer} stands in.
 */
class TicksCsvScorerTest {

  @TempDir private Path folder;

  @Test
  void theScorerAgreesWithTheTable() throws Exception {
    var scorer = IndependentScorer.require();
    ReplayResult result = Results.sixteenDays();
    PolicyRun run = result.runs().getFirst();
    Path csv = folder.resolve("ticks.csv");
    try (var out = Files.newBufferedWriter(csv)) {
      TicksCsv.write(run, out);
    }

    JsonNode score = scorer.score(csv, "--capacity=" + result.settings().capacityPerReplica());

    compare(run.outcome(), score);
  }

  @Test
  void thePlainScorerAgreesWithTheTable() throws Exception {
    var coldStart = Duration.ofMinutes(5);
    var settings = ReplaySettings.forCapacity(40).withSkip(Duration.ofDays(1));
    var result =
        Results.run(Results.season(3 * 1440, 7), settings, new Results.Yesterday("ours", 1));
    PolicyRun run = result.runs().getFirst();
    Path csv = folder.resolve("ticks.csv");
    try (var out = Files.newBufferedWriter(csv)) {
      TicksCsv.write(run, out);
    }

    compare(run.outcome(), new PlainScorer(40, 40, settings.rules(), coldStart, 1440).score(csv));
  }

  private static void compare(PolicyOutcome ours, JsonNode score) {
    assertThat(100 * ours.overloadedShare()).isEqualTo(score.get("overloaded_pct").asDouble());
    assertThat(ours.replicaHours()).isEqualTo(score.get("replica_hours").asDouble());
    assertThat(ours.costVsClairvoyant()).isEqualTo(score.get("cost_vs_clairvoyant").asDouble());
    assertThat(100 * ours.coverage().orElseThrow().p95().covered().orElseThrow())
        .isCloseTo(score.get("p95").get("coverage_pct").asDouble(), within(1e-10));
  }
}
