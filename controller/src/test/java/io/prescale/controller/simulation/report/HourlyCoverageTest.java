package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.simulation.replay.Coverage;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.report.HourlyCoverage.Level;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HourlyCoverageTest {

  @Test
  void addsUpToTheCoverageOfTheTable() throws InterruptedException {
    ReplayResult result =
        Results.run(
            Results.season(4 * 24 * 60, 5),
            ReplaySettings.forCapacity(40).withSkip(Duration.ofDays(2)),
            new Results.Yesterday("forecasts", 1));
    PolicyRun run = result.runs().getFirst();
    Coverage coverage = run.outcome().coverage().orElseThrow();

    for (Level level : Level.values()) {
      var hourly = HourlyCoverage.of(result, run, level, ZoneOffset.UTC);
      Coverage.Score score =
          switch (level) {
            case P50 -> coverage.p50();
            case P90 -> coverage.p90();
            case P95 -> coverage.p95();
            case P99 -> coverage.p99();
          };
      int forecasts = IntStream.range(0, 24).map(hourly::forecasts).sum();
      int held =
          IntStream.range(0, 24)
              .map(hour -> (int) Math.round(hourly.share(hour).orElse(0) * hourly.forecasts(hour)))
              .sum();

      assertThat(forecasts).as("%s", level).isEqualTo(score.minutes());
      assertThat((double) held / forecasts)
          .as("%s", level)
          .isCloseTo(score.covered().orElseThrow(), within(1e-12));
      assertThat(level.promised()).isEqualTo(score.level());
    }
  }

  @Test
  void hoursAreThoseInWhichWindowsBegin() {
    ReplayResult result =
        Results.of(Results.outcome("forecasts", 0, 100), Results.outcome("clairvoyant", 0, 100));
    PolicyRun run = result.runs().getFirst();

    var utc = HourlyCoverage.of(result, run, Level.P50, ZoneOffset.UTC);
    var india = HourlyCoverage.of(result, run, Level.P50, ZoneId.of("Asia/Kolkata"));

    // Forecasts from 00:00 to 00:50, of windows that begin from 00:05 to 00:55.
    assertThat(IntStream.range(0, 24).map(utc::forecasts)).startsWith(51, 0, 0);
    assertThat(utc.share(0)).hasValue(1);
    assertThat(utc.share(1)).isEmpty();
    // From 05:35 to 06:25 there.
    assertThat(india.forecasts(5)).isEqualTo(25);
    assertThat(india.forecasts(6)).isEqualTo(26);
  }

  @Test
  void withoutQuantilesThereIsNothingToCount() throws InterruptedException {
    ReplayResult result = Results.oneHour();

    var hourly = HourlyCoverage.of(result, result.runs().getLast(), Level.P95, ZoneOffset.UTC);

    assertThat(IntStream.range(0, 24).map(hourly::forecasts).sum()).isZero();
  }
}
