package io.prescale.controller.operator;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.BreakerStatus;
import io.prescale.controller.api.v1alpha1.ForecastPartsStatus;
import io.prescale.controller.api.v1alpha1.LeadingStatus;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.autoscaling.HandedOver;
import io.prescale.controller.autoscaling.ServedValue.Planned;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EarlierLeaderTest {
  private final PredictiveHPA resource = PredictiveHpas.chat("requests");

  @Test
  void whatWasServedAndPlannedByTrustedForecastsIsTakenOver() {
    resource.setStatus(PredictiveHpas.status(List.of(served("25", BreakerState.Closed))));

    assertThat(EarlierLeader.served(resource))
        .containsEntry(
            "requests",
            new HandedOver(
                25,
                List.of(new Planned(NOON.plusSeconds(300), 32.5)),
                NOON.plusSeconds(900),
                false,
                true));
  }

  @ParameterizedTest
  @EnumSource(names = "Closed", mode = EnumSource.Mode.EXCLUDE)
  void whatWasNotTrustedIsNot(BreakerState state) {
    resource.setStatus(PredictiveHpas.status(List.of(served("25", state))));

    assertThat(EarlierLeader.served(resource)).isEmpty();
  }

  @Test
  void whatIsAboutAnEarlierSpecOrNoDemandIsNot() {
    resource.setStatus(PredictiveHpas.status(List.of(served("twenty", BreakerState.Closed))));
    assertThat(EarlierLeader.served(resource)).isEmpty();

    resource.setStatus(PredictiveHpas.status(List.of(served("25", BreakerState.Closed))));
    resource.getMetadata().setGeneration(4L);
    assertThat(EarlierLeader.served(resource)).isEmpty();

    resource.setStatus(null);
    assertThat(EarlierLeader.served(resource)).isEmpty();
  }

  @Test
  void itIsKnownWhetherItsForecastFollowedALeadingSeries() {
    var parts =
        new ForecastPartsStatus(
            null, null, null, null, null, null, List.of(new LeadingStatus("gate", 180)));
    resource.setStatus(PredictiveHpas.status(List.of(served("25", BreakerState.Closed, parts))));

    assertThat(EarlierLeader.served(resource).get("requests"))
        .isNotNull()
        .extracting(HandedOver::followed)
        .isEqualTo(true);
  }

  /** It served what it had taken over from one that did, and did not follow the series yet. */
  @Test
  void soItIsOfATrustedLeaderThatHandsOnWhatItTookOver() {
    var json = new KubernetesSerialization();
    var status = PredictiveHpas.status(List.of(served("25", BreakerState.Closed)));
    ObjectNode node = json.convertValue(status, ObjectNode.class);
    node.putObject("lastDecision")
        .put("at", NOON.toString())
        .put("metric", "requests")
        .put("reason", "HandedOver");
    resource.setStatus(json.convertValue(node, PredictiveHPAStatus.class));

    assertThat(EarlierLeader.served(resource).get("requests"))
        .isNotNull()
        .extracting(HandedOver::followed)
        .isEqualTo(true);
  }

  private static MetricStatus served(String value, BreakerState state) {
    return served(value, state, null);
  }

  private static MetricStatus served(
      String value, BreakerState state, @Nullable ForecastPartsStatus parts) {
    return new MetricStatus(
        "requests",
        "4",
        "20",
        "25",
        value,
        NOON,
        120L,
        900L,
        "20",
        null,
        List.of(new PlanPoint(NOON.plusSeconds(300), "32500m")),
        null,
        null,
        null,
        new BreakerStatus(state, null),
        null,
        parts,
        null);
  }
}
