package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpec;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.ScaleThrough;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.IdleRule;
import io.prescale.controller.autoscaling.Learning;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.states.SavedStates;
import io.prescale.controller.values.ValuePublisher;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The targets that this process has worked on, by the UID of their PredictiveHPA. They outlive a
 * term of leadership, so that a returning leader need not learn anew. Thread-safe.
 */
public final class LiveTargets {
  private final SpecReader specs;
  private final PrometheusServers servers;
  private final MetricSource source;
  private final FitQueue fits;
  private final ShortestStep shortestStep;
  private final MemoryBudget memory;
  private final SavedStates states;
  private final DoubleSupplier part;
  private final Lenders lenders = new Lenders();
  private final Map<String, LiveTarget> targets = new ConcurrentHashMap<>();

  /**
   * No targets yet.
   *
   * @param fits runs the fits of models, some hundred milliseconds of arithmetic each
   * @param shortestStep that an administrator allows
   * @param memory for what the targets know
   * @param states from which new targets go on
   * @param part of all PredictiveHPAs that this replica works on, from 0 to 1
   */
  LiveTargets(
      HpaFeatures features,
      PrometheusServers servers,
      MetricSource source,
      FitQueue fits,
      Duration shortestStep,
      MemoryBudget memory,
      SavedStates states,
      DoubleSupplier part) {
    this.specs = new SpecReader(features);
    this.servers = servers;
    this.source = new RotatedCredentials(source, servers);
    this.fits = fits;
    this.shortestStep = new ShortestStep(shortestStep);
    this.memory = memory;
    this.states = states;
    this.part = part;
  }

  /** How many all replicas work on, as this one's part suggests. */
  int estimatedTotal() {
    double own = part.getAsDouble();
    return own > 0 ? (int) Math.round(targets.size() / own) : targets.size();
  }

  /** What a resource asks for. */
  record Demanded(TargetSettings settings, Queries queries) {}

  /**
   * Reads what a resource asks for, and holds no memory for it yet.
   *
   * @param others the HPA of others that is to act, or that is adopted, whose rules count
   */
  Demanded demanded(PredictiveHPA resource, Optional<HorizontalPodAutoscaler> others)
      throws NotReady {
    try {
      var spec = resource.getSpec();
      var settings = specs.settings(spec);
      if (spec.scaleThrough() != ScaleThrough.PrescaleHPA) {
        var rules = rules(resource, others, it -> specs.rules(spec, it), settings.hpa());
        settings = settings.withHpa(rules);
        if (settings.hpa().minReplicas() == 0 && settings.riskAtZero().isEmpty()) {
          settings = settings.withRiskAtZero(IdleRule.USUAL_RISK); // that HPA goes to zero on a 0
        }
      } else if (spec.behavior() == null && spec.adopt() != null) {
        var rules = rules(resource, others, it -> specs.rulesOfAdopted(spec, it), settings.hpa());
        settings = settings.withHpa(rules.withReplicas(spec.minReplicas(), spec.maxReplicas()));
      }
      shortestStep.require(settings);
      var server = servers.server(resource.getMetadata().getNamespace(), spec.prometheus());
      return new Demanded(settings, Queries.of(resource, server, settings.forecast().step()));
    } catch (IllegalArgumentException | DateTimeException e) {
      var field = e instanceof SpecReader.InvalidFieldException ? "" : "spec: ";
      throw new NotReady(ConditionReason.InvalidSpec, field + e.getMessage());
    }
  }

  /** While the HPA is gone, its last rules are kept, and so what has been learned. */
  private HpaRules rules(
      PredictiveHPA resource,
      Optional<HorizontalPodAutoscaler> hpa,
      Function<HorizontalPodAutoscalerSpec, HpaRules> read,
      HpaRules unknown) {
    return hpa.map(it -> read.apply(it.getSpec()))
        .or(() -> kept(resource).map(LiveTarget::rules))
        .orElse(unknown);
  }

  private Optional<LiveTarget> kept(PredictiveHPA resource) {
    return Optional.ofNullable(targets.get(resource.getMetadata().getUid()));
  }

  /** What is kept of a resource, if its settings and queries are still the same. */
  Optional<LiveTarget> known(PredictiveHPA resource, Demanded demanded) {
    var known =
        kept(resource).filter(it -> it.isFor(resource, demanded.settings(), demanded.queries()));
    known.ifPresent(it -> it.use(demanded.queries()));
    return known;
  }

