package io.prescale.controller.serving;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.prescale.adapter.keda.DeclaredMetric;
import io.prescale.adapter.keda.DeclaredMetrics;
import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What the specs of all PredictiveHPAs declare, from a watch: in every replica, and before the
 * first value is known. A spec that cannot be read leaves what it declared before.
 */
public final class KnownPredictiveHpas
    implements ResourceEventHandler<PredictiveHPA>, DeclaredMetrics {
  private final Map<String, List<DeclaredMetric>> all = new ConcurrentHashMap<>();

  @Override
  public Optional<List<DeclaredMetric>> of(String namespace, String predictiveHpa) {
    return Optional.ofNullable(all.get(namespace + "/" + predictiveHpa));
  }

  @Override
  public void onAdd(PredictiveHPA added) {
    if (added.unreadable().isEmpty()) {
      all.put(
          added.qualifiedName(),
          added.getSpec().forecastMetrics().stream()
              .flatMap(metric -> declared(metric, added.getSpec().minReplicas() == 0))
              .toList());
    }
  }

  @Override
  public void onUpdate(PredictiveHPA before, PredictiveHPA now) {
    if (!Objects.equals(before.getMetadata().getUid(), now.getMetadata().getUid())) {
      onDelete(before, false); // made anew under its name
    }
    onAdd(now);
  }

  @Override
  public void onDelete(PredictiveHPA deleted, boolean finalStateUnknown) {
    all.remove(deleted.qualifiedName());
  }

  /** None for a target of 0, which the status of the PredictiveHPA names. */
  private static Stream<DeclaredMetric> declared(MetricEntry metric, boolean mayBeIdle) {
    double averageValue = metric.averageValue().getNumericalAmount().doubleValue();
    return averageValue > 0
        ? Stream.of(new DeclaredMetric(metric.name(), averageValue, mayBeIdle))
        : Stream.empty();
  }
}
