package io.prescale.controller.cli.options;

import io.prescale.controller.input.Excerpt;

/** A whole percentage, possibly above 100, written {@code 130%}. */
public record Percentage(int percent) {
  private static final int MOST = 1000;

  public Percentage {
    requireWithin(percent, MOST);
  }

  /** Requires a percentage of at least 1 and of so much at most. */
  public static void requireWithin(int percent, int most) {
    if (percent < 1 || percent > most) {
      throw new IllegalArgumentException(
          "%d%% is out of range; give 1%% to %d%%".formatted(percent, most));
    }
  }

  public static Percentage parse(String text) {
    return new Percentage(number(text));
  }

  /** The number of a whole percentage of any size. */
  public static int number(String text) {
    try {
      return Integer.parseInt(NumberText.of(text).number());
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException(
          Excerpt.quoted(text) + " is not a whole percentage; write one such as 95%");
    }
  }
}
