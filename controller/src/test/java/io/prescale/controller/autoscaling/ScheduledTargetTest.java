package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.LEAD;
import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static io.prescale.controller.autoscaling.ScalingCycles.cycle;
import static io.prescale.controller.autoscaling.ScalingCycles.reading;
import static io.prescale.controller.autoscaling.ScalingCycles.settings;
import static io.prescale.controller.autoscaling.ScalingCycles.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.ServedValue.Planned;
import io.prescale.controller.schedules.Cron;
import io.prescale.controller.schedules.Schedule;
import io.prescale.controller.schedules.Schedules;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each replica carries 10; the cycles start at midnight UTC, and the lead time is 5 minutes. */
class ScheduledTargetTest {
  private static final Reading MISSING =
      new Reading.Missing(Reading.Reason.UNREACHABLE, "Prometheus is away.");

  @Test
  void aFloorIsServedOneLeadTimeAheadOfItsWindow() {
    var cycle = scheduled(between("0 1 * * *", "0 2 * * *", 8, null));

    assertThat(served(tick(cycle, 54, 20, 2))).isEqualTo(20);
    var early = tick(cycle, 55, 20, 2);
    assertThat(served(early)).isEqualTo(80);
    assertThat(early.desiredReplicas()).hasValue(8);
    assertThat(early.explanation().orElseThrow().sentences())
        .contains(
            "The served value is 80 (the minimum of schedule office): 8 replicas of 10 each.");
    assertThat(served(tick(cycle, 119, 20, 8))).isEqualTo(80);
    assertThat(served(tick(cycle, 120, 20, 8))).isEqualTo(20);
  }

  @Test
  void demandAboveTheFloorPrevails() {
    var cycle = scheduled(between("0 0 * * *", "0 2 * * *", 8, null));

    var result = tick(cycle, 1, 95, 8);

    assertThat(served(result)).isEqualTo(95);
    assertThat(reason(result)).isEqualTo(Reason.NOT_TRUSTED);
  }

  /** An HPA with a tolerance of 0.1 stays at 19 when 20 are asked for. */
  @Test
  void aFloorIsRaisedToANumberThatTheHpaActsOn() {
    var cycle = scheduled(between("0 0 * * *", "0 2 * * *", 20, null));

    assertThat(served(tick(cycle, 1, 5, 19))).isEqualTo(210);
    assertThat(served(tick(cycle, 2, 5, 21))).isEqualTo(200);
  }

  @Test
  void aCeilingIsServedEvenIfDemandNeedsMore() {
    var cycle = scheduled(between("0 0 * * *", "0 2 * * *", null, 4));

    var result = tick(cycle, 1, 95, 4);

    assertThat(served(result)).isEqualTo(40);
    assertThat(reason(result)).isEqualTo(Reason.SCHEDULED_CEILING);
    assertThat(result.explanation().orElseThrow().observed()).isEqualTo(95);
    assertThat(result.needed().orElseThrow().replicas()).isEqualTo(10);
    assertThat(served(tick(cycle, 120, 95, 4))).isEqualTo(95);
  }

  @Test
  void aFloorHoldsWhilePrometheusIsAway() {
    var cycle = scheduled(between("0 1 * * *", "0 2 * * *", 8, null));
    tick(cycle, 30, 20, 2);

    assertThat(served(tick(cycle, 54, MISSING, 2))).isEqualTo(20);
    assertThat(served(tick(cycle, 55, MISSING, 2))).isEqualTo(80);
    assertThat(served(tick(cycle, 90, MISSING, 8))).isEqualTo(80);
  }

  /** The time to live of 15 minutes is over. */
  @Test
  void aFloorIsNoReasonToRemoveReplicasWhileDemandIsUnknown() {
    var cycle = scheduled(between("0 1 * * *", "0 2 * * *", 8, null));
    tick(cycle, 30, 120, 12);

    var result = tick(cycle, 60, MISSING, 12);

    assertThat(served(result)).isEqualTo(120);
    assertThat(result.metrics().getFirst().served().orElseThrow().computedAt()).isEqualTo(at(60));
    assertThat(result.metrics().getFirst().missing()).isPresent();
  }

  @Test
  void aFloorHoldsBeforeAnythingWasObserved() {
    var cycle = scheduled(between("0 0 * * *", "0 2 * * *", 8, null));

    var result = tick(cycle, 1, MISSING, 2);

    assertThat(served(result)).isEqualTo(80);
    assertThat(reason(result)).isEqualTo(Reason.SCHEDULED_FLOOR);
    assertThat(result.explanation().orElseThrow().sentences())
        .startsWith("In the step before, requests was unknown.");
  }

