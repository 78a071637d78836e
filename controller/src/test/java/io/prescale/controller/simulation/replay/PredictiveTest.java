package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.ScalingDecision;
import io.prescale.controller.autoscaling.StartCost;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PredictiveTest {
  private static final double CAPACITY = 10;
  private static final Risk BUDGET = new Risk.Budget(0.005);

  @ParameterizedTest
  @CsvSource({
    "1, 0, 0.005, 0",
    "2, 0.1, 0.005, 0",
    "3, 0, 0.5, 0",
    "4, 0.1, 0.5, 0",
    "5, 0.1, 0.005, 60"
  })
  void neverServesLessThanTheNewestObservation(
      long seed, double tolerance, double budget, double startCost) {
    double[] demand = withGapsAndBursts(900, seed);
    var rules = HpaRules.defaults().withTolerance(tolerance);
    var served = serve(demand, rules, new Risk.Budget(budget, 2, new StartCost(startCost)));
    int known = 0;
    for (int minute = 1; minute < demand.length; minute++) {
      double newest = demand[minute - 1];
      if (!Double.isNaN(newest)) {
        known++;
        assertThat(served.get(minute).value().orElseThrow())
            .as("minute %d", minute)
            .isGreaterThanOrEqualTo(newest);
      }
    }
    assertThat(known).isGreaterThan(500);
  }

  @Test
  void alsoWithAShortageCost() {
    double[] demand = withGapsAndBursts(900, 5);
    var served = serve(demand, HpaRules.defaults(), new Risk.ShortageCost(1.5));
    for (int minute = 1; minute < demand.length; minute++) {
      double newest = demand[minute - 1];
      assertThat(Double.isNaN(newest) || served.get(minute).value().orElseThrow() >= newest)
          .as("minute %d: %s", minute, served.get(minute))
          .isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 30})
  void anotherFutureDoesNotChangeThePast(double startCost) {
    var risk = new Risk.Budget(0.005, 2, new StartCost(startCost));
    double[] demand = withGapsAndBursts(800, 6);
    double[] other = demand.clone();
    Arrays.fill(other, 500, 800, 1e4);
    var served = serve(demand, HpaRules.defaults(), risk);
    var servedOther = serve(other, HpaRules.defaults(), risk);
    assertThat(servedOther.subList(0, 501)).isEqualTo(served.subList(0, 501));
    assertThat(servedOther.get(510)).isNotEqualTo(served.get(510));
  }

  @Test
  void withoutAnythingKnownNothingIsServed() {
    var demand = new double[100];
    Arrays.fill(demand, Double.NaN);
    for (Served served : serve(demand, HpaRules.defaults(), BUDGET)) {
      assertThat(served.value()).isEmpty();
      assertThat(served.quantiles()).isEmpty();
      assertThat(served.rationale())
          .hasValue(
              new Rationale(
                  new ScalingDecision(
                      OptionalDouble.empty(),
                      0,
                      OptionalDouble.empty(),
                      ScalingDecision.Reason.NOTHING_KNOWN),
                  false,
                  Optional.empty()));
    }
  }

  @Test
  void explainsAForecastAndGivesItsQuantiles() {
    var served = serve(withGapsAndBursts(300, 7), HpaRules.defaults(), BUDGET).getLast();
    var quantiles = served.quantiles().orElseThrow();
    assertThat(List.of(quantiles.p50(), quantiles.p90(), quantiles.p95(), quantiles.p99()))
        .isSorted();
    var rationale = served.rationale().orElseThrow();
    assertThat(rationale.decision().shortageProbability().orElseThrow()).isBetween(0.0, 1.0);
    var parts = rationale.parts().orElseThrow();
    assertThat(parts.level() + parts.season() + parts.correction() + parts.event())
        .isCloseTo(quantiles.p50(), within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({
    "PT1M, PT6M, PT5M, PT1M of PT5M from PT6M ahead",
    "PT1M, PT5M, PT10M, PT1M of PT10M from PT5M ahead",
    "PT5M, PT5M, PT5M, PT5M of PT5M from PT5M ahead",
  })
  void refusesToForecastSomethingElseThanTheReplayScores(
      Duration step, Duration lead, Duration window, String what) {
    var peak =
        new PeakSettings(
            step,
            lead,
            window,
            ZoneOffset.UTC,
            EventCalendar.empty(),
            Duration.ofHours(4),
            Duration.ofDays(28),
            1,
            PeakSettings.EVERY_MEMBER);
    assertThatThrownBy(() -> new Predictive(ReplaySettings.forCapacity(CAPACITY), peak, BUDGET))
        .hasMessage("forecasts by " + what + ", for a replay by PT1M of PT5M from PT5M ahead");
  }

  private static List<Served> serve(double[] demand, HpaRules rules, Risk risk) {
    var settings = ReplaySettings.forCapacity(CAPACITY).withRules(rules);
    var peak = PeakSettings.forLead(Duration.ofMinutes(5));
    var policy = new Predictive(settings, peak, risk);
    var random = new SplittableRandom(1);
    var served = new ArrayList<Served>();
    for (int minute = 0; minute < demand.length; minute++) {
      int current = 1 + random.nextInt(40);
      int ready = 1 + random.nextInt(current);
      served.add(policy.next(new View(Instant.EPOCH, minute, demand, current, ready)));
    }
    return served;
  }

  /** A noisy wave with bursts, single gaps and outages. */
  private static double[] withGapsAndBursts(int minutes, long seed) {
    double[] demand = Demands.wave(minutes, 240, seed);
    var random = new SplittableRandom(seed);
    for (int i = 0; i < minutes; i++) {
      if (random.nextInt(10) == 0) {
        demand[i] = Double.NaN;
      } else if (random.nextInt(40) == 0) {
        demand[i] *= 1 + 3 * random.nextDouble();
      }
    }
    Arrays.fill(demand, minutes / 2, minutes / 2 + 40, Double.NaN);
    return demand;
  }
}
