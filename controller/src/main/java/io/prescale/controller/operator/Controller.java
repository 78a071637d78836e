package io.prescale.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.cluster.Leadership;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.operator.hpa.HpaPlanner;
import io.prescale.controller.states.SavedStates;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.values.PublishedValues;
import io.prescale.controller.values.ValuePublisher;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A replica of the controller: it stands for election, and decides while it leads. */
public final class Controller implements AutoCloseable {
  static final String LEASE = "prescale";

  /** Fits are arithmetic, and may take minutes of it after a start: ticks need a processor too. */
  private final FitQueue fits =
      new FitQueue(Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, 2));

  private final LiveTargets targets;
  private final ValuePublisher publisher;
  private final SavedStates states;
  private final Leadership leadership;

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
    states = new SavedStates(client, settings.leaseNamespace(), this::leads, clock, telemetry);
    targets =
        new LiveTargets(
            features,
            new PrometheusServers(
                client, nanoTime, settings.prometheus(), allowed, limits.enforceNamespace()),
            source,
            fits,
            limits.shortestStep(),
            MemoryBudget.ofHeap(Runtime.getRuntime().maxMemory()),
            states);
    publisher = values.publisher(this::leads, telemetry);
    var reconciler =
        new PredictiveHpaReconciler(
            client, this::leads, clock, targets, planner, values, publisher, telemetry, unserved);
    var term =
        new ReconcilingTerm(
            client, settings.namespaces(), telemetry, reconciler, values, this::resign);
    leadership =
        new Leadership(
            client, settings.leaseNamespace(), LEASE, settings.identity(), nanoTime, term);
  }

  /** The targets, which can be queried whether or not this replica leads. */
  public LiveTargets targets() {
    return targets;
  }

  /** Stands for election. */
  public void start() {
    leadership.start();
  }

  /** Whether this replica writes. */
  public boolean leads() {
    return leadership.leads();
  }

  private void resign() {
    leadership.resign();
  }

  @Override
  public void close() {
    leadership.close();
    publisher.close();
    states.close();
    fits.close();
  }
}
