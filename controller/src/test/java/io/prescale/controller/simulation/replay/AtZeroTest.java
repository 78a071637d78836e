package io.prescale.controller.simulation.replay;

import static io.prescale.controller.simulation.replay.Demands.DAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Replays of a target that may have no replicas. */
class AtZeroTest {
  private static final Instant MONDAY = Instant.parse("2026-03-02T00:00:00Z");
  private static final double CAPACITY = 10;

  /** Demand for an hour, none for an hour, and demand again. */
  @Test
  void aReactiveHpaSleepsAfterItsWindowAndTheFirstRequestWaitsAColdStart() throws Exception {
    double[] demand = Demands.of(180, i -> i < 60 || i >= 120 ? 10 : 0);

    var result = replay(demand, settings(0), new Reactive(1));

    var atZero = result.runs().getFirst().outcome().atZero().orElseThrow();
    // Five minutes of zeros, read from minute 61 on, are over at the last sync of minute 65; the
    // first demand is read at minute 121.
    assertThat(atZero.hours()).isCloseTo(221 * 15 / 3600.0, within(1e-9));
    assertThat(atZero.firstRequests()).isOne();
    assertThat(atZero.waitedMinutes()).isCloseTo(6, within(1e-9));
    assertThat(atZero.longestWaitMinutes()).isCloseTo(6, within(1e-9));
    assertThat(atZero.meanWaitMinutes()).isCloseTo(6, within(1e-9));
    var ideal = result.runs().getLast().outcome().atZero().orElseThrow();
    assertThat(ideal).isEqualTo(new AtZero(55 / 60.0, 0, 0, 0)); // but for a cold start
  }

  @Test
  void withAReplicaAtLeastNothingIsSaidOfZero() throws Exception {
    var result = replay(new double[120], settings(1), new Reactive(1));
    assertThat(result.runs()).allSatisfy(run -> assertThat(run.outcome().atZero()).isEmpty());
  }

  @Test
  void anUnusedServiceCostsNothingToTheClairvoyant() throws Exception {
    var result = replay(new double[120], settings(0), new Reactive(1));
    assertThat(result.runs().getFirst().outcome().atZero().orElseThrow().hours()).isEqualTo(2);
    assertThat(result.runs().getLast().outcome().replicaHours()).isZero();
  }

  @Test
  void prescaleSleepsAtNightAndIsAwakeWhenTheDayBegins() throws Exception {
    var random = new SplittableRandom(1);
    double[] demand = Demands.of(12 * DAY, i -> isNight(i) ? 0 : 5 + random.nextInt(10));
    var peak = PeakSettings.forLead(Duration.ofMinutes(5));
    var settings = settings(0).withSkip(Duration.ofDays(8));

    var result =
        replay(
            demand,
            settings,
            new Reactive(0.8),
            new Predictive(settings, peak, new Risk.Budget(0.005)));

    var reactive = result.runs().getFirst().outcome().atZero().orElseThrow();
    var prescale = result.runs().get(1).outcome().atZero().orElseThrow();
    assertThat(reactive.firstRequests()).isEqualTo(4);
    assertThat(prescale.firstRequests()).isZero();
    assertThat(reactive.hours()).isCloseTo(4 * 12, within(1.0));
    assertThat(prescale.hours()).isBetween(0.9 * reactive.hours(), reactive.hours());
  }

  /** From eight in the evening to eight in the morning. */
  private static boolean isNight(int minute) {
    int hour = minute % DAY / 60;
    return hour < 8 || hour >= 20;
  }

  private static ReplaySettings settings(int least) {
    var rules = HpaRules.defaults().withTolerance(0);
    return ReplaySettings.forCapacity(CAPACITY)
        .withRules(rules.withReplicas(least, rules.maxReplicas()))
        .withSkip(Duration.ZERO);
  }

  private static ReplayResult replay(
      double[] demand, ReplaySettings settings, ReplayPolicy... policies) throws Exception {
    var plan = Replay.of(TimeSeries.of(MONDAY, ReplaySettings.MINUTE, demand), settings);
    return ((Replay) plan).run(List.of(policies), (_, _) -> {});
  }
}
