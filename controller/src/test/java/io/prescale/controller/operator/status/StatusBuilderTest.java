package io.prescale.controller.operator.status;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.LeadTimeSource;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.RolloutStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.HpaState;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.ScalingCycle;
import io.prescale.controller.autoscaling.Ticks;
import io.prescale.controller.operator.PredictiveHpas;
import io.prescale.controller.operator.SpecReader;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.operator.status.StatusBuilder.Replicas;
import io.prescale.forecasting.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class StatusBuilderTest {
  private static final Instant NOON = PredictiveHpas.NOON;
  private static final LeadTime LEAD = LeadTime.declared(Duration.ofMinutes(3));

  private final PredictiveHPA resource = PredictiveHpas.chat("requests");
  private final ScalingCycle cycle =
      new ScalingCycle(
          new SpecReader(new HpaFeatures(true)).settings(resource.getSpec()),
          LEAD,
          NOON.minusSeconds(60),
          Runnable::run);

  @Test
  void holdsWhatATickDecided() {
    var status = observe(NOON, 14.5);

    assertThat(status.observedGeneration()).isEqualTo(3);
    assertThat(status.target()).isEqualTo("Deployment/chat");
    assertThat(status.currentReplicas()).isEqualTo(2);
    assertThat(status.desiredReplicas()).isEqualTo(4);
    var lead = requireNonNull(status.leadTime());
    assertThat(lead.seconds()).isEqualTo(180);
    assertThat(lead.source()).isEqualTo(LeadTimeSource.Declared);
    var metric = status.metrics().getFirst();
    assertThat(metric.observed()).isEqualTo("14500m");
    assertThat(metric.served()).isEqualTo("14500m");
    assertThat(metric.servedAt()).isEqualTo(NOON);
    assertThat(metric.freshSeconds()).isEqualTo(120);
    assertThat(metric.ttlSeconds()).isEqualTo(900);
    assertThat(metric.averageValue()).isEqualTo("4");
    assertThat(requireNonNull(metric.breaker()).state()).isEqualTo(BreakerState.Learning);
    assertThat(metric.lastError()).isNull();
    assertThat(status.currentReplicas()).isEqualTo(2);
    assertThat(status.readyReplicas()).isEqualTo(1);
    assertThat(status.unschedulableReplicas()).isEqualTo(1);
    assertThat(status.cardsPerReplica()).isEqualTo("500m");
    var decision = requireNonNull(status.lastDecision());
    assertThat(decision.desiredReplicas()).isEqualTo(4);
    assertThat(requireNonNull(decision.hpa()).gate()).isEqualTo("NoHpa");
  }

  @Test
  void keepsTheLastValueAndSaysWhyThereIsNoNewOne() {
    resource.setStatus(observe(NOON, 14.5));
    var failed = tick(NOON.plusSeconds(60), missing("no answer in time"));
    resource.setStatus(failed);
    var restarted =
        new StatusBuilder(resource, NOON.plusSeconds(120))
            .after(
                Ticks.tick(fresh(), NOON.plusSeconds(120), missing("no answer"), replicas()),
                Replicas.withoutPods(2),
                List.of());

    assertThat(restarted.readyReplicas()).isNull();
    assertThat(restarted.unschedulableReplicas()).isNull();
    for (var status : List.of(failed, restarted)) {
      assertThat(status.metrics().getFirst().served()).isEqualTo("14500m");
      assertThat(status.metrics().getFirst().servedAt()).isEqualTo(NOON);
      assertThat(status.metrics().getFirst().lastError()).startsWith("no answer");
      assertThat(status.desiredReplicas()).isEqualTo(4);
      assertThat(status.cardsPerReplica()).isEqualTo("500m");
    }
  }

  @Test
  void forgetsTheCardsOfAReplicaWhosePodsNoLongerSay() {
    resource.setStatus(observe(NOON, 14.5));
    var at = NOON.plusSeconds(60);
    var result = Ticks.tick(cycle, at, missing("no answer"), replicas());
    var mig =
        new Replicas(2, OptionalInt.of(2), OptionalInt.of(0), true, OptionalDouble.empty(), null);

    var status = new StatusBuilder(resource, at).after(result, mig, List.of());

    assertThat(status.cardsPerReplica()).isNull();
  }

  @Test
  void remembersOnlyDecisionsThatDifferAndTwentyAtMost() {
    for (int minute = 0; minute < 5; minute++) {
      resource.setStatus(observe(NOON.plusSeconds(60L * minute), 14));
    }
    assertThat(resource.getStatus().decisions()).hasSize(1);
    assertThat(resource.getStatus().decisions().getFirst().at()).isEqualTo(NOON);

    for (int minute = 5; minute < 50; minute++) {
      resource.setStatus(observe(NOON.plusSeconds(60L * minute), minute % 2 == 0 ? 9 : 30));
    }
    assertThat(resource.getStatus().decisions()).hasSize(20);
    assertThat(resource.getStatus().decisions())
        .isSortedAccordingTo((a, b) -> b.at().compareTo(a.at()));
  }

  @Test
  void reportsWhatTheHpaMadeOfADecisionAsSoonAsItHasReadIt() {
    for (int minute = 0; minute < 30; minute++) { // each value asks for four replicas
      var at = NOON.plusSeconds(60L * minute);
      double value = 13 + minute % 2;
      var result =
          Ticks.tick(cycle, at, observed(at, value), new ReplicaState(2, 2, LEAD, read(9)));
      var decision = result.explanation().orElseThrow();
      resource.setStatus(new StatusBuilder(resource, at).after(result, counts(2, 0), List.of()));
      assertThat(gate()).isEqualTo("NotReadYet");

      resource.setStatus(look(decision.seenBy(rules(), read(9)), at));
      assertThat(gate()).isEqualTo("NotReadYet");
      var seen = decision.seenBy(rules(), read(decision.served()));
      resource.setStatus(look(seen, at));
      assertThat(gate()).isEqualTo("None");
      assertThat(seen.seenBy(rules(), Optional.empty())).isEqualTo(seen);
    }

    assertThat(resource.getStatus().decisions()).hasSize(1);
    assertThat(resource.getStatus().decisions().getFirst().gate()).isEqualTo("None");
    assertThat(resource.getStatus().decisions().getFirst().at()).isEqualTo(NOON);
    assertThat(requireNonNull(resource.getStatus().lastDecision()).at())
        .isEqualTo(NOON.plusSeconds(29 * 60));
  }

  private HpaRules rules() {
    return new SpecReader(new HpaFeatures(true)).settings(resource.getSpec()).hpa();
  }

  private String gate() {
    var decision = requireNonNull(resource.getStatus().lastDecision());
    return requireNonNull(requireNonNull(decision.hpa()).gate());
  }

  private PredictiveHPAStatus look(Explanation seen, Instant at) {
    return new StatusBuilder(resource, at.plusSeconds(15)).with(Optional.of(seen), List.of());
  }

  /** Two replicas, when the HPA has read a value and asks for four. */
  private static Optional<HpaState> read(double value) {
    return Optional.of(
        new HpaState(
            2,
            4,
            List.of(new HpaState.SeenMetric("requests", Math.ceil(500 * value) / 1000)),
            List.of()));
  }

  private static Reading.Observed observed(Instant at, double value) {
    return new Reading.Observed(List.of(new Sample(at, value)));
  }

  @Test
  void datesAConditionByItsLastChangeOfStatus() {
    resource.setStatus(
        new StatusBuilder(resource, NOON)
            .with(
                List.of(
                    Conditions.problem(
                        ConditionType.Ready, ConditionReason.TargetNotFound, "no target"))));
    var later =
        new StatusBuilder(resource, NOON.plusSeconds(60))
            .with(
                List.of(
                    Conditions.problem(
                        ConditionType.Ready, ConditionReason.SecretNotFound, "x".repeat(3000))));

    var condition = ready(later);
    assertThat(condition.lastTransitionTime()).isEqualTo(NOON);
    assertThat(condition.reason()).isEqualTo(ConditionReason.SecretNotFound);
    assertThat(condition.message()).hasSize(1024).endsWith("…");
    assertThat(condition.observedGeneration()).isEqualTo(3);

    resource.setStatus(later);
    assertThat(ready(observe(NOON.plusSeconds(120), 8)).lastTransitionTime())
        .isEqualTo(NOON.plusSeconds(120));
  }

  @Test
  void everyReadingThatFailsHasItsReason() {
    for (Reading.Reason reason : Reading.Reason.values()) {
      var result = Ticks.tick(fresh(), NOON, new Reading.Missing(reason, "because"), replicas());
      var finding = Conditions.metricsAvailable(result, Optional.empty());
      assertThat(finding.status()).isEqualTo(ConditionStatus.False);
      assertThat(finding.message()).isEqualTo("requests: because");
      assertThat(Conditions.ready(result).reason()).isEqualTo(ConditionReason.Starting);
    }
  }

  @Test
  void aValueThatAnotherReplicaServedSinceIsNotOverwrittenByAnOlderOne() {
    observe(NOON, 14.5);
    var other = fresh();
    var later = NOON.plusSeconds(300);
    resource.setStatus(
        new StatusBuilder(resource, later)
            .after(
                Ticks.tick(other, later, observed(later, 50), replicas()),
                counts(1, 1),
                List.of()));

    var back = tick(NOON.plusSeconds(360), missing("no answer in time"));

    assertThat(back.metrics().getFirst().served()).isEqualTo("50");
    assertThat(back.metrics().getFirst().servedAt()).isEqualTo(later);
  }

  @Test
  void whileNothingIsDecidedNoConditionClaimsThatItIs() {
    resource.setStatus(observe(NOON, 14.5));
    var gone = Conditions.notReady(ConditionReason.TargetNotFound, "There is no Deployment chat.");

    var status = new StatusBuilder(resource, NOON.plusSeconds(60)).with(gone);

    assertThat(ready(status).message()).isEqualTo("There is no Deployment chat.");
    assertThat(status.conditions())
        .filteredOn(condition -> condition.type() != ConditionType.Ready)
        .hasSize(3)
        .allMatch(condition -> condition.status() == ConditionStatus.Unknown)
        .allMatch(condition -> condition.reason() == ConditionReason.NotDeciding);
  }

  @Test
  void beforeTheFirstStepNoMetricIsCalledMissing() {
    var result = Ticks.tick(fresh(), NOON, new Reading.Observed(List.of()), replicas());

    assertThat(Conditions.ready(result).message())
        .isEqualTo("No decision has been made yet; the first one follows the first whole step.");
  }

  private ScalingCycle fresh() {
    return new ScalingCycle(
        new SpecReader(new HpaFeatures(true)).settings(resource.getSpec()),
        LEAD,
        NOON.minusSeconds(60),
        Runnable::run);
  }

  private PredictiveHPAStatus observe(Instant at, double value) {
    return tick(at, observed(at, value));
  }

  private static Reading.Missing missing(String message) {
    return new Reading.Missing(Reading.Reason.UNREACHABLE, message);
  }

  private PredictiveHPAStatus tick(Instant at, Reading reading) {
    CycleResult result = Ticks.tick(cycle, at, reading, replicas());
    return new StatusBuilder(resource, at)
        .after(result, counts(1, 1), List.of(Conditions.ready(result)));
  }

  private static Replicas counts(int ready, int unschedulable) {
    return new Replicas(
        2,
        OptionalInt.of(ready),
        OptionalInt.of(unschedulable),
        true,
        OptionalDouble.of(0.5),
        new RolloutStatus("7d4b9", NOON));
  }

  private static ReplicaState replicas() {
    return new ReplicaState(2, 2, LEAD, Optional.empty());
  }

  private static StatusCondition ready(PredictiveHPAStatus status) {
    return Conditions.of(status.conditions(), ConditionType.Ready).orElseThrow();
  }
}
