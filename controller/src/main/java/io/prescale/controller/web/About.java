package io.prescale.controller.web;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the page is about.
 *
 * @param now by the clock of what is shown
 * @param speed of that clock, 1 is real time
 * @param cardHourPrice what an hour of a card costs, in any currency, if it is given
 * @param doing what has to be done before time passes, if anything
 */
public record About(
    String title,
    boolean demo,
    Instant now,
    double speed,
    OptionalDouble cardHourPrice,
    Optional<Doing> doing) {
  /**
   * Work that takes its time.
   *
   * @param text a sentence or two
   * @param done the share that is done, 0 to 1
   */
  public record Doing(String text, double done) {}
}
