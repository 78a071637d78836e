package io.prescale.controller.web.live;

import static io.prescale.controller.web.live.TeamChat.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.web.WorkloadSummary;
import org.junit.jupiter.api.Test;

class FiguresOfADayTest {
  private final ClusterWorkloads workloads =
      new ClusterWorkloads(new MetricReadModel(), () -> NOON);

  private void observe(PredictiveHPA now) {
    workloads.onAdd(now);
  }

  private WorkloadSummary chat() {
    return workloads.workloads().getFirst();
  }

  @Test
  void aStatusStandsUntilTheNextOneButNotForLongerThanTenMinutes() {
    observe(TeamChat.decided(NOON, "13"));
    observe(TeamChat.decided(NOON.plusSeconds(180), "13"));
    observe(TeamChat.decided(NOON.plusSeconds(180 + 3600), "13"));

    assertThat(chat().shortSeconds()).isEqualTo((3 + 10 + 1) * 60);
    assertThat(chat().replicaHours()).isEqualTo(4 * (3 + 10 + 1) / 60.0);
    assertThat(chat().since()).contains(NOON);
  }

  /** The decision before stands, whose demand says nothing of the minute. */
  @Test
  void whatWasNotObservedIsNoShortage() {
    for (int minute = 0; minute < 5; minute++) {
      var problem = minute == 0 || minute == 4 ? null : "Prometheus is down.";
      observe(
          TeamChat.decided(
              NOON.plusSeconds(60L * minute), TeamChat.metric("requests", "13", problem)));
    }

    assertThat(chat().shortSeconds()).isEqualTo(120);
    assertThat(chat().reactive().shortSeconds()).isLessThanOrEqualTo(120);
    assertThat(chat().replicaHours()).isEqualTo(4 * 5 / 60.0);
  }

  @Test
  void onlyMinutesInTheCurrentModeCount() {
    for (int minute = 0; minute < 5; minute++) {
      var resource = TeamChat.decided(NOON.plusSeconds(60L * minute), "13");
      observe(minute < 3 ? TeamChat.inShadow(resource) : resource);
    }

    assertThat(chat().replicaHours()).isEqualTo(2 * 4 / 60.0);
    assertThat(chat().reactive().replicaHours()).isEqualTo(2 * 5 / 60.0);
    assertThat(chat().shortSeconds()).isEqualTo(120);
    assertThat(chat().since()).contains(NOON.plusSeconds(180));
  }
}
