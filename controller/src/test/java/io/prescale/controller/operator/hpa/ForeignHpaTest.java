package io.prescale.controller.operator.hpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.operator.hpa.HpaPlan.Reason;
import io.prescale.controller.operator.hpa.HpaWish.Keeper;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** HPAs that are read and never written. */
class ForeignHpaTest {
  private static final String BLOCK =
      "- {type: External, external: {metric: {name: requests, selector: {matchLabels:"
          + " {predictivehpa: chat-7b}}}, target: {type: AverageValue, averageValue: \"4\"}}}";

  private final HpaPlanner planner =
      new HpaPlanner(new HpaFeatures(true), new KubernetesSerialization());

  @Test
  void aUsersHpaThatReadsOurMetricIsInForceAndLeftAsItIs() {
    var users = Hpas.reading("in-git", "requests", "4");

    assertThat(plan(Keeper.USER, users)).isEqualTo(new HpaPlan(List.of(), Optional.empty()));
    assertThat(inForce(Keeper.USER, users)).contains(users);
    assertThat(HpaInForce.called(Hpas.through(Keeper.USER), inForce(Keeper.USER, users)))
        .isEqualTo("Your HorizontalPodAutoscaler in-git");
  }

  @Test
  void averageValuesAreComparedAsNumbers() {
    assertThat(plan(Keeper.USER, Hpas.reading("in-git", "requests", "4000m")).refusal()).isEmpty();
  }

  @Test
  void withoutAnHpaTheBlockToPasteIsSaid() {
    refused(
        plan(Keeper.USER),
        "No HorizontalPodAutoscaler scales Deployment/chat; make one with this in its spec.metrics:"
            + " "
            + BLOCK);
  }

  @Test
  void anHpaOfAnotherTargetDoesNotCount() {
    var other =
        Hpas.users("other", new CrossVersionObjectReference("apps/v1", "Deployment", "other"));

    assertThat(plan(Keeper.USER, other).refusal().orElseThrow().message())
        .startsWith("No HorizontalPodAutoscaler scales Deployment/chat");
  }

  @Test
  void anHpaThatDoesNotReadUsIsToldHow() {
    refused(
        plan(Keeper.USER, Hpas.users("by-cpu", Hpas.CHAT)),
        "HorizontalPodAutoscaler by-cpu does not read requests; add this to its spec.metrics: "
            + BLOCK);
    assertThat(inForce(Keeper.USER, Hpas.users("by-cpu", Hpas.CHAT))).isEmpty();
  }

  @Test
  void aMetricOfAnotherPredictiveHpaIsNotOurs() {
    var other =
        new HorizontalPodAutoscalerBuilder(Hpas.users("other", Hpas.CHAT))
            .editSpec()
            .withMetrics(Hpas.external("requests", HpaWish.SELECTOR_LABEL, "chat-70b", "4"))
            .endSpec()
            .build();

    assertThat(inForce(Keeper.USER, other)).isEmpty();
    assertThat(plan(Keeper.USER, other).refusal()).isPresent();
  }

  @Test
  void anotherTargetValueIsSaidWhileTheHpaIsStillInForce() {
    var users = Hpas.reading("in-git", "requests", "5");

    refused(
        plan(Keeper.USER, users),
        "HorizontalPodAutoscaler in-git reads requests with averageValue 5, and spec.metrics says"
            + " averageValue 4; make them equal.");
    assertThat(inForce(Keeper.USER, users)).contains(users);
  }

  @Test
  void oneOfSeveralHpasIsTooMany() {
    var plan =
        plan(Keeper.USER, Hpas.users("by-cpu", Hpas.CHAT), Hpas.reading("in-git", "requests", "4"));

    assertThat(plan.steps()).isEmpty();
    assertThat(plan.refusal().orElseThrow().reason()).isEqualTo(Reason.TARGET_HAS_OTHER_HPA);
    assertThat(plan.refusal().orElseThrow().message())
        .isEqualTo(
            "HorizontalPodAutoscalers by-cpu, in-git scale Deployment/chat, and Kubernetes obeys"
                + " none of several; delete all but one.");
  }

