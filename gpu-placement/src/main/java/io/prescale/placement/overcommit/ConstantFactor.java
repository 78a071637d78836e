package io.prescale.placement.overcommit;

import java.math.BigDecimal;
import java.util.List;

/**
 * Promises a fixed multiple of a card's memory, whatever its shares use, like HAMi's {@code
 * deviceMemoryScaling}.
 *
 * @param permille 1000 promises exactly the card's memory, 1500 half as much again; up to 10,000
 */
public record ConstantFactor(int permille) implements OvercommitRule {
  private static final int MOST = 10_000;

  public ConstantFactor {
    if (permille < 1000 || permille > MOST) {
      throw new IllegalArgumentException(
          "a factor of %s; give 1 to %d"
              .formatted(
                  BigDecimal.valueOf(permille, 3).stripTrailingZeros().toPlainString(),
                  MOST / 1000));
    }
  }

  @Override
  public boolean admits(List<MemoryUsage> shares, int cardMib) {
    long promised = shares.stream().mapToLong(MemoryUsage::limitMib).sum();
    return promised * 1000 <= (long) cardMib * permille;
  }
}
