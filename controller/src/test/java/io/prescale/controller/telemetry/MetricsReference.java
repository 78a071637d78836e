package io.prescale.controller.telemetry;

import io.prometheus.client.Collector;
import java.util.Locale;

/** The page about the metrics, made from what they are made of. */
final class MetricsReference {
  private MetricsReference() {}

  static String markdown() {
    var page =
        new StringBuilder(
            """
            # Metrics

            What the controller says about itself at `GET /metrics`, in the text format 0.0.4, beside the metrics
            of the JVM (`jvm_…`, `process_…`). The series of an object go with the object, and those
            of all objects with the leadership of the replica; at most %d objects have series of their own. This page is
            generated: see `MetricsReferenceTest`.

            | Metric | Type | Labels | |
            |---|---|---|---|
            """
                .formatted(TargetMetrics.MOST_TARGETS));
    for (Metric series : Metric.values()) {
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
