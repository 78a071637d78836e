package io.prescale.controller.cli.options;

import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.input.Excerpt;

/**
 * A share of the time, written {@code 0.5%} or {@code 0.005}. A number from 0.1 on needs its
 * percent sign: 0.5 might be meant as half a percent, as budgets are, or as half of the time.
 */
public record ShareOfTime(double value) {
  private static final double LARGEST_BARE = 0.1;

  public static ShareOfTime parse(String text) {
    var given = NumberText.of(text);
    double share = Share.parse(text).value();
    if (!given.isPercent() && share >= LARGEST_BARE) {
      throw new IllegalArgumentException(
          "%s could mean %s%% or %s%% of the time; write one of them"
              .formatted(Excerpt.quoted(text), given.number(), Numbers.brief(100 * share)));
    }
    return new ShareOfTime(share);
  }
}
