package io.prescale.controller.web.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.CapacityPlan;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanAsk;
import io.prescale.controller.api.v1alpha1.PlanCalibration;
import io.prescale.controller.api.v1alpha1.PlanDemand;
import io.prescale.controller.api.v1alpha1.PlanNodes;
import io.prescale.controller.api.v1alpha1.PlanPeak;
import io.prescale.controller.api.v1alpha1.PlanShape;
import io.prescale.controller.api.v1alpha1.PlanStatement;
import io.prescale.controller.api.v1alpha1.PlanWorkload;
import io.prescale.controller.web.PlanPage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@MockApi
class WrittenPlanTest {
  private static final Instant SIX = Instant.parse("2026-11-24T06:00:00Z");
  private static final Instant NINE = Instant.parse("2026-11-24T09:00:00Z");
  private static final String PATH =
      "/apis/placement.prescale.io/v1alpha1/capacityplans/" + CapacityPlan.NAME;

  @SuppressWarnings("NullAway.Init")
  private KubernetesMockServer server;

  @SuppressWarnings("NullAway.Init")
  private KubernetesClient client;

  private Instant now = SIX;

  private static CapacityPlanStatus status() {
    var demand = new PlanDemand(90, Collections.nCopies(92, 1000L));
    var statement =
        new PlanStatement(
            NINE,
            NINE.plusSeconds(3600),
            NINE.plusSeconds(900),
            List.of("models/llm-a"),
            "1 GPU",
            6,
            3,
            84,
            2,
            List.of(new PlanAsk("team/train-7", NINE.minusSeconds(900))),
            new PlanNodes(1, "h100", NINE.minusSeconds(1800)),
            "The morning.");
    return new CapacityPlanStatus(
        SIX.plusSeconds(600),
        SIX,
        900L,
        90,
        "1 shortage; first The morning.",
        List.of(statement),
        List.of(
            new PlanShape(
                "1 GPU", List.of("models/llm-a"), 2, List.of(new PlanPeak(90, 6, "6", NINE)))),
        List.of(
            new PlanWorkload(
                "models/llm-a", null, null, null, 60L, List.of(demand), List.of(), List.of(), null),
            new PlanWorkload(
                "a/b",
                null,
                null,
                null,
                null,
                List.of(),
                List.of(),
                List.of(),
                "No forecast yet.")),
        3,
        List.of(),
        new PlanCalibration(0, 0, List.of()));
  }

  @Test
  void showsWhatIsWrittenWithinTheTimeThatIsPlanned() {
    var page = WrittenPlan.page(status());

    assertThat(page.from()).isEqualTo(SIX);
    assertThat(page.until()).as("92 steps").isEqualTo(SIX.plus(Duration.ofHours(23)));
    assertThat(page.percent()).isEqualTo(90);
    assertThat(page.shortages())
        .containsExactly(
            new PlanPage.Shortage(
                NINE,
                NINE.plusSeconds(3600),
                NINE.plusSeconds(900),
                List.of("models/llm-a"),
                "1 GPU",
                6,
                3,
                84,
                2,
                List.of(new PlanPage.Ask("team/train-7", NINE.minusSeconds(900))),
                "1 node h100",
                NINE.minusSeconds(1800),
                "The morning."));
    assertThat(page.shapes().getFirst().peaks())
        .containsExactly(new PlanPage.Peak(90, 6, "6", NINE));
    assertThat(page.unplanned())
        .containsExactly(
            "a/b: No forecast yet.", "Left out, because the plan is full: 3 services.");
    assertThat(page.scored()).isEmpty();
  }

  @Test
  void aPlanWithoutAnythingIsADayAndOneThatWasNotMadeIsNone() {
    var empty =
        new CapacityPlanStatus(
            SIX, SIX, null, null, null, List.of(), List.of(), List.of(), null, List.of(), null);

    assertThat(WrittenPlan.page(empty).until()).isEqualTo(SIX.plus(Duration.ofDays(1)));
    assertThat(WrittenPlan.page(null))
        .isEqualTo(
            PlanPage.none("No plan has been made yet. The leader makes one every ten minutes."));
  }

  @Test
  void isReadAtMostEveryTenSeconds() throws IOException {
    server.expect().get().withPath(PATH).andReturn(404, "{}").once();
    var made = new CapacityPlan();
    made.getMetadata().setName(CapacityPlan.NAME);
    made.setStatus(status());
    server.expect().get().withPath(PATH).andReturn(200, made).once();
    var plan = new WrittenPlan(client, () -> now);

    assertThat(Optional.ofNullable(plan.plan().madeAt())).isEmpty();
    now = SIX.plusSeconds(9);
    assertThat(Optional.ofNullable(plan.plan().madeAt())).isEmpty();
    now = SIX.plusSeconds(10);
    assertThat(Optional.ofNullable(plan.plan().madeAt())).contains(SIX.plusSeconds(600));
    assertThat(server.getRequestCount()).isEqualTo(2);
  }

  @Test
  void aRefusalOfTheApiServerIsASentence() {
    server
        .expect()
        .get()
        .withPath(PATH)
        .andReturn(403, "{\"kind\":\"Status\",\"code\":403,\"message\":\"not for you\"}")
        .always();

    assertThatThrownBy(() -> new WrittenPlan(client, () -> now).plan())
        .isInstanceOf(IOException.class)
        .hasMessage("The plan cannot be read: not for you.");
  }
}
