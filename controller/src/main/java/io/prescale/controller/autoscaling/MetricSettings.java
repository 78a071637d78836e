package io.prescale.controller.autoscaling;

/**
 * One metric of a target.
 *
 * @param name of the external metric; not blank
 * @param capacityPerReplica demand that one ready replica carries; the HPA's AverageValue target
 */
public record MetricSettings(String name, double capacityPerReplica) {
  public MetricSettings {
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a metric must not be blank");
    }
    if (!(capacityPerReplica > 0 && Double.isFinite(capacityPerReplica))) {
      throw new IllegalArgumentException(
          "capacity of metric %s must be above 0: %s".formatted(name, capacityPerReplica));
    }
  }
}
