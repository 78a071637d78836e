package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static io.prescale.controller.autoscaling.ScalingCycles.cycle;
import static io.prescale.controller.autoscaling.ScalingCycles.settings;
import static io.prescale.controller.autoscaling.ScalingCycles.tick;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.ServedValue.Planned;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A new leader that has seen nothing takes over from one whose forecasts were trusted. */
class HandedOverTest {
  private final ScalingCycle cycle = cycle(settings(Duration.ofMinutes(1)));

  @BeforeEach
  void takeOver() {
    cycle.takeOver("requests", new HandedOver(25, List.of(new Planned(at(4), 40)), at(10)));
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

  /** Nothing was learned here before, so that forecasts cannot be judged all the time. */
  @Test
  void besideNewDemandItStandsAnHourLongerThanItsTimeToLive() {
    CycleResult result = tick(cycle, 1, 20);
    for (int minute = 2; minute < 70; minute++) {
      result = tick(cycle, minute, 20);
    }
    assertThat(served(result).value()).isEqualTo(40);
    assertThat(result.metrics().getFirst().trust().state()).isEqualTo(Trust.State.LEARNING);

    assertThat(served(tick(cycle, 70, 20)).value()).isEqualTo(20);
    assertThat(served(tick(cycle, 71, 20)).value()).isEqualTo(20);
  }

  @Test
  void aloneItEndsWithItsTimeToLive() {
    var before = new HandedOver(25, List.of(), at(10));

    assertThat(before.standsAt(at(9))).isTrue();
    assertThat(before.standsAt(at(10))).isFalse();
    assertThat(before.standsBesideDemandAt(at(69))).isTrue();
    assertThat(before.standsBesideDemandAt(at(70))).isFalse();
  }

  private static ServedValue served(CycleResult result) {
    return result.metrics().getFirst().served().orElseThrow();
  }

  private static void assertServed(CycleResult result, double value, Reason reason) {
    assertThat(served(result).value()).isEqualTo(value);
    assertThat(result.metrics().getFirst().decision().orElseThrow().reason()).isEqualTo(reason);
  }
}
