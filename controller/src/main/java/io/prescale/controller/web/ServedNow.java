package io.prescale.controller.web;

import io.prescale.adapter.Answer;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.SelectorException;
import java.time.Instant;
import java.util.OptionalDouble;

/**
 * What the metrics API answers an HPA.
 *
 * @param value in the unit of the metric; empty where the answer is an error, on which an HPA keeps
 *     its replicas
 * @param ageSeconds of a value that stands in for a newer one; else 0
 * @param reason why there is no value; else empty
 */
public record ServedNow(State state, OptionalDouble value, long ageSeconds, String reason) {

  /** How much an answer is worth. */
  public enum State {
    FRESH,
    LAST_KNOWN_GOOD,
    UNKNOWN
  }

  /**
   * The answer to the HPA of one object.
   *
   * @param selector that the HPA asks with
   */
  public static ServedNow to(MetricReadModel model, MetricKey key, String selector, Instant now) {
    try {
      return of(model.read(key, LabelSelector.parse(selector), now));
    } catch (SelectorException e) {
      throw new IllegalArgumentException("selector " + selector, e);
    }
  }

  /** What an HPA makes of an answer. */
  public static ServedNow of(Answer answer) {
    return switch (answer) {
      case Answer.Fresh(var items) ->
          new ServedNow(State.FRESH, OptionalDouble.of(Answer.sum(items)), 0, "");
      case Answer.LastKnownGood(var items, var age) ->
          new ServedNow(
              State.LAST_KNOWN_GOOD,
              OptionalDouble.of(Answer.sum(items)),
              Math.max(0, age.toSeconds()),
              "");
      case Answer.Unknown(var reason) -> unknown(reason);
      case Answer.Absent(var reason) -> unknown(reason);
    };
  }

  private static ServedNow unknown(String reason) {
    return new ServedNow(State.UNKNOWN, OptionalDouble.empty(), 0, reason);
  }
}
