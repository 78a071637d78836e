package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Reads quantities of objects that tenants write. The API server keeps {@code 1e10000000}, which
 * takes seconds to add to anything, and whose digits would fill the heap.
 */
public final class BoundedQuantity {
  /** Kubernetes' own limits ({@code resource.Quantity}): 2⁶³ - 1, and nothing finer than a nano. */
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  private static final int NANO = 9;
  private static final BigDecimal LEAST = BigDecimal.ONE.movePointLeft(NANO);

  /** Far more digits than an amount within the limits needs; parsing is quadratic in them. */
  private static final int MOST_DIGITS = 100;

  private BoundedQuantity() {}

  /** The amount, rounded away from zero to a nano and limited to ±(2⁶³ - 1). O(1). */
  public static BigDecimal amount(Quantity quantity) {
    var text = quantity.getAmount();
    if (text != null && text.length() > MOST_DIGITS) {
      return text.startsWith("-") ? MOST.negate() : MOST;
    }
    var amount = quantity.getNumericalAmount();
    if (amount.abs().compareTo(MOST) >= 0) {
      return amount.signum() > 0 ? MOST : MOST.negate();
    }
    if (amount.abs().compareTo(LEAST) <= 0) {
      return BigDecimal.valueOf(amount.signum(), NANO);
    }
    return amount.scale() > NANO ? amount.setScale(NANO, RoundingMode.UP) : amount;
  }
}
