package io.prescale.controller.autoscaling;

/**
 * The HPA's tolerance: it keeps its replicas while {@code |1 - wanted / current|} stays within.
 *
 * @param up tolerance towards more replicas, 0 to 1
 * @param down tolerance towards fewer
 */
public record DeadBand(double up, double down) {
  public DeadBand {
    if (!(up >= 0 && up < 1) || !(down >= 0 && down < 1)) {
      throw new IllegalArgumentException(
          "tolerance must be from 0 to below 1: " + up + ", " + down);
    }
  }

  /** Whether an HPA with {@code current} replicas would do nothing about {@code wanted}. */
  public boolean holds(int wanted, int current) {
    double ratio = (double) wanted / current;
    return ratio >= 1 - down - 1e-9 && ratio <= 1 + up + 1e-9;
  }
}
