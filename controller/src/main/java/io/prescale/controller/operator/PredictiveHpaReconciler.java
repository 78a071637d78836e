package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.autoscaling.HpaState;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.operator.hpa.HpaPlan;
import io.prescale.controller.operator.hpa.HpaPlanner;
import io.prescale.controller.operator.status.ConditionEvents;
import io.prescale.controller.operator.status.Conditions;
import io.prescale.controller.operator.status.Conditions.Finding;
import io.prescale.controller.operator.status.CountedWrites;
import io.prescale.controller.operator.status.StatusBuilder;
import io.prescale.controller.operator.status.StatusWriter;
import io.prescale.controller.telemetry.Target;
import io.prescale.controller.telemetry.Telemetry;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's work on one PredictiveHPA, from its spec to its status and its HPA. It is called
 * when the resource or its HPA changes and when a tick is due, never twice at once for one
 * resource.
 */
@ControllerConfiguration(
    name = PredictiveHpaReconciler.NAME,
    finalizerName = PredictiveHpaReconciler.FINALIZER)
public final class PredictiveHpaReconciler
    implements Reconciler<PredictiveHPA>, Cleaner<PredictiveHPA> {
  static final String NAME = "predictivehpa";

  /** Keeps a deleted PredictiveHPA until its HPA is as it was before. */
  public static final String FINALIZER = "autoscaling.prescale.io/give-hpa-back";

  private static final Logger LOG = LoggerFactory.getLogger(PredictiveHpaReconciler.class);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofMillis(10);

  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final LiveTargets targets;
  private final Workloads workloads;
  private final HpaPlanner planner;
  private final HpaUpkeep upkeep;
  private final StatusWriter statuses;
  private final Telemetry telemetry;
  private @Nullable InformerEventSource<HorizontalPodAutoscaler, PredictiveHPA> hpas;

  /**
   * A reconciler for one term of leadership.
   *
   * @param leads whether this replica may write at this moment
   * @param targets what is kept from tick to tick, also over terms
   */
  public PredictiveHpaReconciler(
      KubernetesClient client,
      BooleanSupplier leads,
      InstantSource clock,
      LiveTargets targets,
      HpaPlanner planner,
      Telemetry telemetry) {
    this.leads = leads;
    this.clock = clock;
    this.targets = targets;
    this.planner = planner;
    this.telemetry = telemetry;
    this.workloads = new Workloads(client);
    var writes = new CountedWrites(telemetry);
    this.upkeep = new HpaUpkeep(client, leads, writes);
    this.statuses = new StatusWriter(leads, writes, new ConditionEvents(client, writes));
  }

  @Override
  public List<EventSource<?, PredictiveHPA>> prepareEventSources(
      EventSourceContext<PredictiveHPA> context) {
    var informer =
        new InformerEventSource<HorizontalPodAutoscaler, PredictiveHPA>(
            InformerEventSourceConfiguration.from(
                    HorizontalPodAutoscaler.class, PredictiveHPA.class)
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(PredictiveHpaReconciler::predictiveHpaOf)
                .build(),
            context);
    hpas = informer;
    return List.of(informer);
  }

  private static Set<ResourceID> predictiveHpaOf(HorizontalPodAutoscaler hpa) {
    return HpaPlanner.predictiveHpaOf(hpa)
        .map(name -> Set.of(new ResourceID(name, hpa.getMetadata().getNamespace())))
        .orElse(Set.of());
  }

  @Override
  public UpdateControl<PredictiveHPA> reconcile(
      PredictiveHPA resource, Context<PredictiveHPA> context) {
    if (!leads.getAsBoolean()) {
      return UpdateControl.<PredictiveHPA>noUpdate().rescheduleAfter(AFTER_FAILURE);
    }
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    try {
      var outcome = decide(resource, now);
      statuses.write(resource, outcome.status(), context, now);
      return UpdateControl.<PredictiveHPA>noUpdate().rescheduleAfter(outcome.again());
    } catch (KubernetesClientException e) {
      LOG.warn("{}: {}", name(resource), ApiFailure.text(e));
      return UpdateControl.<PredictiveHPA>noUpdate().rescheduleAfter(AFTER_FAILURE);
    }
  }

  /** What nobody expected is told as well; the SDK tries again later. */
  @Override
  public ErrorStatusUpdateControl<PredictiveHPA> updateErrorStatus(
      PredictiveHPA resource, Context<PredictiveHPA> context, Exception failure) {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var message = "This should not happen; the controller's log says more: " + failure;
    try {
      var outcome =
          notReady(new StatusBuilder(resource, now), ConditionReason.InternalError, message);
      statuses.write(resource, outcome.status(), context, now);
    } catch (KubernetesClientException e) {
      LOG.warn("{}: {}", name(resource), ApiFailure.text(e));
    }
    return ErrorStatusUpdateControl.noStatusUpdate();
  }

  @Override
  public DeleteControl cleanup(PredictiveHPA resource, Context<PredictiveHPA> context) {
    if (!leads.getAsBoolean()) {
      return DeleteControl.noFinalizerRemoval().rescheduleAfter(AFTER_FAILURE);
    }
    var wish = SpecReader.wish(resource).released();
    for (var step : planner.plan(wish, hpasOf(resource)).steps()) {
      upkeep.write(step);
    }
    targets.forget(resource);
    telemetry.removed(target(resource));
    return DeleteControl.defaultDelete();
  }

  /** The next status, and when to look again. */
  private record Outcome(PredictiveHPAStatus status, Duration again) {}

  private Outcome decide(PredictiveHPA resource, Instant now) {
    var builder = new StatusBuilder(resource, now);
    LiveTarget target;
    try {
      target = targets.of(resource, now);
    } catch (PrometheusServers.Unusable e) {
      var reason = e.secretMissing() ? ConditionReason.SecretNotFound : ConditionReason.InvalidSpec;
      return notReady(builder, reason, e.getMessage());
    } catch (SpecReader.InvalidFieldException e) {
      return notReady(builder, ConditionReason.InvalidSpec, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException | DateTimeException e) {
      return notReady(builder, ConditionReason.InvalidSpec, "spec: " + e.getMessage());
    }
    try {
      return decide(resource, target, builder, now);
    } catch (KubernetesClientException e) {
      if (!ApiFailure.isLasting(e)) {
        throw e;
      }
      var message = "The API server refuses what Prescale needs: " + ApiFailure.text(e);
      LOG.warn("{}: {}", name(resource), message);
      return notReady(builder, ConditionReason.InternalError, message);
    }
  }

  private Outcome decide(
      PredictiveHPA resource, LiveTarget target, StatusBuilder builder, Instant now) {
    return switch (workloads.read(resource)) {
      case ScaleTargets.NotScalable(var exists, var message) ->
          notReady(
              builder,
              exists ? ConditionReason.TargetNotScalable : ConditionReason.TargetNotFound,
              message);
      case ScaleTargets.Found workload -> decide(resource, target, workload, builder, now);
    };
  }

  private static Outcome notReady(StatusBuilder builder, ConditionReason reason, String message) {
    var finding = Conditions.problem(ConditionType.Ready, reason, message);
    return new Outcome(builder.with(List.of(finding)), AFTER_FAILURE);
  }

  private Outcome decide(
      PredictiveHPA resource,
      LiveTarget target,
      ScaleTargets.Found workload,
      StatusBuilder builder,
      Instant now) {
    var wish = SpecReader.wish(resource);
    var existing = hpasOf(resource);
    var hpa =
        existing.stream()
            .filter(candidate -> HpaPlanner.belongsTo(candidate, wish))
            .findFirst()
            .flatMap(HpaStates::of);
    var plan = planner.plan(wish, existing);
    if (!target.isDue(now)) {
      var scaling = keep(plan, target, resource, hpa, hasServed(resource), now);
      return new Outcome(
          builder.with(target.look(hpa), List.of(scaling)),
          again(scaling, target.untilNext(clock.instant())));
    }
    var pods = workloads.pods(resource, workload);
    var result = target.tick(now, workload, pods, hpa);
    var took = Duration.between(now, clock.instant());
    telemetry.ticked(target(resource), result, Cards.perReplica(pods), took);
    telemetry.quotaLeaves(target(resource), workloads.quotaReplicas(resource, pods));
    boolean valueKnown = result.desiredReplicas().isPresent() || hasServed(resource);
    var scaling = keep(plan, target, resource, hpa, valueKnown, now);
    var ready =
        workload.selector().isEmpty()
            ? OptionalInt.empty()
            : OptionalInt.of(PodTimes.serving(pods));
    var findings =
        List.of(
            Conditions.ready(result),
            Conditions.metricsAvailable(result),
            Conditions.forecastTrusted(result),
            scaling);
    return new Outcome(
        builder.after(result, workload.current(), ready, findings),
        again(scaling, target.untilNext(clock.instant())));
  }

  /** Brings the HPA about, and says whether it scales. */
  private Finding keep(
      HpaPlan plan,
      LiveTarget target,
      PredictiveHPA resource,
      Optional<HpaState> hpa,
      boolean valueKnown,
      Instant now) {
    return upkeep
        .carryOut(plan, target.contest(), valueKnown, now)
        .map(Conditions::hpaNotWritten)
        .orElseGet(
            () ->
                Conditions.scalingActive(
                    resource.getSpec().mode(),
                    plan.refusal().or(() -> target.contest().refusal(now)),
                    hpa,
                    valueKnown));
  }

  private static Duration again(Finding scaling, Duration untilNext) {
    if (scaling.reason() == ConditionReason.InternalError
        && untilNext.compareTo(AFTER_FAILURE) > 0) {
      return AFTER_FAILURE;
    }
    return untilNext.isPositive() ? untilNext : SOON;
  }

  private static boolean hasServed(PredictiveHPA resource) {
    return resource.getStatus() != null && resource.getStatus().desiredReplicas() != null;
  }

  private List<HorizontalPodAutoscaler> hpasOf(PredictiveHPA resource) {
    var informer = Objects.requireNonNull(hpas, "event sources are prepared first");
    return informer.list(resource.getMetadata().getNamespace(), _ -> true).toList();
  }

  private static Target target(PredictiveHPA resource) {
    return new Target(resource.getMetadata().getNamespace(), resource.getMetadata().getName());
  }

  private static String name(PredictiveHPA resource) {
    return resource.getMetadata().getNamespace() + "/" + resource.getMetadata().getName();
  }
}
