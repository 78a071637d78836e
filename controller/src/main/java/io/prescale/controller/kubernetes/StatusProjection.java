package io.prescale.controller.kubernetes;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.kubernetes.ServedFromStatus.Answer;
import java.util.Set;

/**
 * Keeps the adapter's read model as the statuses of all PredictiveHPAs say, in every replica: the
 * one that leads as well as those that follow.
 */
public final class StatusProjection implements ResourceEventHandler<PredictiveHPA> {
  private final MetricReadModel model;

  public StatusProjection(MetricReadModel model) {
    this.model = model;
  }

  @Override
  public void onAdd(PredictiveHPA added) {
    project(added);
  }

  @Override
  public void onUpdate(PredictiveHPA before, PredictiveHPA now) {
    var names = ServedFromStatus.of(now).keySet();
    withdraw(before, names);
    project(now);
  }

  @Override
  public void onDelete(PredictiveHPA deleted, boolean finalStateUnknown) {
    withdraw(deleted, Set.of());
  }

  private void project(PredictiveHPA resource) {
    ServedFromStatus.of(resource).forEach((metric, answer) -> publish(resource, metric, answer));
  }

  private void publish(PredictiveHPA resource, String metric, Answer answer) {
    var key = key(resource, metric);
    var source = resource.getMetadata().getName();
    answer.value().ifPresent(value -> model.publish(key, source, value));
    answer
        .problem()
        .ifPresent(
            problem -> model.refuse(key, source, ServedFromStatus.labels(source), problem));
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
