package io.prescale.placement.cluster;

/**
 * What a request demands of its node besides cards.
 *
 * @param cpuMilli thousandths of a core
 * @param memoryMib host memory
 * @param image container image that should be present; empty when it does not matter
 */
public record HostDemand(long cpuMilli, long memoryMib, String image) {
  public static final HostDemand NONE = new HostDemand(0, 0, "");

  public HostDemand {
    if (cpuMilli < 0 || memoryMib < 0) {
      throw new IllegalArgumentException(
          "CPU and memory are not negative: " + cpuMilli + " milli, " + memoryMib + " MiB");
    }
  }
}
