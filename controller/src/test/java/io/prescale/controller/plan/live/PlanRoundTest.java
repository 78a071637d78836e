package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.MORNING;
import static io.prescale.controller.plan.live.BookedServices.SIX;
import static io.prescale.controller.plan.live.BookedServices.deployment;
import static io.prescale.controller.plan.live.BookedServices.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.BookingMode;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.DemandAhead.Bounds;
import io.prescale.controller.plan.cluster.PlanQuestion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What a plan says of its own length. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class PlanRoundTest {
  private KubernetesClient client;

  /** A forecast of the day from then on. */
  private static ServiceForecasts.Known from(Instant origin) {
    var demand =
        DemandAhead.of(
            origin, ServiceForecast.STEP, 96, (_, _) -> 2, List.of(new Bounds(96, 1, 9)));
    return new ServiceForecasts.Known(
        Optional.of(new ServiceForecast(demand, Map.of(), Map.of(), 19)), Optional.empty(), false);
  }

  private CapacityPlanStatus plan(ServiceForecasts.Known ofCode) {
    return plan(MORNING, ofCode);
  }

  private CapacityPlanStatus plan(ServiceForecasts.Known ofChat, ServiceForecasts.Known ofCode) {
    for (var name : List.of("chat", "code")) {
      client.resource(deployment(name, 1)).inNamespace("models").createOr(it -> it.update());
    }
    var services =
        List.of(
            service("chat", Mode.Active, BookingMode.Off),
            service("code", Mode.Active, BookingMode.Off));
    return new PlanRound(client, services, PlanRound.MOST_WORKLOADS, SIX)
        .status(
            it -> it.getMetadata().getName().equals("code") ? ofCode : ofChat,
            Optional.empty(),
            PlanQuestion.usual(),
            SIX);
  }

  @Test
  void aPlanThatIsHoursShorterThanADayNamesTheServiceThatEndsIt() {
    var status = plan(from(SIX.minus(Duration.ofHours(3))));

    assertThat(status.summary())
        .endsWith(
            " The plan ends at Wed 03:00 UTC, as does the last forecast of models/code, which was"
                + " not renewed.");
    assertThat(status.workloads()).allSatisfy(it -> assertThat(it.demand()).isNotEmpty());
  }

  @Test
  void nothingFitsOfWhichNothingIsKnown() {
    var unknown = new ServiceForecasts.Known(Optional.empty(), Optional.of("No history."), false);

    assertThat(plan(unknown, unknown).summary()).isEqualTo("No service has a forecast yet.");
    assertThat(plan(unknown, from(SIX)).summary())
        .matches("(All that 1 service needs fits|1 shortage) \\(1 without a forecast\\).*");
  }

  @Test
  void forecastsOfTheLastHourAreUsual() {
    assertThat(plan(from(SIX.minus(Duration.ofHours(1)))).summary())
        .doesNotContain("The plan ends");
  }
}
