package io.prescale.controller.simulation.replay;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a policy serves for one minute.
 *
 * @param value the metric that the HPA reads; empty for one that cannot be read
 * @param rationale why this value, if the policy explains itself
 */
public record Served(
    OptionalDouble value, Optional<Quantiles> quantiles, Optional<Rationale> rationale) {

  public static Served of(double value) {
    return of(OptionalDouble.of(value));
  }

  public static Served of(OptionalDouble value) {
    return new Served(value, Optional.empty(), Optional.empty());
  }

  public Served with(Quantiles newQuantiles) {
    return new Served(value, Optional.of(newQuantiles), rationale);
  }

  public Served because(Rationale newRationale) {
    return new Served(value, quantiles, Optional.of(newRationale));
  }
}