  @Test
  void ourOwnHpaIsDeletedWhenAnotherIsToAct() {
    var ours =
        new HorizontalPodAutoscalerBuilder(Hpas.reading("prescale-chat-7b", "requests", "4"))
            .editMetadata()
            .withOwnerReferences(Hpas.owner("PredictiveHPA", "chat-7b", "uid-1"))
            .endMetadata()
            .build();
    var users = Hpas.reading("in-git", "requests", "4");

    assertThat(plan(Keeper.USER, ours, users))
        .isEqualTo(new HpaPlan(List.of(new HpaPlan.Delete(ours)), Optional.empty()));
    assertThat(inForce(Keeper.USER, ours, users)).contains(users);
  }

  @Test
  void kedasHpaIsInForceAndLeftAsItIs() {
    var kedas = Hpas.ofKeda("chat", "s1-requests");

    assertThat(plan(Keeper.KEDA, kedas)).isEqualTo(new HpaPlan(List.of(), Optional.empty()));
    assertThat(inForce(Keeper.KEDA, kedas)).contains(kedas);
    assertThat(HpaInForce.called(Hpas.through(Keeper.KEDA), inForce(Keeper.KEDA, kedas)))
        .isEqualTo("KEDA's HorizontalPodAutoscaler keda-hpa-chat");
    assertThat(KedaHpas.ourName(kedas.getSpec().getMetrics().getFirst().getExternal().getMetric()))
        .isEqualTo("requests");
  }

  @Test
  void aUsersMetricThatLooksLikeKedasKeepsItsName() {
    var metric = Hpas.external("s1-requests", HpaWish.SELECTOR_LABEL, "chat-7b", "4");

    assertThat(KedaHpas.ourName(metric.getExternal().getMetric())).isEqualTo("s1-requests");
  }

  @Test
  void withoutAScaledObjectTheTriggerIsSaid() {
    refused(
        plan(Keeper.KEDA),
        "KEDA keeps no HPA for Deployment/chat; write a ScaledObject for it with the trigger {type:"
            + " external, metadata: {scalerAddress: …, predictiveHPA: chat-7b}, authenticationRef:"
            + " …}, or end its pause (autoscaling.keda.sh/paused).");
  }

  @Test
  void aScaledObjectWithOtherTriggersDoesNotReadUs() {
    assertThat(
            plan(Keeper.KEDA, Hpas.ofKeda("chat", "s0-prometheus"))
                .refusal()
                .orElseThrow()
                .message())
        .startsWith(
            "HorizontalPodAutoscaler keda-hpa-chat of ScaledObject chat does not read requests; add"
                + " the trigger {type: external,");
  }

  @Test
  void eachWayNamesTheOther() {
    refused(
        plan(Keeper.KEDA, Hpas.reading("in-git", "requests", "4")),
        "HorizontalPodAutoscaler in-git scales Deployment/chat and is not KEDA's; delete it, or set"
            + " spec.scaleThrough: ExistingHPA to scale through it.");
    refused(
        plan(Keeper.USER, Hpas.ofKeda("chat", "s0-requests")),
        "HorizontalPodAutoscaler keda-hpa-chat belongs to ScaledObject chat; set spec.scaleThrough:"
            + " KEDA to scale through it.");
  }

  @Test
  void shadowModeAsksForNothing() {
    var shadow = Hpas.released(Hpas.through(Keeper.USER));

    assertThat(planner.plan(shadow, List.of(), Optional.empty(), Optional.empty()))
        .isEqualTo(new HpaPlan(List.of(), Optional.empty()));
  }

  private HpaPlan plan(Keeper keeper, HorizontalPodAutoscaler... existing) {
    return planner.plan(
        Hpas.through(keeper), List.of(existing), Optional.empty(), Optional.empty());
  }

  private static Optional<HorizontalPodAutoscaler> inForce(
      Keeper keeper, HorizontalPodAutoscaler... existing) {
    return HpaInForce.of(Hpas.through(keeper), List.of(existing));
  }

  private static void refused(HpaPlan plan, String message) {
    assertThat(plan.steps()).isEmpty();
    assertThat(plan.refusal().orElseThrow().message()).isEqualTo(message);
    assertThat(plan.refusal().orElseThrow().reason()).isEqualTo(Reason.HPA_NOT_READING);
  }
}
