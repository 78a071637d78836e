package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.SIX;
import static io.prescale.controller.plan.live.BookedServices.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.CapacityPlan;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.plan.cluster.PlanQuestion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Plans of a cluster without cards. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class MadePlanTest {
  private static final class NoForecasts implements Forecasts {
    @Override
    public void retain(Set<String> uids) {}

    @Override
    public ServiceForecasts.Known known(PredictiveHPA resource, Instant now) {
      return UNKNOWN;
    }

    @Override
    public List<PredictiveHPA> due(List<PredictiveHPA> services, Instant now) {
      return List.of();
    }

    @Override
    public void renew(PredictiveHPA resource, Duration lead, Instant now) {}
  }

  private final List<PlanState> planned = new ArrayList<>();
  private KubernetesClient client;
  private Instant clock = SIX;

  private DayAheadRounds rounds() {
    var plans = new PlanSettings(Duration.ofMinutes(15), PlanQuestion.usual());
    return new DayAheadRounds(
        client,
        Set.of(),
        new NoForecasts(),
        () -> true,
        new AheadSettings(Optional.of(plans), Optional.empty(), Optional.empty()),
        () -> clock,
        planned::add,
        _ -> {});
  }

  @Test
  void theStoredPlansAgeCountsUntilAnotherOneIsWritten() {
    rounds().make();
    assertThat(planned).hasSize(3).startsWith(PlanState.since(SIX), PlanState.since(SIX));
    assertThat(planned.getLast().written()).isPresent();

    planned.clear();
    clock = SIX.plusSeconds(900);
    rounds().make();
    assertThat(planned)
        .extracting(it -> it.madeAt().orElseThrow())
        .as("of a new leader")
        .containsExactly(clock, SIX, clock);
    assertThat(client.resources(CapacityPlan.class).withName(CapacityPlan.NAME).get().getStatus())
        .isEqualTo(planned.getLast().written().orElseThrow());
  }
}
