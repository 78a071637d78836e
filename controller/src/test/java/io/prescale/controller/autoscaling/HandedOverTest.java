package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.DAY;
import static io.prescale.controller.autoscaling.ScalingCycles.LEAD;
import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static io.prescale.controller.autoscaling.ScalingCycles.cycle;
import static io.prescale.controller.autoscaling.ScalingCycles.series;
import static io.prescale.controller.autoscaling.ScalingCycles.settings;
import static io.prescale.controller.autoscaling.ScalingCycles.tick;
import static io.prescale.controller.autoscaling.ScalingCycles.wave;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.ServedValue.Planned;
import io.prescale.forecasting.online.ForecastParts;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A new leader that has seen nothing takes over from one whose forecasts were trusted. */
class HandedOverTest {
  private final ScalingCycle cycle = cycle(settings(Duration.ofMinutes(1)));

  @BeforeEach
  void takeOver() {
    cycle.takeOver(
        "requests", new HandedOver(25, List.of(new Planned(at(4), 40)), at(10), false, true));
  }

  @Test
  void theValueAndThePlanOfTheLeaderBeforeStand() {
    assertServed(tick(cycle, 1, 20), 25, Reason.HANDED_OVER);
    assertThat(served(tick(cycle, 2, 20)).plan()).containsExactly(new Planned(at(4), 40));
    assertServed(tick(cycle, 3, 20), 25, Reason.HANDED_OVER);
    assertServed(tick(cycle, 4, 20), 40, Reason.HANDED_OVER);
    assertThat(served(tick(cycle, 5, 20)).plan()).isEmpty();
  }

  @Test
  void demandThatIsHigherIsServed() {
    assertServed(tick(cycle, 1, 30), 30, Reason.NOT_TRUSTED);
  }

  @Test
  void knownDemandLowersNothingForAnHourAfterTheTimeToLiveEither() {
    tick(cycle, 3, 20);
    for (int minute = 4; minute <= 69; minute++) {
      assertServed(tick(cycle, minute, 20), 40, Reason.HANDED_OVER);
    }

    var after = tick(cycle, 70, 20);
    assertThat(trust(after)).isEqualTo(Trust.State.LEARNING);
    assertServed(after, 20, Reason.NOT_TRUSTED);
    assertServed(tick(cycle, 71, 20), 20, Reason.NOT_TRUSTED);
  }

  @Test
  void soonerWhereForecastsCanBeJudged() {
    assertServed(tick(cycle, 12, 20), 40, Reason.HANDED_OVER);

    var known = wave(2 * DAY, DAY, 1);
    cycle.learn("requests", series(at(12 - known.length), known));
    var after = tick(cycle, 13, known[0]);

    assertThat(trust(after)).isEqualTo(Trust.State.CLOSED);
    assertThat(after.metrics().getFirst().decision().orElseThrow().reason())
        .isNotEqualTo(Reason.HANDED_OVER);
  }

  @Test
  void whatAnEditOrAScheduleMayHaveDemandedEndsWithItsTimeToLive() {
    var next = cycle(settings(Duration.ofMinutes(1)));
    next.takeOver("requests", new HandedOver(40, List.of(), at(3), false, true).notAhead());

    assertServed(tick(next, 2, 20), 40, Reason.HANDED_OVER);
    assertServed(tick(next, 3, 20), 20, Reason.NOT_TRUSTED);
  }

  @Test
  void ofUnknownDemandItSaysNothingAfterItsTimeToLive() {
    var next = cycle(settings(Duration.ofMinutes(1)));
    next.takeOver("requests", new HandedOver(40, List.of(), at(3), false, true));

    var missing = new Reading.Missing(Reading.Reason.TIMEOUT, "It failed.");
    var unknown = Ticks.tick(next, at(4), missing, ScalingCycles.state(4, LEAD));

    assertThat(unknown.metrics().getFirst().served()).isEmpty();
    assertThat(unknown.desiredReplicas()).as("the HPA gets an error").isEmpty();
    assertServed(tick(next, 5, 20), 40, Reason.HANDED_OVER);
  }

  @Test
  void itIsBetterKnownWhereForecastsCannotBeJudgedOrDoNotFollowWhatItsFollowed() {
    assertThat(before(false).knowsMoreThan(forecast(Trust.State.LEARNING))).isTrue();
    assertThat(before(false).knowsMoreThan(forecast(Trust.State.CLOSED))).isFalse();
    assertThat(before(true).knowsMoreThan(forecast(Trust.State.CLOSED))).isTrue();
    assertThat(before(true).knowsMoreThan(forecast(Trust.State.CLOSED, "gate"))).isFalse();
    assertThat(before(true).knowsMoreThan(forecast(Trust.State.OPEN))).isFalse();
  }

  private static HandedOver before(boolean followed) {
    return new HandedOver(25, List.of(), at(10), followed, true);
  }

  private static MetricForecast forecast(Trust.State state, String... followed) {
    var leading =
        Stream.of(followed)
            .map(it -> new ForecastParts.Leading(it, Duration.ofMinutes(3)))
            .toList();
    var parts = new ForecastParts(1, 0, 0, 0, 0, List.of(), 0, leading);
    double[] levels = {0.5, 0.95};
    var quantiles = new QuantileForecast(at(0), LEAD, LEAD, levels, new double[] {1, 2}, parts);
    var unknown = OptionalDouble.empty();
    return new MetricForecast(
        new StepOutcome("requests", true, Optional.empty()),
        Optional.of(quantiles),
        new Trust(state, Optional.empty(), "", unknown, unknown, unknown, unknown, 0));
  }

  private static Trust.State trust(CycleResult result) {
    return result.metrics().getFirst().trust().state();
  }

  private static ServedValue served(CycleResult result) {
    return result.metrics().getFirst().served().orElseThrow();
  }

  private static void assertServed(CycleResult result, double value, Reason reason) {
    assertThat(served(result).value()).isEqualTo(value);
    assertThat(result.metrics().getFirst().decision().orElseThrow().reason()).isEqualTo(reason);
  }
}
