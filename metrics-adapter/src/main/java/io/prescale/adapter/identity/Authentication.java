package io.prescale.adapter.identity;

/** The result of authenticating a request. */
public sealed interface Authentication {
  /** An authenticated user, or the anonymous one. */
  record Known(User user) implements Authentication {}

  /** The credentials are not valid: 401. */
  record Refused() implements Authentication {}

  /** The sender cannot be determined now: 503. */
  record Unavailable(String reason) implements Authentication {}
}
