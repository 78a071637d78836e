package io.prescale.controller.web;

import java.util.Map;

/** Whole numbers among the parameters of a request. */
final class WholeNumbers {
  private WholeNumbers() {}

  /**
   * A number from 0 on.
   *
   * @param otherwise what it is when it is not given
   * @throws IllegalArgumentException with a sentence, if it is none or larger than allowed
   */
  static int of(Map<String, String> parameters, String name, int otherwise, int most) {
    var text = parameters.get(name);
    if (text == null) {
      return otherwise;
    }
    if (!text.matches("\\d{1,7}") || Integer.parseInt(text) > most) {
      throw new IllegalArgumentException(
          "%s must be a whole number from 0 to %d.".formatted(name, most));
    }
    return Integer.parseInt(text);
  }
}
