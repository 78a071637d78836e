package io.prescale.controller.web.live;

import static io.prescale.controller.web.live.TeamChat.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.RolloutStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.web.Mark;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkloadMarksTest {
  private final ClusterWorkloads workloads =
      new ClusterWorkloads(new MetricReadModel(), () -> NOON.plusSeconds(180));

  private List<Mark> marks() {
    return workloads
        .series("team/chat", Optional.empty(), Duration.ofDays(1))
        .orElseThrow()
        .marks();
  }

  @Test
  void marksIncidentsAndDeploys() {
    workloads.onAdd(
        TeamChat.decided(NOON, null, away(ConditionStatus.True, 0, "Every metric was read.")));
    var rolledOut = new RolloutStatus("7d4b9", NOON.plusSeconds(70));
    workloads.onAdd(
        TeamChat.decided(
            NOON.plusSeconds(120),
            rolledOut,
            away(ConditionStatus.False, 100, "requests: no answer."),
            new StatusCondition(
                ConditionType.ScalingActive,
                ConditionStatus.False,
                1L,
                NOON,
                ConditionReason.ShadowMode,
                "Shadow mode changes nothing.")));

    assertThat(marks())
        .extracting(mark -> mark.kind() + " " + mark.text())
        .containsExactly(
            "REFIT They know what was observed until then.",
            "DEPLOY The first pod of revision 7d4b9 was created.",
            "INCIDENT requests: no answer.");
    assertThat(marks().getLast().at()).isEqualTo(NOON.plusSeconds(100));
  }

  /** The status says that one replica has no node. */
  private void full(int minute) {
    workloads.onAdd(TeamChat.decided(NOON.plusSeconds(60L * minute), "13"));
  }

  private void roomy(int minute) {
    workloads.onAdd(TeamChat.placed(TeamChat.decided(NOON.plusSeconds(60L * minute), "13")));
  }

  @Test
  void toWaitTenMinutesForANodeIsNoIncident() {
    full(0);
    full(10);
    roomy(11);
    assertThat(incidents()).isEmpty();

    full(12);
    full(23);
    roomy(24);
    assertThat(incidents()).containsExactly("No node has room for a new replica.");
    assertThat(marks())
        .filteredOn(it -> it.kind() == Mark.Kind.INCIDENT || it.kind() == Mark.Kind.RECOVERY)
        .extracting(Mark::at)
        .containsExactly(NOON.plusSeconds(12 * 60), NOON.plusSeconds(24 * 60));
  }

  @Test
  void aNightAtZeroIsNoIncident() {
    var message =
        "KEDA's HorizontalPodAutoscaler says ScalingDisabled: scaling is disabled since the replica"
            + " count of the target is zero. Otherwise start one replica with kubectl scale.";
    workloads.onAdd(TeamChat.decided(NOON, null, active(ConditionStatus.False, message)));
    workloads.onAdd(
        TeamChat.decided(NOON.plusSeconds(60), null, active(ConditionStatus.True, "It scales.")));
    workloads.onAdd(
        TeamChat.decided(
            NOON.plusSeconds(120), null, active(ConditionStatus.False, "It says FailedGet: no.")));

    assertThat(incidents()).containsExactly("It says FailedGet: no.");
  }

  private List<String> incidents() {
    return marks().stream().filter(it -> it.kind() == Mark.Kind.INCIDENT).map(Mark::text).toList();
  }

  private static StatusCondition active(ConditionStatus status, String message) {
    return new StatusCondition(
        ConditionType.ScalingActive,
        status,
        1L,
        NOON,
        status == ConditionStatus.True ? ConditionReason.Scaling : ConditionReason.HpaInactive,
        message);
  }

  private static StatusCondition away(ConditionStatus status, int second, String message) {
    return new StatusCondition(
        ConditionType.MetricsAvailable,
        status,
        1L,
        NOON.plusSeconds(second),
        status == ConditionStatus.True
            ? ConditionReason.MetricsRead
            : ConditionReason.ServerUnreachable,
        message);
  }
}
