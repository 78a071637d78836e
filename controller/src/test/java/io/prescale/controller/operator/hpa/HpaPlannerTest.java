package io.prescale.controller.operator.hpa;

import static java.util.Collections.disjoint;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehaviorBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.operator.hpa.HpaPlan.Apply;
import io.prescale.controller.operator.hpa.HpaPlan.Delete;
import io.prescale.controller.operator.hpa.HpaPlan.Reason;
import io.prescale.controller.operator.hpa.HpaPlan.Restore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HpaPlannerTest {
  private final KubernetesSerialization json = new KubernetesSerialization();
  private final HpaPlanner planner = new HpaPlanner(new HpaFeatures(true), json);

  @Test
  void makesAnHpaThatAsksForOurMetricBySelectorAndAverage() {
    var hpa = applied(plan(Hpas.wish(true), List.of()));

    assertThat(hpa.getMetadata().getName()).isEqualTo("prescale-chat-7b");
    assertThat(hpa.getMetadata().getOwnerReferences()).extracting("uid").containsExactly("uid-1");
    assertThat(hpa.getSpec().getMinReplicas()).isEqualTo(2);
    assertThat(hpa.getSpec().getMaxReplicas()).isEqualTo(9);
    var external = hpa.getSpec().getMetrics().getFirst().getExternal();
    assertThat(external.getMetric().getName()).isEqualTo("requests");
    assertThat(external.getMetric().getSelector().getMatchLabels())
        .containsExactly(Map.entry("predictivehpa", "chat-7b"));
    assertThat(external.getTarget().getType()).isEqualTo("AverageValue");
    assertThat(external.getTarget().getAverageValue()).isEqualTo(new Quantity("4"));
    assertThat(hpa.getSpec().getBehavior().getScaleUp().getTolerance())
        .isEqualTo(new Quantity("0"));
  }

  @Test
  void nativeMetricsStandUnchangedBesideOurs() {
    var cpu = Hpas.utilization("cpu", 70);

    assertThat(applied(plan(Hpas.alongside(cpu), List.of())).getSpec().getMetrics())
        .hasSize(2)
        .last()
        .isEqualTo(cpu);
  }

  @Test
  void leavesToleranceAwayWhereTheServerDoesNotKnowIt() {
    var older = new HpaPlanner(new HpaFeatures(false), json);

    assertThat(
            applied(older.plan(Hpas.wish(true), List.of(), Optional.empty(), Optional.empty()))
                .getSpec()
                .getBehavior())
        .isNull();
  }

  @Test
  void keepsTheUsersToleranceAndBehavior() {
    var behavior =
        new HorizontalPodAutoscalerBehaviorBuilder()
            .withNewScaleUp()
            .withTolerance(new Quantity("50m"))
            .withStabilizationWindowSeconds(30)
            .endScaleUp()
            .build();

    assertThat(applied(plan(Hpas.withBehavior(behavior), List.of())).getSpec().getBehavior())
        .isEqualTo(behavior);
  }

  @Test
  void writesNothingWhenTheServerHasAllOfItAndDefaultsBesides() {
    var wish = Hpas.wish(true);
    var live = asStored(applied(plan(wish, List.of())));

    assertThat(plan(wish, List.of(live)).steps()).isEmpty();
  }

  @Test
  void restoresWhatAnotherWriterChanged() {
    var wish = Hpas.wish(true);
    var live = asStored(applied(plan(wish, List.of())));
    live.getSpec().setMaxReplicas(3);

    assertThat(plan(wish, List.of(live)).steps()).singleElement().isInstanceOf(Apply.class);
  }

  @Test
  void deletesItsOwnHpaInShadowModeAndNoOther() {
    var ours = asStored(applied(plan(Hpas.wish(true), List.of())));
    var other =
        Hpas.users("mail", new CrossVersionObjectReference("apps/v1", "Deployment", "mail"));

    assertThat(plan(Hpas.wish(false), List.of(ours, other)).steps())
        .containsExactly(new Delete(ours));
  }

  @Test
  void refusesATargetThatAnotherHpaScales() {
    var plan = plan(Hpas.wish(true), List.of(Hpas.users("by-cpu", Hpas.CHAT)));

    assertThat(plan.steps()).isEmpty();
    assertThat(plan.refusal().orElseThrow().reason()).isEqualTo(Reason.TARGET_HAS_OTHER_HPA);
    assertThat(plan.refusal().orElseThrow().message())
        .isEqualTo(
            "HorizontalPodAutoscaler by-cpu scales Deployment/chat already, and Kubernetes obeys"
                + " neither of two; set spec.adopt: by-cpu to work through it, or delete it.");
  }

  @Test
  void saysWhichOtherPredictiveHpaScalesTheTarget() {
    var theirs = Hpas.users("prescale-other", Hpas.CHAT);
    theirs
        .getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withKind("PredictiveHPA")
                    .withName("other")
                    .withController(true)
                    .build()));

    assertThat(plan(Hpas.wish(true), List.of(theirs)).refusal().map(HpaPlan.Refusal::message))
        .contains(
            "PredictiveHPA other scales Deployment/chat already through HorizontalPodAutoscaler"
                + " prescale-other, and Kubernetes obeys neither of two; delete that PredictiveHPA"
                + " or this PredictiveHPA.");
  }

  @Test
  void yieldsToAnOlderPredictiveHpaAndGivesUpItsOwnHpa() {
    var ours = asStored(applied(plan(Hpas.wish(true), List.of())));

    var plan = planner.plan(Hpas.wish(true), List.of(ours), Optional.of("older"), Optional.empty());

    assertThat(plan.steps()).singleElement().isInstanceOf(Delete.class);
    assertThat(plan.refusal().orElseThrow().message())
        .isEqualTo(
            "PredictiveHPA older is older and scales Deployment/chat already; delete that"
                + " PredictiveHPA or this one, or set spec.mode: Shadow on one of them.");
  }

  @Test
  void takesTheSameNameOfAnotherGroupForAnotherTarget() {
    var other =
        Hpas.users("x", new CrossVersionObjectReference("example.io/v1", "Deployment", "chat"));

    assertThat(plan(Hpas.wish(true), List.of(other)).refusal()).isEmpty();
  }

  @Test
  void refusesAnHpaOfItsNameThatIsNotItsOwn() {
    var taken =
        Hpas.users(
            "prescale-chat-7b", new CrossVersionObjectReference("apps/v1", "Deployment", "mail"));

    var plan = plan(Hpas.wish(true), List.of(taken));

    assertThat(plan.steps()).isEmpty();
    assertThat(plan.refusal().orElseThrow().reason()).isEqualTo(Reason.HPA_NAME_TAKEN);
  }

  @Test
  void adoptsTheNamedHpaAndKeepsItsMetricsBesideOurs() {
    var plan = plan(Hpas.adopting("by-cpu"), List.of(Hpas.users("by-cpu", Hpas.CHAT)));

    var hpa = applied(plan);
    assertThat(hpa.getMetadata().getName()).isEqualTo("by-cpu");
    assertThat(hpa.getMetadata().getOwnerReferences()).isEmpty();
    assertThat(hpa.getSpec().getMetrics())
        .extracting("type")
        .containsExactly("External", "Resource");
    assertThat(hpa.getSpec().getMaxReplicas()).isEqualTo(9);
  }

  @Test
  void givesAnAdoptedHpaItsRulesBack() {
    var users = Hpas.users("by-cpu", Hpas.CHAT);
    var adopted = asStored(applied(plan(Hpas.adopting("by-cpu"), List.of(users))));

    var plan = plan(Hpas.released(Hpas.adopting("by-cpu")), List.of(adopted));

    assertThat(plan.steps()).containsExactly(new Restore(adopted, "chat-7b"));
    assertThat(original(plan)).isEqualTo(users.getSpec());
  }

  @Test
  void keepsTheOriginalRulesWhenItAppliesAgain() {
    var users = Hpas.users("by-cpu", Hpas.CHAT);
    var adopted = asStored(applied(plan(Hpas.adopting("by-cpu"), List.of(users))));
    adopted.getSpec().setMaxReplicas(5);

    var again = asStored(applied(plan(Hpas.adopting("by-cpu"), List.of(adopted))));

    var plan = plan(Hpas.released(Hpas.adopting("by-cpu")), List.of(again));
    assertThat(original(plan)).isEqualTo(users.getSpec());
  }

  @Test
  void restoresWhatIsLeftWithoutOurMetricWhenTheAnnotationIsBroken() {
    var users = Hpas.users("by-cpu", Hpas.CHAT);
    for (String broken : List.of("", "{", "7", "[]", "{}", "null")) {
      var adopted = asStored(applied(plan(Hpas.adopting("by-cpu"), List.of(users))));
      adopted.getMetadata().getAnnotations().put("prescale.io/original-spec", broken);

      var plan = plan(Hpas.released(Hpas.adopting("by-cpu")), List.of(adopted));

      var restored = original(plan);
      assertThat(restored.getMetrics()).containsExactly(Hpas.cpu());
      assertThat(restored.getMaxReplicas()).isEqualTo(9);
    }
  }

  @Test
  void refusesToAdoptWhatIsMissingElsewhereOrOwnedByOthers() {
    var mail = new CrossVersionObjectReference("apps/v1", "Deployment", "mail");
    var kedas = Hpas.users("by-cpu", Hpas.CHAT);
    kedas.getMetadata().setOwnerReferences(List.of(Hpas.owner("ScaledObject", "chat", "uid-9")));
    var taken = Hpas.users("by-cpu", Hpas.CHAT);
    taken.getMetadata().setAnnotations(Map.of("prescale.io/adopted-by", "another"));

    assertThat(refusal(List.of())).isEqualTo(Reason.ADOPTED_HPA_MISSING);
    assertThat(refusal(List.of(Hpas.users("by-cpu", mail))))
        .isEqualTo(Reason.ADOPTED_HPA_HAS_OTHER_TARGET);
    assertThat(refusal(List.of(kedas))).isEqualTo(Reason.HPA_OWNED_BY_OTHERS);
    assertThat(refusal(List.of(taken))).isEqualTo(Reason.HPA_OWNED_BY_OTHERS);
  }

  @Test
  void swapsItsOwnHpaForTheAdoptedOne() {
    var ours = asStored(applied(plan(Hpas.wish(true), List.of())));
    var users = Hpas.users("by-cpu", Hpas.CHAT);

    var steps = plan(Hpas.adopting("by-cpu"), List.of(ours, users)).steps();

    assertThat(steps).hasSize(2);
    assertThat(steps.getFirst()).isEqualTo(new Delete(ours));
    assertThat(steps.getLast()).isInstanceOf(Apply.class);
  }

  private HorizontalPodAutoscalerSpec original(HpaPlan plan) {
    var restore = (Restore) plan.steps().getFirst();
    return OriginalSpec.of(restore.adopted(), restore.predictiveHpa(), json);
  }

  private Reason refusal(List<HorizontalPodAutoscaler> existing) {
    var plan = plan(Hpas.adopting("by-cpu"), existing);
    assertThat(plan.steps()).isEmpty();
    return plan.refusal().orElseThrow().reason();
  }

  /** Of a PredictiveHPA that has its target for itself, with those HPAs that the index finds. */
  private HpaPlan plan(HpaWish wish, List<HorizontalPodAutoscaler> existing) {
    var keys = HpaIndex.keysFor(wish);
    var found = existing.stream().filter(hpa -> !disjoint(HpaIndex.keys(hpa), keys)).toList();
    var plan = planner.plan(wish, found, Optional.empty(), Optional.empty());
    assertThat(plan).isEqualTo(planner.plan(wish, existing, Optional.empty(), Optional.empty()));
    return plan;
  }

  private static HorizontalPodAutoscaler applied(HpaPlan plan) {
    assertThat(plan.refusal()).isEmpty();
    return ((Apply) plan.steps().getLast()).desired();
  }

  /** As the API server gives it back: with defaults and fields of its own. */
  private static HorizontalPodAutoscaler asStored(HorizontalPodAutoscaler applied) {
    return new HorizontalPodAutoscalerBuilder(applied)
        .editMetadata()
        .withUid("uid-hpa")
        .withResourceVersion("7")
        .endMetadata()
        .editSpec()
        .editOrNewBehavior()
        .editOrNewScaleUp()
        .withSelectPolicy("Max")
        .withStabilizationWindowSeconds(0)
        .endScaleUp()
        .endBehavior()
        .endSpec()
        .build();
  }
}
