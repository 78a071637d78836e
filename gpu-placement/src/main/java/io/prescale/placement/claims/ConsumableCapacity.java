package io.prescale.placement.claims;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/**
 * An amount that a device has, and the portions in which claims take it (KEP-5075).
 *
 * @param value the whole amount
 * @param policy empty when any portion is possible
 */
public record ConsumableCapacity(BigDecimal value, Optional<Policy> policy) {

  /**
   * Portions; at most one of range and values is given.
   *
   * @param usual the portion of a claim that names no amount
   * @param values ascending
   */
  public record Policy(Optional<BigDecimal> usual, Optional<Range> range, List<BigDecimal> values) {
    public Policy {
      values = List.copyOf(values);
    }
  }

  /** Amounts from a least in steps to a greatest. */
  public record Range(BigDecimal min, Optional<BigDecimal> max, Optional<BigDecimal> step) {}

  /**
   * The amount that a claim takes: what it asks for, rounded up to a portion.
   *
   * @param asked empty when the claim names no amount
   * @return empty when no portion is large enough
   */
  public Optional<BigDecimal> portion(Optional<BigDecimal> asked) {
    if (asked.isEmpty()) {
      return Optional.of(policy.flatMap(Policy::usual).orElse(value));
    }
    var wanted = asked.get();
    if (policy.isEmpty()) {
      return Optional.of(wanted);
    }
    var portions = policy.get();
    if (portions.range().isPresent()) {
      return portion(portions.range().get(), wanted);
    }
    return portions.values().isEmpty()
        ? Optional.of(wanted)
        : portions.values().stream().filter(v -> v.compareTo(wanted) >= 0).findFirst();
  }

  private static Optional<BigDecimal> portion(Range range, BigDecimal wanted) {
    var portion = wanted.max(range.min());
    if (range.step().isPresent() && range.step().get().signum() > 0) {
      var step = range.step().get();
      BigInteger steps =
          portion.subtract(range.min()).divide(step, 0, RoundingMode.CEILING).toBigInteger();
      portion = range.min().add(step.multiply(new BigDecimal(steps)));
    }
    var rounded = portion;
    return range.max().filter(max -> rounded.compareTo(max) > 0).isPresent()
        ? Optional.empty()
        : Optional.of(rounded);
  }
}
