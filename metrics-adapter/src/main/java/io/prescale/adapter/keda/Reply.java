package io.prescale.adapter.keda;

import java.util.function.Function;

/** An answer to KEDA, or the reason why there is none. */
sealed interface Reply<T> {
  record Given<T>(T value) implements Reply<T> {}

  /** No answer; the sentence says what to do about it. */
  record Refused<T>(Reason reason, String message) implements Reply<T> {}

  /** Why there is no answer. */
  enum Reason {
    /** The trigger's metadata, or the message itself, makes no sense. */
    INVALID,
    /** There is no such PredictiveHPA, or it has no such metric. */
    ABSENT,
    /** The metric exists and its value is not known: KEDA must not take that for 0. */
    UNKNOWN,
    /** Too much is asked for at once. */
    TOO_MANY
  }

  static <T> Reply<T> refused(Reason reason, String message) {
    return new Refused<>(reason, message);
  }

  /** What follows from the answer; a refusal stays one. */
  default <R> Reply<R> then(Function<T, Reply<R>> next) {
    return switch (this) {
      case Given<T>(var value) -> next.apply(value);
      case Refused<T>(var reason, var message) -> new Refused<>(reason, message);
    };
  }
}
