package io.prescale.controller.simulation.replay;

import static io.prescale.controller.simulation.replay.Demands.DAY;
import static io.prescale.controller.simulation.replay.Demands.WEEK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.ScalingDecision;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Rationale ALWAYS_TEN =
      new Rationale(
          new ScalingDecision(
              OptionalDouble.of(10), 1, OptionalDouble.of(0.01), ScalingDecision.Reason.FORECAST),
          true,
          Optional.empty());
  private static final Replay.Progress UNWATCHED = (minutes, ofMinutes) -> {};

  @Test
  void stepsOfDemandAreMetOneColdStartLate() throws Exception {
    double[] demand = Demands.of(120, i -> i < 60 ? 10 : 30);

    PolicyRun run = replay(demand, settings(), new Reactive(1)).runs().getFirst();

    // The rise is complete at minute 61, and the two replicas created then serve from minute 66.
    assertThat(run.ticks().get(60).desiredReplicas()).isEqualTo(1);
    assertThat(run.ticks().get(61).desiredReplicas()).isEqualTo(3);
    assertThat(run.ticks().get(65).readyReplicas()).isEqualTo(1);
    assertThat(run.ticks().get(66).readyReplicas()).isEqualTo(3);
    PolicyOutcome outcome = run.outcome();
    assertThat(outcome.overloadedShare()).isEqualTo(6 / 120.0);
    assertThat(outcome.unservedShare()).isCloseTo(6 * 2 / (60 + 180.0), within(1e-12));
    assertThat(outcome.replicaHours()).isCloseTo((61 + 59 * 3) / 60.0, within(1e-12));
    assertThat(outcome.costVsClairvoyant())
        .isCloseTo((61 + 59 * 3) / (55.0 + 65 * 3), within(1e-12));
    assertThat(outcome.scaleEventsPerDay()).isCloseTo(12, within(1e-12));
    assertThat(outcome.reversalsPerDay()).isZero();
    assertThat(outcome.coverage()).isEmpty();
    assertThat(outcome.minutesBelowReactive()).isZero();
  }

  @Test
  void ticksTellWhatWasObservedAndServed() throws Exception {
    double[] demand = Demands.of(60, i -> i);
    demand[10] = Double.NaN;

    List<Tick> ticks = replay(demand, settings(), new Reactive(1)).runs().getFirst().ticks();

    assertThat(ticks).hasSize(60);
    assertThat(ticks.get(9).time()).isEqualTo(START.plusSeconds(540));
    assertThat(ticks.get(9).observed()).hasValue(9);
    assertThat(ticks.get(9).served()).hasValue(8);
    assertThat(ticks.get(10).observed()).isEmpty();
    assertThat(ticks.get(11).served()).isEmpty();
    assertThat(ticks.get(9).quantiles()).isEmpty();
  }

  @Test
  void demandThatWasNotObservedIsBridgedForTheScoresOnlyAndCounted() throws Exception {
    double[] demand = Demands.of(180, i -> 10);
    Arrays.fill(demand, 20, 30, Double.NaN);
    demand[100] = Double.NaN;
    Arrays.fill(demand, 110, 120, Double.NaN);
    demand[120] = 40;

    ReplayResult result =
        replay(demand, settings().withSkip(Duration.ofMinutes(60)), new Reactive(1));

    assertThat(result.trace().missingMinutes()).isEqualTo(21);
    assertThat(result.trace().interpolatedMinutes()).isEqualTo(11);
    assertThat(result.trace().scoredMinutes()).isEqualTo(120);
    assertThat(result.trace().peakDemand()).isEqualTo(40);
    // The line from 10 to 40 over eleven minutes passes one replica's 10 at once.
    var outcome = result.runs().getFirst().outcome();
    assertThat(outcome.overloadedShare()).isGreaterThan(10 / 120.0);
    assertThat(outcome.overloadedUnobservedShare()).isCloseTo(10 / 120.0, within(1e-12));
  }

  @Test
  void belowReactiveIsWhatIsBelowAnObservationOfTheMinuteBefore() throws Exception {
    double[] demand = Demands.of(180, i -> i < 90 ? 10 : 20);
    Arrays.fill(demand, 100, 110, Double.NaN);
    demand[119] = 40;
    var served = new Rule("fifteen", view -> Served.of(15));

    // Minutes 91 to 100 and 120 to 180 read less than the minute before showed: within the gap and
    // in the minute after it nothing was shown.
    int below = 10 + (119 - 110) + (180 - 120);
    assertThat(outcome(demand, settings(), served).minutesBelowReactive()).isEqualTo(below);

    var fromTheFall = settings().withSkip(Duration.ofHours(2));
    assertThat(outcome(demand, fromTheFall, served).minutesBelowReactive())
        .as("the minute before the first that is scored counts")
        .isEqualTo(60);
  }

  private static PolicyOutcome outcome(
      double[] demand, ReplaySettings settings, ReplayPolicy policy) throws InterruptedException {
    return replay(demand, settings, policy).runs().getFirst().outcome();
  }

  @Test
  void aPolicySeesItsOwnReplicas() throws Exception {
    var seen = new ArrayList<List<Integer>>();
    ReplayPolicy askForThree =
        new Rule(
            "three",
            view -> {
              seen.add(List.of(view.currentReplicas(), view.readyReplicas()));
              return Served.of(30);
            });

    replay(Demands.of(60, i -> 10), settings(), askForThree);

    assertThat(seen.subList(0, 7))
        .containsExactly(
            List.of(1, 1),
            List.of(3, 1),
            List.of(3, 1),
            List.of(3, 1),
            List.of(3, 1),
            List.of(3, 1),
            List.of(3, 3));
  }

  @Test
  void scoresDoNotDependOnWhatWentBefore() throws Exception {
    double[] demand = Demands.wave(DAY + 600, DAY, 3);
    ReplayPolicy hundred = new Rule("hundred", view -> Served.of(100));
    ReplayPolicy wild =
        new Rule("wild", view -> Served.of(view.minute() < DAY ? 1000 * view.minute() : 100));

    ReplayResult result = replay(demand, settings().withSkip(Duration.ofDays(1)), hundred, wild);

    assertThat(result.runs().get(1).outcome().replicaHours())
        .isEqualTo(result.runs().get(0).outcome().replicaHours());
    assertThat(result.runs().get(1).ticks().get(DAY - 1).desiredReplicas()).isGreaterThan(1000);
    assertThat(result.runs().get(1).ticks().get(DAY).desiredReplicas()).isEqualTo(10);
  }

  @Test
  void quantilesAreScoredFromTheFirstScoredMinute() throws Exception {
    ReplayPolicy forecaster =
        new Rule(
            "forecaster",
            view -> Served.of(10).with(new Quantiles(10, 20, 5, 10)).because(ALWAYS_TEN));

    PolicyRun run = replay(Demands.of(100, i -> 10), settings(), forecaster).runs().getFirst();

    Coverage coverage = run.outcome().coverage().orElseThrow();
    assertThat(coverage.p50().covered()).hasValue(1);
    assertThat(coverage.p95().covered()).hasValue(0);
    assertThat(coverage.p90().pinballLoss()).hasValueCloseTo(1.0, within(1e-12));
    assertThat(coverage.p50().minutes()).isEqualTo(100 - 9);
    assertThat(run.ticks().get(7).quantile(Quantiles::p90)).hasValue(20);
    assertThat(run.rationales()).hasSize(100).containsOnly(Optional.of(ALWAYS_TEN));
  }

  /** Demand from some minute on is replaced, and nothing served until that minute may notice. */
  @ParameterizedTest
  @ValueSource(ints = {1, 700, 4 * DAY + 1, WEEK + 17, 9 * DAY})
  void whatIsServedDependsOnlyOnWhatWasCompleteBefore(int change) throws Exception {
    double[] demand = Demands.wave(9 * DAY + 120, DAY, 5);
    double[] other = demand.clone();
    for (int i = change; i < other.length; i++) {
      other[i] = i % 3 == 0 ? Double.NaN : 7 * demand[i] + 1000;
    }

    ReplayResult past = replay(demand, settings(), allPolicies());
    ReplayResult changed = replay(other, settings(), allPolicies());

    for (int p = 0; p < allPolicies().length; p++) {
      assertThat(servedUntil(change, changed.runs().get(p)))
          .as(past.runs().get(p).outcome().policy())
          .isEqualTo(servedUntil(change, past.runs().get(p)));
    }
  }

  private static List<OptionalDouble> servedUntil(int minute, PolicyRun run) {
    return run.ticks().stream().limit(minute + 1).map(Tick::served).toList();
  }

  @Test
  void theSameInputGivesTheSameResult() throws Exception {
    double[] demand = Demands.wave(5 * DAY, DAY, 5);
    var coldStart = new ColdStart.LogNormal(Duration.ofMinutes(3), Duration.ofMinutes(6));
    ReplaySettings settings = settings().withColdStart(coldStart).withSkip(Duration.ofDays(3));

    ReplayResult first = replay(demand, settings, allPolicies());

    assertThat(replay(demand, settings, allPolicies())).isEqualTo(first);
  }

  @Test
  void aServiceWithoutDemandIsNeverOverloaded() throws Exception {
    PolicyOutcome outcome =
        replay(new double[100], settings(), new Reactive(0.8)).runs().getFirst().outcome();

    assertThat(outcome.overloadedShare()).isZero();
    assertThat(outcome.unservedShare()).isZero();
    assertThat(outcome.costVsClairvoyant()).isEqualTo(1);
  }

  /** Ten of demand to a replica, all of the trace scored, no tolerance. */
  private static ReplaySettings settings() {
    return ReplaySettings.forCapacity(10)
        .withRules(HpaRules.defaults().withTolerance(0))
        .withSkip(Duration.ZERO);
  }

  private static ReplayPolicy[] allPolicies() {
    return new ReplayPolicy[] {
      new Reactive(0.8),
      SeasonalNaiveWithLead.mimir(0.8),
      new SeasonalNaiveWithLead(0.8, Duration.ofMinutes(30), Duration.ofMinutes(1)),
      new CraneDsp(0.8, CraneEstimator.defaults(), CraneDsp.OtherPeriod.NO_PREDICTION)
    };
  }

  private static ReplayResult replay(
      double[] demand, ReplaySettings settings, ReplayPolicy... policies)
      throws InterruptedException {
    var trace = TimeSeries.of(START, Duration.ofMinutes(1), demand);
    return ((Replay) Replay.of(trace, settings)).run(List.of(policies), UNWATCHED);
  }
}
