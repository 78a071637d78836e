package io.prescale.controller.operator.status;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.ScaleInReason;
import io.prescale.controller.api.v1alpha1.ScaleInStatus;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.operator.PredictiveHpas;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusNewsTest {
  private static final PredictiveHPAStatus BEFORE =
      status("12", null, ConditionReason.Deciding, "Decisions are being made.");

  @Test
  void theFirstStatusIsNews() {
    assertThat(StatusNews.between(null, BEFORE)).isTrue();
  }

  @Test
  void anotherValueOrAnotherWordingIsNoNews() {
    var now = status("13", null, ConditionReason.Deciding, "Decisions are made.");

    assertThat(now).isNotEqualTo(BEFORE);
    assertThat(StatusNews.between(BEFORE, now)).isFalse();
  }

  @Test
  void anErrorIsNewsAndSoIsItsEnd() {
    var failing = status("12", "connection refused", ConditionReason.Deciding, "");

    assertThat(StatusNews.between(BEFORE, failing)).isTrue();
    assertThat(StatusNews.between(failing, BEFORE)).isTrue();
  }

  @Test
  void anotherReasonOfAConditionIsNews() {
    var now = status("12", null, ConditionReason.Starting, "Decisions are being made.");

    assertThat(StatusNews.between(BEFORE, now)).isTrue();
  }

  @Test
  void aFirstServedValueIsNews() {
    assertThat(
            StatusNews.between(
                status(null, null, ConditionReason.Deciding, "Decisions are being made."), BEFORE))
        .isTrue();
  }

  @Test
  void anOutageOfPrometheusIsNews() {
    var reading = available(null, ConditionStatus.True, ConditionReason.MetricsRead);
    var failing = available("refused", ConditionStatus.False, ConditionReason.ServerUnreachable);

    assertThat(StatusNews.between(reading, failing)).isTrue();
    assertThat(StatusNews.between(failing, reading)).isTrue();
  }

  @Test
  void allMayWaitButMarks() {
    var starting = status("12", null, ConditionReason.Starting, "Soon.");

    assertThat(StatusNews.mayWait(BEFORE, starting)).isTrue();
    assertThat(StatusNews.mayWait(null, BEFORE)).isTrue();
    assertThat(StatusNews.mayWait(PredictiveHPAStatus.only(null), BEFORE)).as("replicas").isTrue();
    assertThat(StatusNews.mayWait(null, marking("chat"))).isFalse();
    assertThat(StatusNews.mayWait(BEFORE, marking("chat"))).isFalse();
    assertThat(StatusNews.mayWait(starting.with(List.of()), BEFORE)).as("metrics alone").isTrue();
  }

  /** Otherwise a status would be written at each tick and at each change of the HPA. */
  @Test
  void replicasThatWaitAreNoNewsBetweenTicks() {
    var resource = PredictiveHpas.chat("requests");
    resource.setStatus(BEFORE);
    var later = new StatusBuilder(resource, NOON.plusSeconds(15));

    assertThat(later.with(Optional.empty(), List.of()).unschedulableReplicas()).isZero();
    assertThat(later.with(List.of()).unschedulableReplicas()).as("without ticks").isNull();
  }

  /** Or the next leader would not know where marks are to be removed. */
  @Test
  void anotherWorkloadWithMarkedPodsIsNews() {
    assertThat(StatusNews.between(marking("chat"), marking("mail"))).isTrue();
    assertThat(StatusNews.between(marking("chat"), marking("chat"))).isFalse();
  }

  private static PredictiveHPAStatus available(
      @Nullable String error, ConditionStatus status, ConditionReason reason) {
    return PredictiveHpas.status(
        List.of(PredictiveHpas.served("requests", "12", List.of(), error)),
        new StatusCondition(ConditionType.MetricsAvailable, status, 3L, NOON, reason, "It says."));
  }

  private static PredictiveHPAStatus marking(String deployment) {
    var target = new ScaleTargetRef("apps/v1", "Deployment", deployment);
    return BEFORE.withScaleIn(new ScaleInStatus(ScaleInReason.NoScaleInNear, "None.", target));
  }

  private static PredictiveHPAStatus status(
      @Nullable String served, @Nullable String error, ConditionReason reason, String message) {
    return PredictiveHpas.status(
        List.of(PredictiveHpas.served("requests", served, List.of(), error)),
        new StatusCondition(ConditionType.Ready, ConditionStatus.True, 3L, NOON, reason, message));
  }
}
