package io.prescale.controller.autoscaling;

import java.util.List;

/**
 * One metric of a target.
 *
 * @param name of the external metric; not blank
 * @param capacityPerReplica demand that one ready replica carries; the HPA's AverageValue target
 * @param leading names of the series that may show the demand before it comes
 */
public record MetricSettings(String name, double capacityPerReplica, List<String> leading) {
  /** A metric that no other series leads. */
  public MetricSettings(String name, double capacityPerReplica) {
    this(name, capacityPerReplica, List.of());
  }

  public MetricSettings {
    leading = List.copyOf(leading);
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a metric must not be blank");
    }
    if (!(capacityPerReplica > 0 && Double.isFinite(capacityPerReplica))) {
      throw new IllegalArgumentException(
          "capacity of metric %s must be above 0: %s".formatted(name, capacityPerReplica));
    }
  }
}
