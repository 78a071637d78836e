package io.prescale.controller.scheduler.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.controller.scheduler.evictions.ProtectedPods;
import io.prescale.controller.scheduler.reclaim.ApiWithoutRepetition;
import io.prescale.placement.consolidation.Move.Reason;
import io.prescale.placement.moves.MoveNotice;
import io.prescale.placement.moves.MoveStep;
import io.prometheus.client.CollectorRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Evictions of pod p, whose notice has run out. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class MoveActionsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant LATER = NOW.plus(ProtectedPods.UNTIL_OTHERS);
  private static final String EVENTS = "/api/v1/namespaces/team/events";
  private static final MovablePod POD = MoveReportsTest.POD;
  private static final MoveStep EVICT =
      new MoveStep.Evict(
          "u", new MoveNotice(NOW, "b", Set.of("GPU-0"), Reason.SICK_CARD, Optional.empty()));

  private KubernetesMockServer server;
  private KubernetesClient client;

  private MoveActions answered(int code, String message) {
    server
        .expect()
        .post()
        .withPath("/api/v1/namespaces/team/pods/p/eviction")
        .andReturn(code, new StatusBuilder().withCode(code).withMessage(message).build())
        .always();
    server.expect().post().withPath(EVENTS).andReturn(201, "{}").always();
    var writer = new PodWriter(ApiWithoutRepetition.of(client));
    return new MoveActions(
        writer,
        new MoveReports(writer, _ -> Optional.of(POD)),
        new MoveMetrics(new CollectorRegistry()),
        _ -> Optional.of(POD));
  }

  /** Otherwise its move is under way for ever, and no other one begins. */
  @Test
  void aPodThatCanNeverBeEvictedIsProtectedAndSaysWhy() throws InterruptedException {
    var actions =
        answered(500, "This pod has more than one PodDisruptionBudget, which is not supported.");

    actions.carryOut(List.of(EVICT), () -> true, NOW);

    assertThat(actions.refused(LATER)).containsExactly("u");
    server.takeRequest();
    var event = Serialization.unmarshal(server.takeRequest().getBody().readUtf8(), Event.class);
    assertThat(event.getReason()).isEqualTo("MoveWaits");
    assertThat(event.getMessage())
        .isEqualTo(
            "Its eviction is refused, and tried again: This pod has more than one"
                + " PodDisruptionBudget, which is not supported.");
  }

  @ParameterizedTest
  @CsvSource({"403, true", "429, true", "404, false", "409, false", "500, false", "503, false"})
  void whatLastsIsARefusalAndWhatPassesIsNot(int code, boolean isRefused) {
    var actions = answered(code, "no");

    actions.carryOut(List.of(EVICT), () -> true, NOW);

    assertThat(actions.refused(LATER)).hasSize(isRefused ? 1 : 0);
    assertThat(actions.begun(NOW)).isZero();
  }
}
