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
}
