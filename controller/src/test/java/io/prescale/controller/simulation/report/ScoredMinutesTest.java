package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.Tick;
import io.prescale.controller.simulation.report.ScoredMinutes.Stretch;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ScoredMinutesTest {

  @Test
  void needsAtLeastWhatTheHpaKeeps() throws InterruptedException {
    var settings =
        ReplaySettings.forCapacity(10)
            .withSkip(Duration.ZERO)
            .withRules(HpaRules.defaults().withReplicas(2, 100));
    var minutes = new ScoredMinutes(Results.run(flat(60, 50), settings));

    assertThat(minutes.needed(0)).isEqualTo(2);
    assertThat(minutes.needed(20)).isEqualTo(2);
    assertThat(minutes.needed(20.1)).isEqualTo(3);
    assertThat(minutes.needed(3 * 10 * (1 + 1e-12))).isEqualTo(3);
  }

  @Test
  void overloadIsDemandAboveWhatIsReady() throws InterruptedException {
    double[] demand = flat(120, 95);
    Arrays.fill(demand, 70, 75, 150);
    demand[72] = Double.NaN;
    var settings = ReplaySettings.forCapacity(10).withSkip(Duration.ofHours(1));

    ReplayResult result = Results.run(demand, settings, new Results.Yesterday("reads", 0.9));
    PolicyRun run = result.runs().getFirst();

    assertThat(new ScoredMinutes(result).overloaded(run))
        .containsExactly(new Stretch(70, 72), new Stretch(73, 75));
    assertThat(new ScoredMinutes(result).overloaded(result.runs().getLast())).isEmpty();
  }

  @Test
  void anHourOfOverloadIsOneStretch() {
    ReplayResult result =
        Results.of(Results.outcome("short", 1, 10), Results.outcome("clairvoyant", 0, 100));
    var crowded =
        result.runs().getFirst().ticks().stream()
            .map(
                t ->
                    new Tick(
                        t.time(),
                        OptionalDouble.of(121),
                        OptionalDouble.of(0),
                        Optional.empty(),
                        3,
                        3))
            .toList();
    var run =
        new PolicyRun(
            result.runs().getFirst().outcome(), crowded, result.runs().getFirst().rationales());

    assertThat(new ScoredMinutes(result).overloaded(run)).containsExactly(new Stretch(0, 60));
  }

  @Test
  void aWindowMaximumIsUnknownWithoutAllItsMinutes() throws InterruptedException {
    double[] demand = DoubleStream.iterate(0, d -> d + 1).limit(60).toArray();
    demand[20] = Double.NaN;
    var settings =
        ReplaySettings.forCapacity(10)
            .withSkip(Duration.ZERO)
            .withColdStart(new ColdStart.Constant(Duration.ofSeconds(61)));
    ReplayResult result = Results.run(demand, settings);
    var minutes = new ScoredMinutes(result);
    var ticks = result.runs().getLast().ticks();

    assertThat(minutes.windowMaximum(ticks, 0)).hasValue(6);
    assertThat(minutes.windowMaximum(ticks, 13)).hasValue(19);
    assertThat(minutes.windowMaximum(ticks, 14)).isEmpty();
    assertThat(minutes.windowMaximum(ticks, 18)).isEmpty();
    assertThat(minutes.windowMaximum(ticks, 19)).hasValue(25);
    assertThat(minutes.windowMaximum(ticks, 53)).hasValue(59);
    assertThat(minutes.windowMaximum(ticks, 54)).isEmpty();
  }

  private static double[] flat(int minutes, double demand) {
    return DoubleStream.generate(() -> demand).limit(minutes).toArray();
  }
}
