package io.prescale.placement.overcommit;

import java.math.BigDecimal;
import java.util.List;

/**
 * Admits shares while the probability that together they use more memory than the card has stays
 * below a bound.
 *
 * <p>With S the memory in use, μ its mean, c the card's memory, t = c - μ, and a share's limit l,
 * mean m and deviation s, the probability P(S &gt; c) is at most
 *
 * <ul>
 *   <li>Cantelli: σ² / (σ² + t²), with σ = Σ s for shares that may all peak together, which holds
 *       for any dependence (Cantelli 1928; Boucheron, Lugosi, Massart, Concentration Inequalities,
 *       2013, exercise 2.3; σ by the triangle inequality);
 *   <li>for independent shares also Cantelli with σ² = Σ s²; Hoeffding: exp(-2t² / Σ l²); and
 *       Bernstein: exp(-t² / (2(Σ s² + bt/3))), b = max(l - m) (the same book, theorems 2.8 and
 *       2.10). The least of the three counts.
 * </ul>
 *
 * <p>The bounds hold for the observed distribution: a share whose usage changes is noticed only
 * when it is observed again.
 *
 * @param perMillion the bound, 1 to 500,000 in a million
 * @param dependence whether shares may peak together
 */
public record BoundedRisk(int perMillion, Dependence dependence) implements OvercommitRule {
  private static final int MILLION = 1_000_000;

  /** The dependence between the usage of shares. */
  public enum Dependence {
    /** Unknown: all shares may peak at once, as notebooks do in the morning. */
    ANY,
    /** The shares are independent of each other. */
    INDEPENDENT
  }

  public BoundedRisk {
    if (perMillion < 1 || perMillion > MILLION / 2) {
      throw new IllegalArgumentException(
          "a risk of %s %%; give 0.0001 %% to 50 %%"
              .formatted(BigDecimal.valueOf(perMillion, 4).stripTrailingZeros().toPlainString()));
    }
  }

  @Override
  public boolean admits(List<MemoryUsage> shares, int cardMib) {
    return chance(shares, cardMib) * MILLION <= perMillion;
  }

  /** Without a search where nothing is known of any share: then the card promises what it has. */
  @Override
  public int promisableMib(List<MemoryUsage> shares, int cardMib) {
    if (!shares.stream().allMatch(MemoryUsage::isUnknown)) {
      return OvercommitRule.super.promisableMib(shares, cardMib);
    }
    long promised = shares.stream().mapToLong(MemoryUsage::limitMib).sum();
    return Math.clamp(promised, cardMib, Integer.MAX_VALUE);
  }

  /** An upper bound of the probability that the shares use more than the card has; 0 to 1. */
  public double chance(List<MemoryUsage> shares, int cardMib) {
    if (shares.stream().mapToLong(MemoryUsage::limitMib).sum() <= cardMib) {
      return 0;
    }
    double spare = cardMib - shares.stream().mapToDouble(MemoryUsage::meanMib).sum();
    if (spare <= 0) {
      return 1;
    }
    return switch (dependence) {
      case ANY -> {
        double together = shares.stream().mapToDouble(MemoryUsage::deviationMib).sum();
        yield cantelli(together * together, spare);
      }
      case INDEPENDENT -> independent(shares, spare);
    };
  }

  private static double independent(List<MemoryUsage> shares, double spare) {
    double variance = 0;
    double squaredLimits = 0;
    double highestRise = 0;
    for (MemoryUsage share : shares) {
      variance += share.deviationMib() * share.deviationMib();
      squaredLimits += (double) share.limitMib() * share.limitMib();
      highestRise = Math.max(highestRise, share.limitMib() - share.meanMib());
    }
    double hoeffding = Math.exp(-2 * spare * spare / squaredLimits);
    double bernstein = Math.exp(-spare * spare / (2 * (variance + highestRise * spare / 3)));
    return Math.min(cantelli(variance, spare), Math.min(hoeffding, bernstein));
  }

  private static double cantelli(double variance, double spare) {
    return variance / (variance + spare * spare);
  }
}
