package io.prescale.controller.cli.options;

import io.prescale.controller.input.Excerpt;

/** A share from 0 to 1, written {@code 0.5%} or {@code 0.005}. */
public record Share(double value) {
  private static final int WHOLE = 100;

  public Share {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(
          "a share must be from 0%% to 100%%: %s%%".formatted(100 * value));
    }
  }

  public static Share parse(String text) {
    var given = NumberText.of(text);
    try {
      double number = Double.parseDouble(given.number());
      if (!given.isPercent() && number > 1) {
        var meant = number > WHOLE ? "" : "; write %s%% for a percentage".formatted(given.number());
        throw new IllegalArgumentException(
            "%s is more than the whole, which is 1 or 100%%%s"
                .formatted(Excerpt.quoted(text), meant));
      }
      return new Share(given.isPercent() ? number / WHOLE : number);
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException(
          Excerpt.quoted(text) + " is not a share; write one such as 0.5% or 0.005");
    }
  }
}