  /** The target of a resource; a new one when its settings or queries have changed. */
  LiveTarget obtain(PredictiveHPA resource, Demanded demanded, Instant now) throws NotReady {
    var known = known(resource, demanded);
    if (known.isPresent()) {
      if (known.get().wasLeft(now)) {
        known.get().takeOver(EarlierLeader.served(resource));
      }
      return known.get();
    }
    var settings = demanded.settings();
    var uid = resource.getMetadata().getUid();
    var namespace = resource.getMetadata().getNamespace();
    var before = kept(resource).filter(it -> it.asks(demanded.queries()));
    requireMemory(resource, settings, now);
    var fresh =
        new LiveTarget(
            settings,
            demanded.queries(),
            before
                .map(it -> it.saved(now))
                .filter(it -> !it.metrics().isEmpty())
                .or(() -> states.of(uid)),
            source,
            new Learning(fits.of(namespace, uid), lenders.of(resource, now)),
            before
                .map(it -> it.leadTimes().after(resource))
                .orElseGet(() -> LeadTimes.of(resource)),
            () -> offset(uid, settings.forecast().step()),
            now);
    before.ifPresentOrElse(
        it -> fresh.goOnFrom(it, resource), () -> fresh.takeOver(EarlierLeader.served(resource)));
    targets.put(uid, fresh);
    return fresh;
  }

  /**
   * What the metrics of a resource were by the minute, and how the resource is scaled.
   *
   * @throws NotReady when there is no server to ask
   * @throws IllegalArgumentException when the spec is invalid
   */
  public Recorded recorded(PredictiveHPA resource) throws NotReady {
    return new DemandRecords(specs, servers, Optional.empty()).recorded(resource);
  }

  /**
   * Where each metric's demand is recorded.
   *
   * @param demands in the order of the settings' metrics
   * @param leading series that may show these before they come
   */
  public record Recorded(
      List<MetricQuery> demands, List<LeadingQuery> leading, TargetSettings settings) {
    public Recorded {
      demands = List.copyOf(demands);
      leading = List.copyOf(leading);
    }
  }

  /** What a target knew under other settings is forgotten, whether or not there is room. */
  private void requireMemory(PredictiveHPA resource, TargetSettings settings, Instant now)
      throws NotReady {
    var uid = resource.getMetadata().getUid();
    targets.remove(uid);
    fits.drop(uid);
    var meta = resource.getMetadata();
    long cost = MemoryBudget.cost(settings, resource.getSpec().declaredLeadTime());
    forgetTargets(it -> it.isForgotten(!memory.hasRoomFor(uid, cost), now));
    memory
        .reserve(uid, meta.getNamespace(), Instant.parse(meta.getCreationTimestamp()), cost)
        .orElseThrow(
            () -> new NotReady(ConditionReason.WaitingForMemory, memory.whyItWaits(uid, cost)))
        .forEach(this::forget);
  }

  /** Frees the memory of one whose target has been missing for longer than two steps. */
  void forgetIfLeft(PredictiveHPA resource, Instant now) {
    var uid = resource.getMetadata().getUid();
    var known = targets.get(uid);
    if (known != null && known.wasLeft(now)) {
      forget(uid);
    }
  }

  /** Saves what a target knows, for new ones too, if its models were fitted since. O(steps). */
  void save(PredictiveHPA resource, LiveTarget target, Instant now) {
    target
        .unsaved(now)
        .ifPresent(
            saved -> {
              states.keep(resource.getMetadata().getUid(), saved);
              lenders.learned(
                  resource, saved.metrics().keySet().stream().map(target.cycle()::ordinary), now);
            });
  }

  /** As {@link #forget(String)}, for all whose UID is one of these. */
  void forgetWhere(Predicate<String> uids) {
    targets.keySet().stream().filter(uids).toList().forEach(this::leave);
    lenders.forgetWhere(uids);
  }

  /** As one that this process has never met. */
  void leave(String uid) {
    forget(uid);
    memory.forget(uid);
  }

  /** Forgets what was known and saved of a deleted resource. */
  void forget(PredictiveHPA resource) {
    leave(resource.getMetadata().getUid());
    states.forget(resource.getMetadata().getUid());
  }

  private void forgetTargets(Predicate<LiveTarget> holds) {
    targets.entrySet().stream()
        .filter(it -> holds.test(it.getValue()))
        .map(Map.Entry::getKey)
        .forEach(this::forget);
  }

  /** Forgets what was known of a resource; what was saved of it is kept. */
  void forget(String uid) {
    targets.remove(uid);
    memory.release(uid);
    fits.drop(uid);
  }

  /** After the end of a step: between zero and the spread, the same for a target every time. */
  private Duration offset(String uid, Duration step) {
    return Duration.ofMillis(
        (long)
            (ValuePublisher.position(uid) * TickTimes.spread(step, estimatedTotal()).toMillis()));
  }
}
