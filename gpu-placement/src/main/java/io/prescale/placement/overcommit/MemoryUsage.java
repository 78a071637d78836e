package io.prescale.placement.overcommit;

/**
 * The known usage of a share of a card's memory.
 *
 * @param limitMib the memory promised, which is enforced
 * @param meanMib mean usage, 0 to the limit
 * @param deviationMib standard deviation of the usage, at most half the limit
 */
public record MemoryUsage(int limitMib, double meanMib, double deviationMib) {
  /** Fewer samples are too few to estimate mean and deviation. */
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

  /** Unknown usage, which counts as the full limit at all times. */
  public static MemoryUsage unknown(int limitMib) {
    return new MemoryUsage(limitMib, limitMib, 0);
  }

  /** Whether it counts as the full limit at all times. */
  public boolean isUnknown() {
    return meanMib == limitMib && deviationMib == 0;
  }

  /**
   * Observed usage; unknown with fewer than {@value #FEWEST_SAMPLES} samples.
   *
   * @param samplesMib memory in use at equally spaced moments; values above the limit count as the
   *     limit
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
