package io.prescale.controller.cli.options;

/**
 * A number as users write it, {@code 0.005}, or as a percentage, {@code 0.5%} or {@code 0.5 %}.
 *
 * @param number without the sign, and without blanks around it
 */
public record NumberText(String number, boolean isPercent) {
  private static final String SIGN = "%";

  public static NumberText of(String text) {
    var whole = text.strip();
    return whole.endsWith(SIGN)
        ? new NumberText(whole.substring(0, whole.length() - 1).stripTrailing(), true)
        : new NumberText(whole, false);
  }
}
