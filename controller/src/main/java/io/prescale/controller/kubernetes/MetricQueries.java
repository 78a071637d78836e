package io.prescale.controller.kubernetes;

import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;

/** The PromQL behind a metric: the user's own, or a preset's. */
final class MetricQueries {
  private MetricQueries() {}

  static String promql(PredictiveHPA resource, MetricEntry metric) {
    var own = metric.prometheus();
    if (own != null) {
      return own.query();
    }
    throw new IllegalArgumentException(
        "metric %s has no query in %s".formatted(metric.name(), resource.getMetadata().getName()));
  }
}
