package io.prescale.controller.plan.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanBounds;
import io.prescale.controller.api.v1alpha1.PlanDemand;
import io.prescale.controller.api.v1alpha1.PlanWorkload;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.DemandAhead.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A plan is made anew from what a status carries, whatever else that carries. */
class PlannedClusterTest {
  private static final Instant NOW = Instant.parse("2026-11-24T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(15);

  private final PlannedObjects objects = new PlannedObjects().nodes(4);

  private static PlanWorkload workload(String app, List<PlanDemand> demand, int steps) {
    var bounds = List.of(new PlanBounds(steps, 0, 50));
    var ranks = List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    return new PlanWorkload(
        "team/" + app, "apps/v1", "Deployment", app, 300L, demand, bounds, ranks, null);
  }

  private static PlanWorkload upTo(String app, double replicas, int steps) {
    var demand =
        DemandAhead.of(
            NOW, STEP, steps, (_, level) -> replicas * level, List.of(new Bounds(steps, 0, 50)));
    return workload(app, WorkloadPlans.demand(demand), steps);
  }

  private PlannedCluster cluster() {
    objects.target("chat").target("code");
    return new PlannedCluster(objects.objects(), List.of(), objects.targets());
  }

  private static CapacityPlanStatus status(List<PlanWorkload> workloads) {
    return new CapacityPlanStatus(
        NOW, NOW, STEP.toSeconds(), 90, "", List.of(), List.of(), workloads, null, List.of(), null);
  }

  @Test
  void growthIsAnsweredFromTheDemandsOfTheStatus() {
    var status = status(List.of(upTo("chat", 8, 8), upTo("code", 1, 8)));
    var asIs = new PlanQuestion(0.9, 1, Set.of(), Duration.ZERO);
    var grown = new PlanQuestion(0.9, 1.5, Set.of(), Duration.ZERO);

    var now = cluster().answered(status, asIs, NOW);
    var then = cluster().answered(status, grown, NOW);

    // 0.85 of 8 and of 1, in the ninth of ten scenarios: 7 and 1.
    assertThat(now.statements()).isEmpty();
    assertThat(now.shapes().getFirst().peaks().get(1).replicas()).isEqualTo(8);
    assertThat(then.shapes().getFirst().peaks().get(1).replicas()).isEqualTo(13);
    assertThat(then.statements()).hasSize(1);
    assertThat(then.statements().getFirst().fits()).isEqualTo(8);
  }

  @Test
  void aWorkloadThatMakesNoSenseDoesNotStopTheOthers() {
    var workloads =
        new ArrayList<>(
            List.of(
                upTo("chat", 4, 8),
                upTo("gone", 4, 8),
                upTo("code", 4, 7),
                workload("code", List.of(new PlanDemand(50, List.of(1L))), 1),
                workload("code", Collections.nCopies(7, new PlanDemand(50, List.of(-1L))), 1)));

    var made = cluster().plan(workloads, NOW, STEP, PlanQuestion.usual(), NOW);

    assertThat(made.answer().shapes()).hasSize(1);
    assertThat(made.answer().shapes().getFirst().workloads()).containsExactly("team/chat");
    assertThat(made.workloads().getFirst().problem()).isNull();
    assertThat(made.workloads().subList(1, 5))
        .allSatisfy(it -> assertThat(it.problem()).isNotBlank());
    assertThat(made.workloads().get(1).problem())
        .isEqualTo("Deployment gone is not there, or of a kind that is not planned for");
  }

  @Test
  void ranksThatDoNotFitEachOtherAreRefused() {
    var chat = upTo("chat", 4, 8);
    var other =
        new PlanWorkload(
            "team/code",
            "apps/v1",
            "Deployment",
            "code",
            300L,
            chat.demand(),
            chat.bounds(),
            List.of(1),
            null);

    assertThatThrownBy(
            () -> cluster().answered(status(List.of(chat, other)), PlanQuestion.usual(), NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("every workload has one rank in each scenario");
    var empty = new PlannedCluster(objects.objects(), List.of(), Map.of());
    assertThat(empty.asksForCards("team/chat", NOW)).isFalse();
  }
}
