package io.prescale.controller.operator;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.DecisionSummary;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.ScalingCycle;
import io.prescale.controller.autoscaling.Ticks;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.operator.status.StatusBuilder;
import io.prescale.controller.operator.status.StatusBuilder.Replicas;
import io.prescale.forecasting.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Statuses of a PredictiveHPA that get no turn, as when 2,000 begin together. */
class WaitingStatusTest {
  private static final LeadTime LEAD = LeadTime.declared(Duration.ofMinutes(3));
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final WaitingStatus waiting = new WaitingStatus();
  private final PredictiveHPA resource = PredictiveHpas.chat("requests");
  private final ScalingCycle cycle =
      new ScalingCycle(
          new SpecReader(new HpaFeatures(true)).settings(resource.getSpec()),
          LEAD,
          NOON.minus(MINUTE),
          Runnable::run);

  @Test
  void theNextStatusHasTheDecisionsThatWaited() {
    resource.setStatus(tick(0, 14.5));
    waiting.written(NOON);
    waiting.waits(tick(1, 30));
    waiting.waits(tick(2, 9));

    var next = tick(3, 30);

    assertThat(next.decisions())
        .extracting(DecisionSummary::at)
        .containsExactly(at(3), at(2), at(1), at(0));
    assertThat(next.decisions())
        .extracting(DecisionSummary::observed)
        .containsExactly("30", "9", "30", "14500m");
  }

  @Test
  void whatWasWrittenDoesNotWaitAnyMore() {
    resource.setStatus(tick(0, 14.5));
    waiting.waits(tick(1, 30));
    waiting.written(at(1));

    assertThat(waiting.on(resource)).isSameAs(resource);
  }

  @Test
  void whatAnotherReplicaHasDecidedSinceStands() {
    resource.setStatus(tick(0, 14.5));
    waiting.waits(tick(1, 30));
    resource.setStatus(tick(2, 9));

    assertThat(waiting.on(resource)).isSameAs(resource);
  }

  /** As where a page of values is newer. */
  @Test
  void onlyDecisionsAreTakenFromWhatWaits() {
    resource.setStatus(tick(0, 14.5));
    waiting.waits(tick(1, 30));

    var next = waiting.on(resource).getStatus();

    assertThat(next.metrics()).isEqualTo(resource.getStatus().metrics());
    assertThat(next.decisions().getFirst().observed()).isEqualTo("30");
  }

  @Test
  void whatWaitsOutlivesAnEdit() {
    resource.setStatus(tick(0, 14.5));
    waiting.waits(tick(1, 30));
    var edited = new WaitingStatus();

    edited.goOnFrom(waiting);

    assertThat(edited.on(resource).getStatus().decisions()).hasSize(2);
  }

  @Test
  void aStatusWithoutADecisionLosesNothing() {
    waiting.waits(new StatusBuilder(resource, NOON).with(List.of()));

    assertThat(waiting.on(resource)).isSameAs(resource);
  }

  @Test
  void withoutNewsOneIsDueAtTheTickNearestToItsTime() {
    var every = MINUTE.multipliedBy(7);
    waiting.written(NOON);

    assertThat(waiting.isDue(every, MINUTE, at(6))).isFalse();
    assertThat(waiting.isDue(every, MINUTE, at(7).minusSeconds(30))).isTrue();
  }

  private PredictiveHPAStatus tick(int minute, double demand) {
    var now = at(minute);
    var reading = new Reading.Observed(List.of(new Sample(now, demand)));
    var result = Ticks.tick(cycle, now, reading, new ReplicaState(2, 2, LEAD, Optional.empty()));
    return new StatusBuilder(waiting.on(resource), now)
        .after(result, Replicas.withoutPods(2), List.of());
  }

  private static Instant at(int minute) {
    return NOON.plus(MINUTE.multipliedBy(minute));
  }
}
