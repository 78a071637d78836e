package io.prescale.controller.simulation.replay;

import static io.prescale.controller.simulation.replay.Demands.DAY;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.simulation.replay.ReplayPlan.Refused;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayPlanTest {

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final ReplaySettings SETTINGS = ReplaySettings.forCapacity(10);

  @Test
  void refusesATraceThatIsTooShortToScore() {
    assertThat(plan(Demands.of(2 * DAY + 59, i -> 1), Duration.ofDays(2)))
        .isEqualTo(
            new Refused(
                "The load covers 2 days 59 min, of which the first 2 days are skipped; at least 1 h"
                    + " must be left to score."));
    assertThat(plan(new double[0], Duration.ZERO)).isInstanceOf(Refused.class);
    assertThat(plan(Demands.of(100, i -> 1), Duration.ofDays(10_000_000)))
        .isInstanceOf(Refused.class);
    assertThat(plan(Demands.of(60, i -> 1), Duration.ZERO)).isInstanceOf(Replay.class);
  }

  @Test
  void refusesATraceWithNothingToScore() {
    double[] demand = Demands.of(200, i -> i < 100 ? 1 : Double.NaN);

    assertThat(refusal(plan(demand, Duration.ofMinutes(100))))
        .isEqualTo("The part of the trace to score has no observation.");
  }

  @Test
  void refusesAScoredPartThatWasHardlyObserved() {
    double[] third = Demands.of(400, i -> i < 200 ? 1 : Double.NaN);

    assertThat(refusal(plan(third, Duration.ofMinutes(100))))
        .startsWith(
            "Of the part of the load to score, from 2026-03-01T01:40:00Z on, only 33.3 % was"
                + " observed; a replay needs half of it.");
    assertThat(plan(Demands.of(400, i -> i % 2 == 0 ? 1 : Double.NaN), Duration.ofMinutes(100)))
        .isInstanceOf(Replay.class);
  }

  @Test
  void refusesNegativeDemand() {
    double[] demand = Demands.of(200, i -> i == 77 ? -0.5 : 1);

    assertThat(plan(demand, Duration.ZERO))
        .isEqualTo(new Refused("Demand is negative at " + START.plusSeconds(77 * 60) + "."));
  }

  @Test
  void refusesAnotherStepThanAMinute() {
    var trace = TimeSeries.of(START, Duration.ofMinutes(5), new double[1000]);

    assertThat(refusal(Replay.of(trace, SETTINGS)))
        .isEqualTo("The step of the trace is 5 min; a replay needs one minute.");
  }

  @Test
  void withoutPoliciesTheClairvoyantRemains() throws Exception {
    ReplayResult result =
        ((Replay) plan(Demands.of(100, i -> 10), Duration.ZERO)).run(List.of(), (done, of) -> {});

    assertThat(result.runs()).hasSize(1);
    assertThat(result.runs().getFirst().outcome().costVsClairvoyant()).isEqualTo(1);
    assertThat(result.runs().getFirst().ticks()).hasSize(100);
  }

  private static String refusal(ReplayPlan plan) {
    return ((Refused) plan).sentence();
  }

  private static ReplayPlan plan(double[] demand, Duration skip) {
    return Replay.of(TimeSeries.of(START, Duration.ofMinutes(1), demand), SETTINGS.withSkip(skip));
  }
}
