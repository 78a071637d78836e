package io.prescale.controller.operator;

import io.prescale.adapter.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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

  /**
   * What an answer says.
   *
   * @param now by Prescale's clock
   * @param knownSince since when, by that clock, the readable demand could be read
   */
  static ServedSecond of(
      Answer answer, Instant time, Instant now, double readable, Instant knownSince) {
    var state =
        switch (answer) {
          case Answer.Fresh _ -> State.FRESH;
          case Answer.LastKnownGood _ -> State.LAST_KNOWN_GOOD;
          default -> State.ERROR;
        };
    var item =
        switch (answer) {
          case Answer.Fresh(var items) -> Optional.of(items.getFirst());
          case Answer.LastKnownGood(var items, var _) -> Optional.of(items.getFirst());
          default -> Optional.<Answer.Item>empty();
        };
    return new ServedSecond(
        time,
        state,
        item.map(it -> it.milliValue() / 1000.0).orElse(0.0),
        readable,
        item.map(it -> Duration.between(it.timestamp(), now)).orElse(Duration.ZERO),
        Duration.between(knownSince, now));
  }
}
