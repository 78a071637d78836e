package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.StartCost;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a start cost changes over days of a generated load. */
class StartCostReplayTest {
  private static final int DAYS = 4;

  /** Of the three days that are scored; the load is noisy, so that many moves are soon undone. */
  @Test
  void startsLessOftenAtNoMoreOverload() throws InterruptedException {
    var settings = ReplaySettings.forCapacity(10).withSkip(Duration.ofDays(1));
    var replay = (Replay) Replay.of(noisyCycle(), settings);
    var result =
        replay.run(
            List.of(
                new Renamed("free", policy(settings, 0)),
                new Renamed("priced", policy(settings, 20))),
            (_, _) -> {});

    var free = result.runs().get(0).outcome();
    var priced = result.runs().get(1).outcome();
    assertThat(priced.scaleEventsPerDay()).isLessThan(0.6 * free.scaleEventsPerDay());
    assertThat(priced.reversalsPerDay()).isLessThanOrEqualTo(0.5 * free.reversalsPerDay());
    assertThat(free.shortUsesPerDay()).isGreaterThan(8);
    assertThat(priced.shortUsesPerDay()).isLessThan(0.1 * free.shortUsesPerDay());
    assertThat(priced.overloadedShare()).isLessThanOrEqualTo(free.overloadedShare());
    assertThat(priced.replicaHours()).isLessThan(1.02 * free.replicaHours());
    assertThat(priced.minutesBelowReactive()).isZero();
    assertThat(kept(result.runs().get(0))).isZero();
    assertThat(kept(result.runs().get(1))).isBetween(10L, 100L);
  }

  private static long kept(PolicyRun run) {
    return run.rationales().stream()
        .filter(it -> it.orElseThrow().decision().reason() == Reason.KEPT)
        .count();
  }

  private static ReplayPolicy policy(ReplaySettings settings, double replicaMinutes) {
    var risk = new Risk.Budget(0.005, 2, new StartCost(replicaMinutes));
    return new Predictive(settings, PeakSettings.forLead(Duration.ofMinutes(5)), risk);
  }

  /** From 60 to 140 each day, with noise of a fading memory of eight minutes. */
  private static TimeSeries noisyCycle() {
    var random = new SplittableRandom(1);
    double keep = Math.exp(-1 / 8.0);
    double[] demand = new double[DAYS * Demands.DAY];
    double noise = 0;
    for (int t = 0; t < demand.length; t++) {
      noise = keep * noise + Math.sqrt(1 - keep * keep) * 8 * random.nextGaussian();
      demand[t] = 100 - 40 * Math.cos(2 * Math.PI * t / Demands.DAY) + noise;
    }
    return TimeSeries.of(Instant.EPOCH, Duration.ofMinutes(1), demand);
  }
}
