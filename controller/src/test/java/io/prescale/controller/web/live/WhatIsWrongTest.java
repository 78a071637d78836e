package io.prescale.controller.web.live;

import static io.prescale.controller.web.live.TeamChat.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.web.WorkloadSummary;
import io.prescale.controller.web.WorkloadSummary.State;
import org.junit.jupiter.api.Test;

class WhatIsWrongTest {
  private final ClusterWorkloads workloads =
      new ClusterWorkloads(new MetricReadModel(), () -> NOON);

  private void observe(PredictiveHPA now) {
    workloads.onAdd(now);
  }

  private WorkloadSummary chat() {
    return workloads.workloads().getFirst();
  }

  @Test
  void problemsAreReportedFromTheOutsideIn() {
    observe(TeamChat.decided(NOON, TeamChat.metric("requests", "13", "no answer")));
    assertThat(chat().state()).isEqualTo(State.BLIND);
    assertThat(chat().note()).isEqualTo("no answer");

    observe(
        TeamChat.undecided(
            new StatusCondition(
                ConditionType.Ready,
                ConditionStatus.False,
                1L,
                NOON,
                ConditionReason.TargetNotFound,
                "There is no Deployment chat.")));
    assertThat(chat().state()).isEqualTo(State.BROKEN);
    assertThat(chat().note()).isEqualTo("There is no Deployment chat.");
  }

  @Test
  void saysWhyNoHpaActsOnWhatIsServed() {
    observe(TeamChat.decided(NOON, "13"));
    assertThat(chat().notScaling()).isEmpty();

    observe(TeamChat.undecided(scaling(ConditionReason.TargetConflict, "HPA other scales chat.")));
    assertThat(chat().notScaling()).contains("HPA other scales chat.");
    assertThat(chat().state()).isNotEqualTo(State.BROKEN);

    observe(TeamChat.undecided(scaling(ConditionReason.ShadowMode, "Shadow changes nothing.")));
    assertThat(chat().notScaling()).as("in Shadow mode none should").isEmpty();

    var asleep = "HPA chat says ScalingDisabled: the replica count of the target is zero";
    observe(TeamChat.undecided(scaling(ConditionReason.HpaInactive, asleep)));
    assertThat(chat().notScaling()).as("at 0 by night").isEmpty();
  }

  private static StatusCondition scaling(ConditionReason reason, String message) {
    return new StatusCondition(
        ConditionType.ScalingActive, ConditionStatus.False, 1L, NOON, reason, message);
  }
}
