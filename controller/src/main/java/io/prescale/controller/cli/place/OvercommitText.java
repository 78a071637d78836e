package io.prescale.controller.cli.place;

import io.prescale.controller.cli.options.NumberText;
import io.prescale.controller.input.Excerpt;
import io.prescale.placement.overcommit.BoundedRisk;
import io.prescale.placement.overcommit.BoundedRisk.Dependence;
import io.prescale.placement.overcommit.ConstantFactor;
import io.prescale.placement.overcommit.OvercommitRule;
import java.math.BigDecimal;

/** An overcommit rule as users write it: {@code factor=1.5} or {@code risk=0.1%}. */
public final class OvercommitText {
  private static final int LONGEST = 12;
  private static final int FACTOR_POWER = 3;
  private static final int PERCENT_POWER = 4;

  private OvercommitText() {}

  public static OvercommitRule parse(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw unreadable(text);
    }
    var value = text.substring(equals + 1);
    return switch (text.substring(0, equals)) {
      case "factor" -> new ConstantFactor(scaled(text, value, FACTOR_POWER));
      case "risk" -> risk(text, value, Dependence.ANY);
      case "independent-risk" -> risk(text, value, Dependence.INDEPENDENT);
      default -> throw unreadable(text);
    };
  }

  private static OvercommitRule risk(String text, String value, Dependence dependence) {
    var given = NumberText.of(value);
    if (!given.isPercent()) {
      throw unreadable(text);
    }
    return new BoundedRisk(scaled(text, given.number(), PERCENT_POWER), dependence);
  }

  /** A decimal number times a power of ten, which must be an integer. */
  private static int scaled(String text, String number, int power) {
    if (number.length() > LONGEST) {
      throw unreadable(text);
    }
    try {
      return new BigDecimal(number).scaleByPowerOfTen(power).intValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw unreadable(text, e);
    }
  }

  private static IllegalArgumentException unreadable(String text) {
    return new IllegalArgumentException(
        Excerpt.quoted(text)
            + " is not an overcommit rule; write factor=1.5, risk=0.1% or independent-risk=0.1%");
  }

  private static IllegalArgumentException unreadable(String text, Exception cause) {
    var e = unreadable(text);
    e.initCause(cause);
    return e;
  }
}
