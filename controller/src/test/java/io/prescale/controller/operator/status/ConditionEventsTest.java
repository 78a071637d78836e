package io.prescale.controller.operator.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.operator.PredictiveHpas;
import io.prescale.controller.telemetry.Telemetry;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class ConditionEventsTest {
  private static final Instant NOON = PredictiveHpas.NOON;

  private KubernetesClient client;
  private final Telemetry telemetry = new Telemetry(Clock.systemUTC());
  private final PredictiveHPA resource = PredictiveHpas.chat("requests");

  @Test
  void tellsAConditionOnceAndAgainWhenItsReasonChanges() throws IOException {
    becomes(ConditionStatus.False, ConditionReason.NoSeries, "finds nothing", 0);
    becomes(ConditionStatus.False, ConditionReason.NoSeries, "finds nothing, still", 1);
    becomes(ConditionStatus.False, ConditionReason.ManySeries, "finds two", 2);
    becomes(ConditionStatus.True, ConditionReason.MetricsRead, "was read", 3);

    assertThat(events())
        .extracting(Event::getType, Event::getReason, Event::getMessage)
        .containsExactlyInAnyOrder(
            tuple("Warning", "NoSeries", "MetricsAvailable is False: finds nothing"),
            tuple("Warning", "ManySeries", "MetricsAvailable is False: finds two"),
            tuple("Normal", "MetricsRead", "MetricsAvailable is True: was read"));
    assertThat(events())
        .extracting(event -> event.getInvolvedObject().getUid())
        .containsOnly("uid-1");
    var page = new StringWriter();
    telemetry.write(page);
    assertThat(page.toString())
        .contains("prescale_writes_total{kind=\"event\",outcome=\"ok\",} 3.0");
  }

  @Test
  void whatAFirstStatusSaysIsNoEventUnlessItAlarms() {
    becomes(ConditionStatus.Unknown, ConditionReason.Starting, "", 0);

    assertThat(events()).isEmpty();
  }

  @Test
  void shadowModeIsNoAlarm() {
    report(ConditionType.ScalingActive, ConditionStatus.Unknown, ConditionReason.Starting, "", 0);
    report(ConditionType.ScalingActive, ConditionStatus.False, ConditionReason.ShadowMode, "", 1);

    assertThat(events()).extracting(Event::getType).containsExactly("Normal");
  }

  private void becomes(ConditionStatus status, ConditionReason reason, String message, int second) {
    report(ConditionType.MetricsAvailable, status, reason, message, second);
  }

  private void report(
      ConditionType type,
      ConditionStatus status,
      ConditionReason reason,
      String message,
      int second) {
    var condition = new StatusCondition(type, status, 3L, NOON, reason, message);
    var next = PredictiveHpas.status(List.of(), condition);
    reporting().report(resource, next, NOON.plusSeconds(second));
    resource.setStatus(next);
  }

  /** 2,000 PredictiveHPAs of a Prometheus that goes and comes back. */
  @Test
  void anOutageForAllIsTwentyEventsOfEachReasonAMinute() {
    var all = reporting();
    var gone = available(ConditionStatus.False, ConditionReason.ServerUnreachable);
    var back = available(ConditionStatus.True, ConditionReason.MetricsRead);
    for (int i = 0; i < 2_000; i++) {
      var one = PredictiveHpas.chat("requests");
      one.getMetadata().setName("chat-" + i);
      one.setStatus(back);
      all.report(one, gone, NOON.plusMillis(29L * i));
      one.setStatus(gone);
      all.report(one, back, NOON.plusMillis(29L * i + 1));
    }
    assertThat(events()).extracting(Event::getReason).hasSize(40);

    resource.setStatus(back);
    all.report(resource, gone, NOON.plusSeconds(60));
    assertThat(events()).as("in the next minute").hasSize(41);
  }

  @Test
  void whatOneTenantChangesHidesNothingOfAnothers() {
    var all = reporting();
    failures(all, "loud", 50, NOON);
    failures(all, "quiet", 1, NOON.plusSeconds(1));

    assertThat(events("loud")).hasSize(20);
    assertThat(events("quiet")).hasSize(1);

    failures(all, "loud", 1, NOON.minusSeconds(3_600));
    assertThat(events("loud")).as("after the clock was set back").hasSize(21);
  }

  @Test
  void ofAllTenantsAThousandAMinuteAreReported() {
    var all = reporting();
    for (int tenant = 0; tenant < 60; tenant++) {
      failures(all, "team-" + tenant, 20, NOON);
    }
    assertThat(client.v1().events().inAnyNamespace().list().getItems()).hasSize(1_000);
  }

  private static void failures(ConditionEvents events, String namespace, int count, Instant at) {
    for (int i = 0; i < count; i++) {
      var one = PredictiveHpas.chat("requests");
      one.getMetadata().setNamespace(namespace);
      one.getMetadata().setName("chat-" + i);
      one.setStatus(available(ConditionStatus.True, ConditionReason.MetricsRead));
      events.report(
          one, available(ConditionStatus.False, ConditionReason.NoSeries), at.plusMillis(i));
    }
  }

  private static PredictiveHPAStatus available(ConditionStatus status, ConditionReason reason) {
    return PredictiveHpas.status(
        List.of(),
        new StatusCondition(ConditionType.MetricsAvailable, status, 3L, NOON, reason, "said so"));
  }

  private ConditionEvents reporting() {
    return new ConditionEvents(
        client, new CountedWrites(telemetry, new WriteTurns(16, () -> 1, System::nanoTime)));
  }

  private List<Event> events() {
    return events("team");
  }

  private List<Event> events(String namespace) {
    return client.v1().events().inNamespace(namespace).list().getItems();
  }
}
