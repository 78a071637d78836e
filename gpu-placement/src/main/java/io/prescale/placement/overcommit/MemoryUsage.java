package io.prescale.placement.overcommit;

/**
 * What a share of a card's memory is known to use.
 *
 * @param limitMib what it was promised and cannot pass
 * @param meanMib the mean of what it used, 0 to the limit
 * @param deviationMib the standard deviation of what it used, at most half the limit
 */
public record MemoryUsage(int limitMib, double meanMib, double deviationMib) {
  /** Fewer samples say too little of the moments. */
  public static final int FEWEST_SAMPLES = 100;

  public MemoryUsage {
    if (limitMib < 1) {
      throw new IllegalArgumentException("a share of %d MiB; give 1 or more".formatted(limitMib));
    }
    if (!(meanMib >= 0 && meanMib <= limitMib)) {
      throw new IllegalArgumentException(
          "a mean of %s MiB for a share of %d; give 0 to the share".formatted(meanMib, limitMib));
    }
    if (!(deviationMib >= 0 && deviationMib <= limitMib / 2.0)) {
      throw new IllegalArgumentException(
          "a deviation of %s MiB for a share of %d; give 0 to half the share"
              .formatted(deviationMib, limitMib));
    }
  }

  /** A share of which nothing is known: it may use all it was promised, always. */
  public static MemoryUsage unknown(int limitMib) {
    return new MemoryUsage(limitMib, limitMib, 0);
  }

  /**
   * A share as it was observed. With fewer than {@value #FEWEST_SAMPLES} samples nothing is known.
   *
   * @param samplesMib memory in use at moments spread evenly over time; above the limit counts as
   *     the limit
   * @throws IllegalArgumentException when a sample is negative
   */
  public static MemoryUsage observed(int limitMib, int... samplesMib) {
    if (samplesMib.length < FEWEST_SAMPLES) {
      return unknown(limitMib);
    }
    double mean = 0;
    double squares = 0;
    for (int i = 0; i < samplesMib.length; i++) {
      if (samplesMib[i] < 0) {
        throw new IllegalArgumentException(
            "sample %d is %d MiB; memory in use is 0 or more".formatted(i, samplesMib[i]));
      }
      double value = Math.min(samplesMib[i], limitMib);
      double above = value - mean;
      mean += above / (i + 1);
      squares += above * (value - mean);
    }
    double deviation = Math.sqrt(squares / samplesMib.length);
    return new MemoryUsage(limitMib, Math.min(mean, limitMib), Math.min(deviation, limitMib / 2.0));
  }
}
