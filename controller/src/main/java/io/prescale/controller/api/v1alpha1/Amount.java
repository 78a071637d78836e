package io.prescale.controller.api.v1alpha1;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Metric values in the form of the status: Kubernetes quantities in thousandths. */
public final class Amount {
  /** Larger values in thousandths do not fit into 64 bits. */
  private static final double LARGEST = 9e15;

  private static final double THOUSAND = 1000;
  private static final int MOST_DIGITS = 40;

  private Amount() {}

  /** Formats a value, rounded up to thousandths as Kubernetes does, and limited to 9·10¹⁵. */
  public static String text(double value) {
    double bounded = Math.clamp(value, -LARGEST, LARGEST);
    return io.prescale.adapter.Quantity.ofMilli((long) Math.ceil(bounded * THOUSAND));
  }

  public static @Nullable String textOrNull(double value) {
    return Double.isFinite(value) ? text(value) : null;
  }

  public static @Nullable String textOrNull(OptionalDouble value) {
    return value.isPresent() ? textOrNull(value.getAsDouble()) : null;
  }

  /** Parses a quantity; empty if the text is not one. */
  public static OptionalDouble value(@Nullable String text) {
    return number(text).stream().mapToDouble(BigDecimal::doubleValue).findAny();
  }

  /**
   * Parses a quantity in thousandths; empty if the text is not one, or it is negative or too large.
   */
  public static Optional<Long> milli(@Nullable String text) {
    try {
      return number(text)
          .map(amount -> amount.movePointRight(3).setScale(0, RoundingMode.UP))
          .filter(milli -> milli.signum() >= 0)
          .map(BigDecimal::longValueExact);
    } catch (ArithmeticException _) {
      return Optional.empty();
    }
  }

  /**
   * A quantity as a decimal number, {@code 30.001} for {@code 30001m}; other text is returned
   * unchanged.
   */
  public static @Nullable String plain(@Nullable String text) {
    return number(text).map(it -> it.stripTrailingZeros().toPlainString()).orElse(text);
  }

  private static Optional<BigDecimal> number(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      // Arithmetic with more digits would take minutes.
      return Optional.of(new Quantity(text).getNumericalAmount())
          .filter(amount -> Math.abs(amount.scale()) <= MOST_DIGITS);
    } catch (IllegalArgumentException | ArithmeticException _) {
      return Optional.empty();
    }
  }
}
