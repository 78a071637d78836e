package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.RolloutStatus;
import io.prescale.controller.api.v1alpha1.ScaleInStatus;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.operator.ScaleTargets.Found;
import io.prescale.controller.operator.hpa.HpaInForce;
import io.prescale.controller.operator.hpa.HpaPlanner;
import io.prescale.controller.operator.hpa.HpaWish;
import io.prescale.controller.operator.scalein.ScaleIns;
import io.prescale.controller.operator.status.Conditions;
import io.prescale.controller.operator.status.Conditions.Finding;
import io.prescale.controller.operator.status.StatusBuilder;
import io.prescale.controller.operator.status.StatusBuilder.Replicas;
import io.prescale.controller.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The control loop of one target, from an observation to the value that its HPA reads: {@link
 * #tick} is the loop, in six steps.
 */
record ControlLoop(
    InstantSource clock,
    Workloads workloads,
    PodWork podWork,
    ScaleIns scaleIns,
    HpaPlanner planner,
    HpaUpkeep upkeep,
    Reports reports,
    Telemetry telemetry) {
  static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

  static final Duration UNTIL_PODS_ARE_KNOWN = Duration.ofSeconds(2);

  /** What a person has to mend is looked at less often; an edit of the resource counts at once. */
  static final Duration WHILE_BLOCKED = Duration.ofSeconds(15);

  /** Where there are too many, each look at one is a look at all. */
  static final Duration WHILE_CROWDED = Duration.ofMinutes(1);

  private static final Duration SOON = Duration.ofMillis(10);

  /**
   * What else is in the cluster.
   *
   * @param hpas those that have to do with this one or its target
   * @param olderRival the PredictiveHPA that scales this one's target already
   * @param youngerRival one that yields to this one
   * @param unserved why the cluster's external metrics are not Prescale's
   */
  record Neighbours(
      List<HorizontalPodAutoscaler> hpas,
      Optional<String> olderRival,
      Optional<String> youngerRival,
      Optional<String> unserved) {
    /** Whether another one scales the target, and so marks its pods or removes the marks. */
    boolean othersMark(PredictiveHPA resource) {
      return olderRival.isPresent() || (youngerRival.isPresent() && !OlderRival.canScale(resource));
    }
  }

  /**
   * One pass of the loop.
   *
   * @return after how long to reconcile again
   * @throws KubernetesClientException when the API server refuses or cannot be reached
   */
  Duration tick(
      PredictiveHPA resource,
      Found workload,
      LiveTarget target,
      Neighbours others,
      Context<PredictiveHPA> context,
      Instant now) {
    var cycle = target.cycle();

    // 1. Observe the target, its pods and its HPA, and read what is new of each metric.
    var work = podWork.ask(resource, now);
    var pods = workloads.pods(resource, workload);
    var serving = PodTimes.serving(pods);
    var wish = SpecReader.wish(resource);
    var inForce = HpaInForce.of(wish, others.hpas());
    var hpa = inForce.flatMap(HpaStates::of);
    var readings = target.read(now);

    // 2. Learn the lead time from scale-ups; settle past forecasts by the steps that are over.
    var lead = target.learnLeadTime(pods, workload.wanted(), now);
    var state = new ReplicaState(workload.wanted(), serving, lead, hpa);
    var outcomes = cycle.observe(now, readings, state);

    // 3. Forecast each metric's highest demand one lead time ahead.
    var forecasts = cycle.forecast(outcomes);

    // 4. Decide the value that each metric serves; see ServedValueChoice.
    var result = cycle.decide(now, forecasts, state);
    var took = Duration.between(now, clock.instant());

    // 5. Mark the pods that are to go first, and write the HPA that reads the served values.
    var ready = pods.stream().filter(PodTimes::isServing).toList();
    var scaleIn =
        others.othersMark(resource)
            ? Optional.<ScaleInStatus>empty()
            : scaleIns.mark(resource, ready, workload.wanted(), result, work.join(), now);
    boolean valueKnown = result.desiredReplicas().isPresent() || hasServed(resource);
    var scaling = writeHpa(resource, wish, inForce, target, others, valueKnown, now);

    // 6. Report: telemetry, the served values, the status, an event for each changed condition.
    var name = PredictiveHpaReconciler.name(resource);
    var cards = Cards.perReplica(pods);
    telemetry.ticked(name, result, cards, took);
    telemetry.quotaLeaves(name, workloads.quotaReplicas(resource, pods));
    var status =
        new StatusBuilder(target.status().on(resource), now)
            .after(
                result,
                replicas(workload, pods, cards, rollout(resource, pods, now)),
                Conditions.of(result, target.leadingMissing(now), scaling))
            .withScaleIn(scaleIn.orElse(null));
    reports.afterTick(resource, status, target, context, now);
    target.decided(result, state, now); // a tick that cannot be written is repeated
    return again(target, scaling);
  }

  private static @Nullable RolloutStatus rollout(
      PredictiveHPA resource, List<Pod> pods, Instant now) {
    var status = resource.getStatus();
    return Revisions.newest(pods, status == null ? null : status.rollout(), now);
  }

  private static Replicas replicas(
      Found workload, List<Pod> pods, OptionalDouble cards, @Nullable RolloutStatus rollout) {
    return workload.selector().isEmpty()
        ? Replicas.withoutPods(workload.current())
        : new Replicas(
            workload.current(),
            OptionalInt.of(PodTimes.serving(pods)),
            OptionalInt.of(PodTimes.unschedulable(pods)),
            !pods.isEmpty(),
            cards,
            rollout);
  }

  /** Steps 5 and 6 alone, for an HPA or a resource that changed before the next tick is due. */
  Duration betweenTicks(
      PredictiveHPA resource,
      LiveTarget target,
      Neighbours others,
      Context<PredictiveHPA> context,
      Instant now) {
    telemetry.goesOn(PredictiveHpaReconciler.name(resource));
    var wish = SpecReader.wish(resource);
    var inForce = HpaInForce.of(wish, others.hpas());
    var newest = target.look(inForce.flatMap(HpaStates::of));
    boolean valueKnown = newest.isPresent() || hasServed(resource);
    var scaling = writeHpa(resource, wish, inForce, target, others, valueKnown, now);
    var status =
        new StatusBuilder(target.status().on(resource), now).with(newest, List.of(scaling));
    reports.betweenTicks(resource, status, target, context, now);
    return again(target, scaling);
  }

  /** Writes what the HPA lacks, and finds whether it scales. One that waits to be changed does. */
  private Finding writeHpa(
      PredictiveHPA resource,
      HpaWish wish,
      Optional<HorizontalPodAutoscaler> inForce,
      LiveTarget target,
      Neighbours others,
      boolean valueKnown,
      Instant now) {
    inForce.ifPresent(it -> target.replicaContest().observe(it, now));
    var plan = planner.plan(wish, others.hpas(), others.olderRival(), others.unserved());
    return upkeep
        .carryOut(resource, plan, target.contest(), valueKnown, now)
        .filter(it -> inForce.isEmpty() || it.reason() != ConditionReason.HpaPending)
        .orElseGet(
            () ->
                Conditions.scalingActive(
                    resource.getSpec().mode(),
                    plan.refusal()
                        .or(() -> target.contest().refusal(now))
                        .or(() -> target.replicaContest().refusal(now)),
                    HpaInForce.called(wish, inForce),
                    inForce.flatMap(HpaStates::of),
                    valueKnown,
                    planner.ownMaximum(wish, others.hpas())))
        .beside(others.youngerRival());
  }

  private static boolean hasServed(PredictiveHPA resource) {
    var status = resource.getStatus();
    if (status == null || status.desiredReplicas() == null) {
      return false;
    }
    // A 0 of the time before minReplicas became 0 may mean that little was known.
    var last = status.lastDecision();
    return resource.getSpec().minReplicas() > 0 || (last != null && last.activity() != null);
  }

  private Duration again(LiveTarget target, Finding scaling) {
    var untilNext = target.untilNext(clock.instant());
    var latest =
        switch (scaling.reason()) {
          case InternalError -> AFTER_FAILURE;
          case TargetConflict, HpaPending -> WHILE_BLOCKED; // either may end at any moment
          default -> untilNext;
        };
    var next = untilNext.compareTo(latest) > 0 ? latest : untilNext;
    return next.isPositive() ? next : SOON;
  }
}
