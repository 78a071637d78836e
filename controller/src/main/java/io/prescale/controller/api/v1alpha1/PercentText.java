package io.prescale.controller.api.v1alpha1;

import java.math.BigDecimal;

/** Percentages as manifests write them, such as 0.5%, and CEL expressions about one. */
final class PercentText {
  /** Whether the text is one. */
  static final String IS_PERCENTAGE = "self.matches('^[0-9]{1,3}([.][0-9]{1,6})?%$')";

  /** The number before its sign. */
  static final String NUMBER = "double(self.substring(0, size(self) - 1))";

  private PercentText() {}

  /** A percentage as a share, 0.005 for 0.5%. */
  static double share(String text) {
    return new BigDecimal(text.substring(0, text.length() - 1)).movePointLeft(2).doubleValue();
  }
}
