package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClairvoyantTest {

  private static final ReplaySettings TWO_MINUTES =
      ReplaySettings.forCapacity(10)
          .withColdStart(new ColdStart.Constant(Duration.ofSeconds(90)))
          .withSkip(Duration.ZERO);

  @Test
  void createsEachReplicaOneColdStartBeforeItIsNeeded() {
    double[] demand = {10, 10, 10, 10, 25, 25, 5, 5, 5, 5, 20};

    List<Tick> ticks = run(demand).ticks();

    assertThat(column(ticks, Tick::desiredReplicas))
        .containsExactly(1, 1, 3, 3, 3, 3, 1, 1, 2, 2, 2);
    assertThat(column(ticks, Tick::readyReplicas)).containsExactly(1, 1, 1, 1, 3, 3, 1, 1, 1, 1, 2);
  }

  @Test
  void keepsReplicasThroughADipShorterThanTheColdStart() {
    double[] demand = {30, 30, 5, 30, 30};

    List<Tick> ticks = run(demand).ticks();

    assertThat(column(ticks, Tick::desiredReplicas)).containsOnly(3);
    assertThat(column(ticks, Tick::readyReplicas)).containsOnly(3);
  }

  @Test
  void isTheMeasureOfCost() {
    PolicyOutcome outcome = run(10, 10, 10, 10, 25, 25, 5, 5, 5, 5, 20).outcome();

    assertThat(outcome.replicaHours()).isEqualTo(22 / 60.0);
    assertThat(outcome.costVsClairvoyant()).isEqualTo(1);
    assertThat(outcome.overloadedShare()).isZero();
    assertThat(outcome.scaleEventsPerDay()).isEqualTo(3 * 24 * 60 / 11.0);
    assertThat(outcome.reversalsPerDay()).isEqualTo(2 * 24 * 60 / 11.0);
    assertThat(outcome.shortUsesPerDay()).as("two of two minutes").isEqualTo(2 * 24 * 60 / 11.0);
  }

  @Test
  void anExactMultipleOfTheCapacityNeedsNoReplicaMore() {
    var third = ReplaySettings.forCapacity(0.1).withSkip(Duration.ZERO);

    assertThat(new Clairvoyant(new double[] {0.30000000000000004}, third).replicaHours())
        .isEqualTo(3 / 60.0);
  }

  private static PolicyRun run(double... demand) {
    var trace = TimeSeries.of(Instant.EPOCH, Duration.ofMinutes(1), demand);
    return new Clairvoyant(demand, TWO_MINUTES).run(new Demand(trace, 0), TWO_MINUTES);
  }

  private static List<Integer> column(List<Tick> ticks, ToIntFunction<Tick> value) {
    return IntStream.range(0, ticks.size()).mapToObj(i -> value.applyAsInt(ticks.get(i))).toList();
  }
}