  /** So it is served in time although the controller is away by then. */
  @Test
  void aFloorThatBeginsWithinTheTimeToLiveIsPlanned() {
    var cycle = scheduled(between("0 1 * * *", "0 2 * * *", 8, null));

    var value = tick(cycle, 45, 20, 2).metrics().getFirst().served().orElseThrow();

    assertThat(value.value()).isEqualTo(20);
    assertThat(value.plan()).containsExactly(new Planned(at(55), 80));
  }

  /** So it does not outlast its window in an outage that begins within it. */
  @Test
  void whatACeilingKeepsDownIsDueAgainWhenItEnds() {
    var cycle = scheduled(between("0 0 * * *", "0 1 * * *", null, 4));

    var value = tick(cycle, 50, 95, 4).metrics().getFirst().served().orElseThrow();

    assertThat(value.value()).isEqualTo(40);
    assertThat(value.plan()).containsExactly(new Planned(at(60), 95));
  }

  @Test
  void aFloorKeepsWhatTheLeaderBeforeServed() {
    var cycle = scheduled(between("0 0 * * *", "0 2 * * *", 8, null));
    var later = new Planned(at(6), 150);
    cycle.takeOver("requests", new HandedOver(120, List.of(later), at(15), false, false));

    assertThat(tick(cycle, 1, MISSING, 8).metrics().getFirst().served())
        .as("the status keeps it")
        .isEmpty();
  }

  @Test
  void aFloorPrevailsWhereNoReplicaIsNeeded() {
    var settings =
        settings(Duration.ofMinutes(1), Duration.ofMinutes(15))
            .withHpa(HpaRules.defaults().withReplicas(0, 40))
            .withRiskAtZero(0.05)
            .withSchedules(new Schedules(List.of(between("0 0 * * *", "0 2 * * *", 8, null))));
    var choice = new ScheduledChoice(10, HpaRules.defaults().deadBand());
    var idle = new Activity(Activity.Cause.IDLE, OptionalDouble.of(0.01));
    var zero =
        new ScalingDecision(
            OptionalDouble.of(0), 0, OptionalDouble.of(0.01), Reason.IDLE, Optional.of(idle));

    var kept =
        choice.within(settings.schedules().boundsAt(at(30), LEAD), zero, Optional.empty(), 0);
    var after =
        choice.within(settings.schedules().boundsAt(at(120), LEAD), zero, Optional.empty(), 8);

    assertThat(kept.reason()).isEqualTo(Reason.SCHEDULED_FLOOR);
    assertThat(kept.desiredReplicas()).isEqualTo(8);
    assertThat(kept.activity()).contains(idle);
    assertThat(after).isEqualTo(zero);
  }

  @Test
  void withoutAScheduleInForceAnOutageIsAsBefore() {
    var cycle = scheduled(between("0 5 * * *", "0 6 * * *", 8, null));
    tick(cycle, 30, 20, 2);

    var value = tick(cycle, 60, MISSING, 2).metrics().getFirst().served().orElseThrow();

    assertThat(value.computedAt()).isEqualTo(at(30));
  }

  private static ScalingCycle scheduled(Schedule schedule) {
    return cycle(
        settings(Duration.ofMinutes(1), Duration.ofMinutes(15))
            .withSchedules(new Schedules(List.of(schedule))));
  }

  private static Schedule between(
      String start, String end, @Nullable Integer floor, @Nullable Integer ceiling) {
    return new Schedule(
        "office",
        ZoneOffset.UTC,
        Cron.parse(start),
        Cron.parse(end),
        floor == null ? OptionalInt.empty() : OptionalInt.of(floor),
        ceiling == null ? OptionalInt.empty() : OptionalInt.of(ceiling));
  }

  private static CycleResult tick(ScalingCycle cycle, int minute, double demand, int replicas) {
    return tick(cycle, minute, reading(at(minute), demand), replicas);
  }

  private static CycleResult tick(ScalingCycle cycle, int minute, Reading reading, int replicas) {
    return Ticks.tick(cycle, at(minute), reading, state(replicas, LEAD));
  }

  private static double served(CycleResult result) {
    return result.metrics().getFirst().served().orElseThrow().value();
  }

  private static Reason reason(CycleResult result) {
    return result.metrics().getFirst().decision().orElseThrow().reason();
  }
}
