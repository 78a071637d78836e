package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.schedules.Schedules;
import io.prescale.controller.simulation.replay.SeveralDemands.Load;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests, of which a replica carries 10, and tokens, of which it carries 500. */
class PredictiveOfSeveralTest {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final Duration LEAD = Duration.ofMinutes(5);
  private static final Risk BUDGET = new Risk.Budget(0.005);

  @Test
  void theHighestInReplicasIsReplayedAndGapsAreThoseOfAll() {
    var requests = load(0, 10, 20, 100, Double.NaN, Double.NaN);
    var tokens = load(1, 500, 2000, 3000, Double.NaN);

    var demands = SeveralDemands.of(List.of(requests, tokens));

    assertThat(demands.highest().toArray()).containsExactly(2, 10, 6, Double.NaN);
    assertThat(demands.each().get(0).toArray()).containsExactly(2, 10, Double.NaN, Double.NaN);
    assertThat(demands.each().get(1).toArray()).containsExactly(Double.NaN, 4, 6, Double.NaN);
  }

  @Test
  void servesWhatTheHighestNeedsNowAndNothingLower() {
    var demands =
        SeveralDemands.of(
            List.of(load(10, _ -> 30), load(500, minute -> minute < 200 ? 500 : 4500)));

    double[] served = served(demands, 400, 1);

    assertThat(served[150]).isBetween(3.0, 5.0);
    assertThat(Arrays.stream(served, 202, 400).min().orElseThrow()).isGreaterThanOrEqualTo(9);
  }

  /** As an HPA with one failing metric does. */
  @Test
  void whileADemandIsUnknownNoReplicaIsRemovedAndSomeMayBeAdded() {
    var demands =
        SeveralDemands.of(
            List.of(load(10, minute -> minute < 300 ? 30 : 200), load(500, _ -> Double.NaN)));

    assertThat(served(demands, 200, 8)[150]).isNaN();
    assertThat(served(demands, 400, 8)[350]).isGreaterThanOrEqualTo(20);
  }

  @Test
  void aReplayOfOneDemandIsThatOfItAlone() throws InterruptedException {
    IntToDoubleFunction wave = minute -> 80 + 60 * Math.sin(minute / 40.0);
    var alone = load(10, wave);
    var demands = SeveralDemands.of(List.of(alone, load(500, _ -> 1)));
    var settings = ReplaySettings.forCapacity(10).withSkip(Duration.ofHours(10));
    var inReplicas = settings.withCapacity(1);
    var peak = PeakSettings.forLead(LEAD);

    var one = run(alone.demand(), settings, new Predictive(settings, peak, BUDGET));
    var both =
        run(
            demands.highest(),
            inReplicas,
            new PredictiveOfSeveral(
                demands, inReplicas, peak, Caution.of(BUDGET), Schedules.none()));

    assertThat(both.replicaHours())
        .isCloseTo(one.replicaHours(), within(0.05 * one.replicaHours()));
  }

  @Test
  void refusesACapacityThatIsNotOneReplica() {
    var demands = SeveralDemands.of(List.of(load(10, _ -> 1)));
    var settings = ReplaySettings.forCapacity(10);
    var peak = PeakSettings.forLead(LEAD);

    assertThatThrownBy(
            () ->
                new PredictiveOfSeveral(
                    demands, settings, peak, Caution.of(BUDGET), Schedules.none()))
        .hasMessage("demands in replicas, and a capacity of 10.0");
    assertThatThrownBy(() -> load(0, 0, 1)).hasMessage("capacity per replica 0.0");
  }

  private static PolicyOutcome run(TimeSeries load, ReplaySettings settings, ReplayPolicy policy)
      throws InterruptedException {
    return ((Replay) Replay.of(load, settings))
        .run(List.of(policy), (_, _) -> {})
        .runs()
        .getFirst()
        .outcome();
  }

  /** What is served to an HPA that keeps its replicas; NaN is nothing. */
  private static double[] served(SeveralDemands demands, int minutes, int replicas) {
    var policy =
        new PredictiveOfSeveral(
            demands,
            ReplaySettings.forCapacity(1),
            PeakSettings.forLead(LEAD),
            Caution.of(BUDGET),
            Schedules.none());
    double[] observed = demands.highest().toArray();
    return IntStream.range(0, minutes)
        .mapToDouble(
            minute ->
                policy
                    .next(new View(START, minute, observed, replicas, replicas))
                    .value()
                    .orElse(Double.NaN))
        .toArray();
  }

  private static Load load(double capacity, IntToDoubleFunction demand) {
    return load(0, capacity, IntStream.range(0, 1200).mapToDouble(demand).toArray());
  }

  private static Load load(int startMinute, double capacity, double... demand) {
    var start = START.plus(Duration.ofMinutes(startMinute));
    return new Load(TimeSeries.of(start, Duration.ofMinutes(1), demand), capacity);
  }
}
