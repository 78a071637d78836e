package io.prescale.controller.operator.hpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.operator.hpa.HpaPlan.Apply;
import io.prescale.controller.operator.hpa.HpaPlan.Reason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where another adapter serves the cluster's external metrics; other refusals: planner's test. */
class HpaRefusalsTest {
  private final HpaPlanner planner =
      new HpaPlanner(new HpaFeatures(true), new KubernetesSerialization());

  @Test
  void makesAndAdoptsNoHpaThatAnotherAdapterWouldAnswer() {
    var theirs = Hpas.users("by-cpu", Hpas.CHAT);

    for (var plan :
        List.of(
            unserved(Hpas.wish(true), List.of()),
            unserved(Hpas.adopting("by-cpu"), List.of(theirs)),
            unserved(
                Hpas.through(HpaWish.Keeper.USER),
                List.of(Hpas.reading("own", "requests", "4"))))) {
      assertThat(plan.steps()).isEmpty();
      assertThat(plan.refusal())
          .contains(new HpaPlan.Refusal(Reason.METRICS_SERVED_BY_OTHERS, "theirs"));
    }
    assertThat(unserved(Hpas.wish(false), List.of()).refusal()).isEmpty();
    assertThat(
            unserved(Hpas.through(HpaWish.Keeper.KEDA), List.of(Hpas.ofKeda("chat", "s0-requests")))
                .refusal()
                .map(HpaPlan.Refusal::reason))
        .isNotEqualTo(Optional.of(Reason.METRICS_SERVED_BY_OTHERS));
  }

  @Test
  void keepsAnHpaOfOursUpToDateWhenAnotherAdapterHasTakenTheApi() {
    var ours = applied(Hpas.wish(true), List.of());
    var adopted = applied(Hpas.adopting("by-cpu"), List.of(Hpas.users("by-cpu", Hpas.CHAT)));
    ours.getSpec().setMaxReplicas(4);
    adopted.getSpec().setMaxReplicas(4);

    for (var plan :
        List.of(
            unserved(Hpas.wish(true), List.of(ours)),
            unserved(Hpas.adopting("by-cpu"), List.of(adopted)))) {
      assertThat(((Apply) plan.steps().getFirst()).desired().getSpec().getMaxReplicas())
          .isEqualTo(9);
      assertThat(plan.refusal().orElseThrow().reason()).isEqualTo(Reason.METRICS_SERVED_BY_OTHERS);
    }
  }

  @Test
  void knowsTheMaximumThatAnAdoptedHpaGetsBack() {
    var theirs = Hpas.users("by-cpu", Hpas.CHAT);
    var adopted = applied(Hpas.adopting("by-cpu"), List.of(theirs));

    assertThat(planner.ownMaximum(Hpas.adopting("by-cpu"), List.of(adopted))).hasValue(20);
    assertThat(planner.ownMaximum(Hpas.adopting("by-cpu"), List.of(theirs))).isEmpty();
  }

  private HpaPlan unserved(HpaWish wish, List<HorizontalPodAutoscaler> existing) {
    return planner.plan(wish, existing, Optional.empty(), Optional.of("theirs"));
  }

  private HorizontalPodAutoscaler applied(HpaWish wish, List<HorizontalPodAutoscaler> existing) {
    var plan = planner.plan(wish, existing, Optional.empty(), Optional.empty());
    return ((Apply) plan.steps().getLast()).desired();
  }
}
