package io.prescale.controller.cli.plan;

import io.prescale.controller.cli.options.Percentage;

/** A probability in whole percent, below 100, because no plan suffices for certain. */
public record Level(int percent) {
  private static final int MOST = 99;

  public Level {
    Percentage.requireWithin(percent, MOST);
  }

  public static Level parse(String text) {
    return new Level(Percentage.number(text));
  }
}
