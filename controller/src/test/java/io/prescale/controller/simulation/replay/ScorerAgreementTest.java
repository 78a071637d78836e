package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.forecasting.TimeSeries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the independent scorer, and the plain one for machines without it, on the ticks of a replay
 * and compares their figures with ours.
 */
class ScorerAgreementTest {

  private static final double CAPACITY = 11;

  /** Seed, tolerance, cold start in seconds, least replicas, minutes before scoring begins. */
  private static final String CASES =
      """
      1, 0, 300, 1, 0
      2, 0.1, 300, 1, 1440
      3, 0.1, 100, 3, 720
      4, 0, 0, 1, 30
      5, 0.05, 610, 2, 1001
      """;

  @TempDir private Path folder;

  @ParameterizedTest(name = "seed {0}, tolerance {1}, cold start {2} s, at least {3}, skip {4} min")
  @CsvSource(textBlock = CASES)
  void agreesWithTheIndependentScorer(
      long seed, double tolerance, int coldStartSeconds, int min, int skipMinutes)
      throws Exception {
    var scorer = IndependentScorer.require();
    var settings =
        ReplaySettings.forCapacity(CAPACITY)
            .withRules(HpaRules.defaults().withTolerance(tolerance).withReplicas(min, 1_000_000))
            .withColdStart(new ColdStart.Constant(Duration.ofSeconds(coldStartSeconds)))
            .withSkip(Duration.ofMinutes(skipMinutes));

    PolicyRun run = replay(settings, seed);

    JsonNode score =
        scorer.score(
            written(run.ticks()),
            "--capacity=" + CAPACITY,
            "--target=" + 0.9 * CAPACITY,
            "--tolerance=" + tolerance,
            "--cold-start=" + coldStartSeconds,
            "--min=" + min,
            "--skip-days=" + skipMinutes / 1440.0);
    compare(run.outcome(), score, (run.ticks().size() - skipMinutes) / 1440.0);
  }

  @ParameterizedTest(name = "seed {0}, tolerance {1}, cold start {2} s, at least {3}, skip {4} min")
  @CsvSource(textBlock = CASES)
  void agreesWithThePlainScorer(
      long seed, double tolerance, int coldStartSeconds, int min, int skipMinutes)
      throws Exception {
    var coldStart = Duration.ofSeconds(coldStartSeconds);
    var rules = HpaRules.defaults().withTolerance(tolerance).withReplicas(min, 1_000_000);
    var settings =
        ReplaySettings.forCapacity(CAPACITY)
            .withRules(rules)
            .withColdStart(new ColdStart.Constant(coldStart))
            .withSkip(Duration.ofMinutes(skipMinutes));
    var scorer = new PlainScorer(CAPACITY, 0.9 * CAPACITY, rules, coldStart, skipMinutes);

    PolicyRun run = replay(settings, seed);

    compare(
        run.outcome(),
        scorer.score(written(run.ticks())),
        (run.ticks().size() - skipMinutes) / 1440.0);
  }

  private static void compare(PolicyOutcome ours, JsonNode score, double days) {
    assertThat(100 * ours.overloadedShare()).isEqualTo(number(score, "overloaded_pct"));
    assertThat(ours.replicaHours()).isEqualTo(number(score, "replica_hours"));
    assertThat(ours.costVsClairvoyant()).isEqualTo(number(score, "cost_vs_clairvoyant"));
    assertThat(ours.scaleEventsPerDay()).isEqualTo(number(score, "scale_events") / days);
    assertThat(ours.reversalsPerDay()).isEqualTo(number(score, "reversals") / days);
    // There the demand that was not observed counts too.
    assertThat(ours.minutesBelowReactive())
        .isBetween(1, score.get("minutes_below_reactive").asInt());
    // The two sums of floating-point numbers are added up in another order there.
    assertThat(100 * ours.unservedShare()).isCloseTo(number(score, "unserved_pct"), within(1e-10));
    Coverage coverage = ours.coverage().orElseThrow();
    compare(coverage.p50(), score.get("p50"));
    compare(coverage.p90(), score.get("p90"));
    compare(coverage.p95(), score.get("p95"));
    compare(coverage.p99(), score.get("p99"));
  }

  private static void compare(Coverage.Score ours, JsonNode score) {
    assertThat(100 * ours.covered().orElseThrow())
        .isCloseTo(number(score, "coverage_pct"), within(1e-10));
    assertThat(ours.pinballLoss().orElseThrow()).isCloseTo(number(score, "pinball"), within(1e-10));
    assertThat(ours.relativePinballLoss().orElseThrow())
        .isCloseTo(number(score, "pinball_relative"), within(1e-10));
  }

  private static double number(JsonNode score, String name) {
    return score.get(name).asDouble();
  }

  /** Two days of demand with gaps, served with noise and outages, forecast badly. */
  private static PolicyRun replay(ReplaySettings settings, long seed) throws InterruptedException {
    var random = new SplittableRandom(seed);
    double[] demand = Demands.wave(2880, 700, seed);
    for (int gap = 0; gap < 20; gap++) {
      int start = random.nextInt(2840);
      for (int i = start; i < start + random.nextInt(1, 30); i++) {
        demand[i] = Double.NaN;
      }
    }
    var trace = TimeSeries.of(Instant.ofEpochSecond(1_700_000_040), Duration.ofMinutes(1), demand);
    var plan = (Replay) Replay.of(trace, settings);
    return plan.run(List.of(new Erratic(random)), (minutes, ofMinutes) -> {}).runs().getFirst();
  }

  /** Serves and forecasts anything, now and then nothing. */
  private record Erratic(SplittableRandom random) implements ReplayPolicy {
    @Override
    public String name() {
      return "erratic";
    }

    @Override
    public double targetUtilization() {
      return 0.9;
    }

    @Override
    public Served next(View view) {
      double noise = 1 + 0.3 * random.nextGaussian();
      boolean forecasts = random.nextInt(10) > 0;
      boolean serves = random.nextInt(30) > 0;
      if (view.newest().isEmpty()) {
        return Served.of(OptionalDouble.empty());
      }
      double value = view.newest().getAsDouble() * noise;
      var served = serves ? Served.of(value) : Served.of(OptionalDouble.empty());
      return forecasts
          ? served.with(new Quantiles(value, 1.1 * value, 1.2 * value, 1.3 * value))
          : served;
    }
  }

  private Path written(List<Tick> ticks) throws IOException {
    Path csv = folder.resolve("ticks.csv");
    var lines = new ArrayList<String>();
    lines.add("timestamp,observed,served,p50,p90,p95,p99");
    for (Tick t : ticks) {
      var cells = new ArrayList<String>();
      cells.add(Long.toString(t.time().getEpochSecond()));
      Stream.of(
              t.observed(),
              t.served(),
              t.quantile(Quantiles::p50),
              t.quantile(Quantiles::p90),
              t.quantile(Quantiles::p95),
              t.quantile(Quantiles::p99))
          .map(value -> value.isPresent() ? Double.toString(value.getAsDouble()) : "")
          .forEach(cells::add);
      lines.add(String.join(",", cells));
    }
    return Files.write(csv, lines);
  }
}
