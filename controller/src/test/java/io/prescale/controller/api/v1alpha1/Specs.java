package io.prescale.controller.api.v1alpha1;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;

/**
 * Specs with defaults for all that a test does not care about, but that the newest value is served
 * as it is while forecasts are not followed.
 */
public final class Specs {
  private Specs() {}

  public static PredictiveHPASpec of(
      ScaleTargetRef target,
      int minReplicas,
      int maxReplicas,
      Mode mode,
      List<MetricEntry> metrics) {
    var asItIs = new FallbackSpec("15m", "100%");
    return of(target, minReplicas, maxReplicas, mode, metrics, asItIs);
  }

  static PredictiveHPASpec of(
      ScaleTargetRef target,
      int minReplicas,
      int maxReplicas,
      Mode mode,
      List<MetricEntry> metrics,
      FallbackSpec fallback) {
    return new PredictiveHPASpec(
        target,
        minReplicas,
        maxReplicas,
        mode,
        ScaleThrough.PrescaleHPA,
        metrics,
        ForecastSpec.defaults(),
        "auto",
        null,
        fallback,
        null,
        null,
        null,
        List.of(),
        null,
        null);
  }

  public static MetricEntry query(String name, String query, String averageValue) {
    return new MetricEntry(
        name,
        new PrometheusQuery(query, null),
        null,
        null,
        null,
        null,
        new MetricTarget(Quantity.parse(averageValue)),
        List.of(),
        null);
  }
}
