package io.prescale.controller.operator;

import java.time.Duration;
import java.time.Instant;

/**
 * What an HPA would read in a second.
 *
 * @param readable the last demand that could be read
 * @param age of the value
 * @param sinceKnown since demand could be read
 */
record ServedSecond(
    Instant time, State state, double value, double readable, Duration age, Duration sinceKnown) {
  enum State {
    FRESH,
    LAST_KNOWN_GOOD,
    ERROR
  }
}
