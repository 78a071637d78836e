package io.prescale.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.cluster.Leadership;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.operator.hpa.HpaPlanner;
import io.prescale.controller.sharding.Shards;
import io.prescale.controller.states.SavedStates;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.values.PublishedValues;
import io.prescale.controller.values.ValuePublisher;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A replica of the controller: it stands for election, and decides while it leads; or it shares the
 * work with others by shards.
 */
public final class Controller implements AutoCloseable {
  static final String LEASE = "prescale";

  /** However many PredictiveHPAs begin, change or move to this replica at the same time. */
  private static final int WRITES_PER_SECOND = 16;

  /** All that replicas share is in shards; who leads is a sign that they share. */
  private static final Leadership.Term NOTHING_ELSE =
      new Leadership.Term() {
        @Override
        public void begin() {}

        @Override
        public void end() {}
      };

  /** Fits are arithmetic, and may take minutes of it after a start: ticks need a processor too. */
  private final FitQueue fits =
      new FitQueue(Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, 2));

  private final LiveTargets targets;
  private final ValuePublisher publisher;
  private final SavedStates states;
  private final Leadership leadership;
  private final Optional<Shards> shards;

  /**
   * A controller that has not started.
   *
   * @param features of the cluster's HPAs
   * @param values what any leader has published
   * @param nanoTime a clock that never goes back
   * @param unserved why the cluster's external metrics are not Prescale's, a sentence with the
   *     remedy
   */
  public Controller(
      KubernetesClient client,
      ControllerSettings settings,
      HpaFeatures features,
      PublishedValues values,
      MetricSource source,
      Telemetry telemetry,
      InstantSource clock,
      LongSupplier nanoTime,
      Supplier<Optional<String>> unserved) {
    var planner = new HpaPlanner(features, client.getKubernetesSerialization());
    var limits = settings.limits();
    var allowed = limits.servers().andApiServer(client.getConfiguration().getMasterUrl());
    var duty =
        settings.sharded()
            ? new Duty(this::holds, this::isElsewhere, this::part)
            : Duty.all(this::isLeader);
    var servers =
        new PrometheusServers(
            client, nanoTime, settings.prometheus(), allowed, limits.enforceNamespace());
    states = new SavedStates(client, settings.leaseNamespace(), duty.leads(), clock, telemetry);
    targets =
        new LiveTargets(
            features,
            servers,
            source,
            fits,
            limits.shortestStep(),
            MemoryBudget.ofHeap(Runtime.getRuntime().maxMemory()),
            states,
            duty.part());
    var turns = new WriteTurns(WRITES_PER_SECOND, duty.part(), nanoTime);
    publisher = values.publisher(duty.leads(), telemetry, turns);
    var reconciler =
        new PredictiveHpaReconciler(
            client,
            duty,
            limits.objectsPerNamespace(),
            clock,
            targets,
            new PodWork(new RotatedCredentials(source, servers), servers),
            planner,
            values,
            publisher,
            telemetry,
            turns,
            unserved);
    var term =
        new ReconcilingTerm(
            client,
            settings.namespaces(),
            telemetry,
            reconciler,
            values,
            states,
            duty,
            this::resign);
    var namespace = settings.leaseNamespace();
    var identity = settings.identity();
    if (settings.sharded()) {
      shards = Optional.of(new Shards(client, namespace, LEASE, identity, clock, nanoTime, term));
      leadership =
          new Leadership(client, namespace, LEASE, Shards.leader(identity), nanoTime, NOTHING_ELSE);
    } else {
      shards = Optional.empty();
      leadership = new Leadership(client, namespace, LEASE, identity, nanoTime, term);
    }
  }

  /** The targets, which can be queried whether or not this replica leads. */
  public LiveTargets targets() {
    return targets;
  }

  /** Stands for election, or joins the replicas that share the work. */
  public void start() {
    leadership.start();
    shards.ifPresent(Shards::start);
  }

  /** Whether this replica is the one that leads, also where all share the work. */
  public boolean isLeader() {
    return leadership.leads();
  }

  private boolean holds(double position) {
    return shards.orElseThrow().holds(Shards.of(position));
  }

  private boolean isElsewhere(double position) {
    return !shards.orElseThrow().owns(Shards.of(position));
  }

  private double part() {
    return shards.orElseThrow().count() / (double) Shards.COUNT;
  }

  private void resign() {
    shards.ifPresentOrElse(Shards::resign, leadership::resign);
  }

  @Override
  public void close() {
    shards.ifPresent(Shards::close);
    leadership.close();
    publisher.close();
    states.close();
    fits.close();
  }
}
