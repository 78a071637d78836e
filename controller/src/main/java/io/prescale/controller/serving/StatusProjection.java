package io.prescale.controller.serving;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.serving.ServedFromStatus.Published;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Projects the statuses of all PredictiveHPAs into the adapter's read model, in leader and
 * followers alike. While the API server cannot be reached, the model keeps its values, which age.
 */
public final class StatusProjection implements ResourceEventHandler<PredictiveHPA>, AutoCloseable {
  private final MetricReadModel model;
  private final List<PredictiveHpaWatch> watches;

  /**
   * A projection that has not started.
   *
   * @param namespaces namespaces to watch; empty for all
   * @param others further handlers to notify of every PredictiveHPA
   */
  public static StatusProjection of(
      KubernetesClient client,
      Set<String> namespaces,
      MetricReadModel model,
      List<ResourceEventHandler<PredictiveHPA>> others,
      InstantSource clock) {
    var all = client.resources(PredictiveHPA.class);
    var informers =
        namespaces.isEmpty()
            ? List.of(all.inAnyNamespace().runnableInformer(0))
            : namespaces.stream().map(name -> all.inNamespace(name).runnableInformer(0)).toList();
    var projection =
        new StatusProjection(
            model, informers.stream().map(it -> new PredictiveHpaWatch(it, clock)).toList());
    for (var informer : informers) {
      informer.addEventHandler(projection);
      others.forEach(informer::addEventHandler);
    }
    return projection;
  }

  StatusProjection(MetricReadModel model, List<PredictiveHpaWatch> watches) {
    this.model = model;
    this.watches = List.copyOf(watches);
  }

  /** Starts watching. */
  public void start() {
    watches.forEach(PredictiveHpaWatch::start);
  }

  /** Why this replica should not answer; see {@link PredictiveHpaWatch#fault}. */
  public Optional<String> fault() {
    return watches.stream().flatMap(watch -> watch.fault().stream()).findFirst();
  }

  @Override
  public void close() {
    watches.forEach(PredictiveHpaWatch::close);
  }

  @Override
  public void onAdd(PredictiveHPA added) {
    project(added);
  }

  @Override
  public void onUpdate(PredictiveHPA before, PredictiveHPA now) {
    withdraw(before, ServedFromStatus.of(now).keySet());
    project(now);
  }

  @Override
  public void onDelete(PredictiveHPA deleted, boolean finalStateUnknown) {
    withdraw(deleted, Set.of());
  }

  private void project(PredictiveHPA resource) {
    ServedFromStatus.of(resource).forEach((metric, it) -> publish(resource, metric, it));
  }

  private void publish(PredictiveHPA resource, String metric, Published published) {
    var key = key(resource, metric);
    var source = resource.getMetadata().getName();
    published.value().ifPresent(value -> model.publish(key, source, value));
    published
        .problem()
        .ifPresent(problem -> model.refuse(key, source, ServedFromStatus.labels(source), problem));
  }

  private void withdraw(PredictiveHPA resource, Set<String> kept) {
    for (String metric : ServedFromStatus.of(resource).keySet()) {
      if (!kept.contains(metric)) {
        model.withdraw(key(resource, metric), resource.getMetadata().getName());
      }
    }
  }

  private static MetricKey key(PredictiveHPA resource, String metric) {
    return new MetricKey(resource.getMetadata().getNamespace(), metric);
  }
}
