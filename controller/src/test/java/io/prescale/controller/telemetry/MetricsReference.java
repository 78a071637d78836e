package io.prescale.controller.telemetry;

import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prometheus.client.Collector;
import java.util.Locale;

/** Generates the reference of the controller's own metrics. */
public final class MetricsReference {
  private MetricsReference() {}

  /** The reference as Markdown. */
  public static String markdown() {
    var page =
        new StringBuilder(
            """
            # Metrics

            <!-- Generated from io.prescale.controller.telemetry; renew with
            %s -->

            What the controller reports about itself at `GET /metrics`, in the text format 0.0.4, beside the metrics
            of the JVM (`jvm_…`, `process_…`). The series of an object go with the object, and those
            of all objects with the leadership of the replica; at most %d objects have series of their own.

            | Metric | Type | Labels | |
            |---|---|---|---|
            """
                .formatted(GeneratedCrd.RENEWAL, TargetMetrics.MOST_TARGETS));
    for (SelfMetric series : SelfMetric.values()) {
      page.append(
          "| `%s` | %s | %s | %s |%n"
              .formatted(
                  series.metricName() + (series.type() == Collector.Type.COUNTER ? "_total" : ""),
                  series.type().name().toLowerCase(Locale.ROOT),
                  series.labels().isEmpty() ? "" : "`" + String.join("`, `", series.labels()) + "`",
                  series.help()));
    }
    return page.toString();
  }
}
