package io.prescale.adapter.keda;

/**
 * A metric of a PredictiveHPA, as its spec declares it.
 *
 * @param averageValue the demand that one replica carries; above 0
 * @param mayBeIdle whether the PredictiveHPA may have no replicas, so that a value of 0 is idle
 */
public record DeclaredMetric(String name, double averageValue, boolean mayBeIdle) {
  public DeclaredMetric {
    if (name.isBlank() || !(averageValue > 0) || Double.isInfinite(averageValue)) {
      throw new IllegalArgumentException(
          "a metric needs a name and an average value above 0, not '%s' and %s"
              .formatted(name, averageValue));
    }
  }
}
