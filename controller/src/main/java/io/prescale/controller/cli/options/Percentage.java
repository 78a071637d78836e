package io.prescale.controller.cli.options;

import io.prescale.controller.input.Excerpt;

/** A whole percentage, possibly above 100, written {@code 130%}. */
public record Percentage(int percent) {
  private static final int MOST = 1000;

  public Percentage {
    if (percent < 1 || percent > MOST) {
      throw new IllegalArgumentException(
          "%d%% is out of range; give 1%% to %d%%".formatted(percent, MOST));
    }
  }

  public static Percentage parse(String text) {
    try {
      return new Percentage(Integer.parseInt(NumberText.of(text).number()));
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException(
          Excerpt.quoted(text) + " is not a whole percentage; write one such as 95% or 130%");
    }
  }
}
