package io.prescale.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ApiServerFaults;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.fairness.WriteTurns.Urgency;
import io.prescale.controller.operator.hpa.HpaInPartException;
import io.prescale.controller.operator.hpa.HpaIndex;
import io.prescale.controller.operator.hpa.HpaPlanner;
import io.prescale.controller.operator.scalein.ScaleIns;
import io.prescale.controller.operator.status.ConditionEvents;
import io.prescale.controller.operator.status.Conditions;
import io.prescale.controller.operator.status.CountedWrites;
import io.prescale.controller.operator.status.StatusBuilder;
import io.prescale.controller.operator.status.StatusWriter;
import io.prescale.controller.telemetry.Target;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.values.PublishedValues;
import io.prescale.controller.values.ValuePublisher;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles a PredictiveHPA for the replica that works on it: runs its {@link ControlLoop}, or
 * reports why it cannot run. Called when the resource or its HPA changes and when a tick is due,
 * never twice at once for one resource.
 */
@ControllerConfiguration(
    name = PredictiveHpaReconciler.NAME,
    finalizerName = PredictiveHPA.FINALIZER)
public final class PredictiveHpaReconciler
    implements Reconciler<PredictiveHPA>, Cleaner<PredictiveHPA> {
  static final String NAME = "predictivehpa";

  private static final Logger LOG = LoggerFactory.getLogger(PredictiveHpaReconciler.class);

  private final ApiServerFaults apiServer =
      new ApiServerFaults("The API server fails", "The API server answers again");
  private final Duty duty;
  private final PlacesInNamespaces places;
  private final InstantSource clock;
  private final LiveTargets targets;
  private final Workloads workloads;
  private final HpaPlanner planner;
  private final HpaUpkeep upkeep;
  private final PublishedValues values;
  private final StatusWriter statuses;
  private final Telemetry telemetry;
  private final ControlLoop loop;
  private final Neighbourhood neighbourhood;
  private final PodMarks marks;
  private volatile @Nullable Moves moves;

  /**
   * A reconciler for all terms of leadership of this process.
   *
   * @param duty which PredictiveHPAs this replica works on
   * @param limit of PredictiveHPAs in a namespace
   * @param targets what is kept from tick to tick
   * @param work what each pod has in flight
   * @param values what any leader has published
   * @param publisher publishes what this one decides
   * @param turns of writes to the API server
   * @param unserved why the cluster's external metrics are not Prescale's, a sentence with the
   *     remedy
   */
  PredictiveHpaReconciler(
      KubernetesClient client,
      Duty duty,
      NamespaceLimit limit,
      InstantSource clock,
      LiveTargets targets,
      PodWork work,
      HpaPlanner planner,
      PublishedValues values,
      ValuePublisher publisher,
      Telemetry telemetry,
      WriteTurns turns,
      Supplier<Optional<String>> unserved) {
    this.duty = duty;
    this.places = new PlacesInNamespaces(limit);
    this.clock = clock;
    this.targets = targets;
    this.planner = planner;
    this.values = values;
    this.telemetry = telemetry;
    this.neighbourhood = new Neighbourhood(duty, unserved);
    this.workloads = new Workloads(client, clock);
    var writes = new CountedWrites(telemetry, turns);
    this.upkeep = new HpaUpkeep(client, duty::mayWrite, writes);
    var events = new ConditionEvents(client, writes);
    this.statuses = new StatusWriter(client, duty::mayWrite, writes, events);
    var reports = new Reports(statuses, publisher, targets);
    var scaleIns = new ScaleIns(client, duty::mayWrite, writes);
    this.marks = new PodMarks(workloads, neighbourhood, scaleIns);
    this.loop =
        new ControlLoop(clock, workloads, work, scaleIns, planner, upkeep, reports, telemetry);
  }

  /** The workloads of all PredictiveHPAs, which a term of leadership watches. */
  Workloads workloads() {
    return workloads;
  }

  @Override
  public List<EventSource<?, PredictiveHPA>> prepareEventSources(
      EventSourceContext<PredictiveHPA> context) {
    var moving = new Moves(context.getPrimaryCache());
    moves = moving;
    var sources = new ArrayList<EventSource<?, PredictiveHPA>>(neighbourhood.watch(context));
    sources.add(moving);
    return sources;
  }

  /** Looks at PredictiveHPAs that have moved to this replica or to another one. */
  void moved(Predicate<PredictiveHPA> those) {
    Optional.ofNullable(moves).ifPresent(it -> it.reconcile(those));
  }

  @Override
  public UpdateControl<PredictiveHPA> reconcile(
      PredictiveHPA resource, Context<PredictiveHPA> context) {
    if (duty.isElsewhere(resource)) {
      forgetHere(resource);
      return UpdateControl.noUpdate();
    }
    var newest = values.newest(resource);
    return UpdateControl.<PredictiveHPA>noUpdate()
        .rescheduleAfter(
            duty.mayWrite(resource) ? attempt(newest, context) : ControlLoop.AFTER_FAILURE);
  }

  /** Runs the loop; gives the time until the next reconciliation. */
  private Duration attempt(PredictiveHPA resource, Context<PredictiveHPA> context) {
    var now = now();
    try {
      var again = run(resource, context, now);
      apiServer.succeeded(resource.qualifiedName(), now()).ifPresent(LOG::info);
      return again;
    } catch (KubernetesClientException e) {
      if (!ApiFailure.isLasting(e)) {
        apiServer.failed(resource.qualifiedName(), e, now()).ifPresent(LOG::warn);
        return ControlLoop.AFTER_FAILURE;
      }
      var message = "The API server refuses what Prescale needs: " + ApiFailure.text(e);
      return notReady(resource, ConditionReason.InternalError, message, context, now);
    }
  }

  private Duration run(PredictiveHPA resource, Context<PredictiveHPA> context, Instant now) {
    var unreadable = resource.unreadable();
    if (unreadable.isPresent()) {
      return notReady(resource, ConditionReason.InvalidSpec, unreadable.get(), context, now);
    }
    try {
      places.require(resource, () -> context.getPrimaryCache().list(), now);
      var left = PodMarks.left(resource);
      left.ifPresent(it -> marks.remove(resource, it, context));
      var demanded = targets.demanded(resource, neighbourhood.hpaOfOthers(resource));
      var known = targets.known(resource, demanded);
      if (left.isEmpty() && known.isPresent() && !known.get().isDue(now)) {
        var others = neighbourhood.of(resource, context);
        return loop.betweenTicks(resource, known.get(), others, context, now);
      }
      if (!workloads.arePodsKnown(resource)) {
        return ControlLoop.UNTIL_PODS_ARE_KNOWN; // what was served last stands for its TTL
      }
      return switch (workloads.read(resource)) {
        case ScaleTargets.NotScalable(var exists, var message) -> {
          if (!exists) {
            targets.forgetIfLeft(resource, now);
          }
          var reason = exists ? ConditionReason.TargetNotScalable : ConditionReason.TargetNotFound;
          yield notReady(resource, reason, message, context, now);
        }
        case ScaleTargets.Found workload -> {
          var target = targets.obtain(resource, demanded, now);
          yield loop.tick(
              resource, workload, target, neighbourhood.of(resource, context), context, now);
        }
      };
    } catch (NotReady e) {
      return e.reason() == ConditionReason.NamespaceLimit
          ? crowdedOut(resource, e, context, now)
          : notReady(resource, e.reason(), e.getMessage(), context, now);
    }
  }

  /** Reports why the loop cannot run; if that cannot be written, it is logged. */
  private Duration notReady(
      PredictiveHPA resource,
      ConditionReason reason,
      String message,
      Context<PredictiveHPA> context,
      Instant now) {
    var status = new StatusBuilder(resource, now).with(Conditions.notReady(reason, message));
    report(resource, status, context, now);
    return ControlLoop.WHILE_BLOCKED;
  }

  /** What it had before others took its place, it gives up. */
  private Duration crowdedOut(
      PredictiveHPA resource, NotReady why, Context<PredictiveHPA> context, Instant now) {
    marks.removeMarked(resource, context);
    forgetHere(resource);
    var findings = Conditions.notReady(why.reason(), why.getMessage());
    var status = new StatusBuilder(resource, now).with(findings).withScaleIn(null);
    report(resource, status, context, now);
    return ControlLoop.WHILE_CROWDED;
  }

  private void report(
      PredictiveHPA resource,
      PredictiveHPAStatus status,
      Context<PredictiveHPA> context,
      Instant now) {
    telemetry.blocked(name(resource));
    try {
      statuses.write(resource, status, Urgency.USUAL, context, now);
    } catch (KubernetesClientException e) {
      apiServer.failed(resource.qualifiedName(), e, now()).ifPresent(LOG::warn);
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Reports a defect as well; the SDK retries. */
  @Override
  public ErrorStatusUpdateControl<PredictiveHPA> updateErrorStatus(
      PredictiveHPA resource, Context<PredictiveHPA> context, Exception failure) {
    var message = "This should not happen; the controller's log says more: " + failure;
    notReady(resource, ConditionReason.InternalError, message, context, now());
    return ErrorStatusUpdateControl.noStatusUpdate();
  }

  @Override
  public DeleteControl cleanup(PredictiveHPA resource, Context<PredictiveHPA> context) {
    if (duty.isElsewhere(resource)) {
      forgetHere(resource);
      return DeleteControl.noFinalizerRemoval();
    }
    if (!duty.mayWrite(resource)) {
      return DeleteControl.noFinalizerRemoval().rescheduleAfter(ControlLoop.AFTER_FAILURE);
    }
    var meta = resource.getMetadata();
    try {
      planner
          .release(meta.getName(), meta.getUid(), neighbourhood.hpas(HpaIndex.keysOfOwn(meta)))
          .forEach(step -> upkeep.write(meta.getNamespace(), step));
    } catch (HpaInPartException e) {
      var why = String.valueOf(e.getMessage());
      var again = notReady(resource, ConditionReason.InternalError, why, context, now());
      return DeleteControl.noFinalizerRemoval().rescheduleAfter(again);
    }
    marks.removeAll(resource, context);
    targets.forget(resource);
    telemetry.removed(name(resource));
    return DeleteControl.defaultDelete();
  }

  /** What works on it next, here or elsewhere, goes on from what was saved. */
  private void forgetHere(PredictiveHPA resource) {
    targets.leave(resource.getMetadata().getUid());
    telemetry.removed(name(resource));
  }

  void forgetElsewhere() {
    targets.forgetWhere(duty::isElsewhere);
  }

  static Target name(PredictiveHPA resource) {
    return new Target(resource.getMetadata().getNamespace(), resource.getMetadata().getName());
  }
}
