package io.prescale.adapter.identity;

/** The result of authenticating a request. */
public sealed interface Authentication {
  /**
   * An authenticated user, or the anonymous one.
   *
   * @param byProxy whether the cluster's front proxy vouches for the user
   */
  record Known(User user, boolean byProxy) implements Authentication {}

  /** The credentials are not valid: 401. */
  record Refused() implements Authentication {}

  /** The sender cannot be determined now: 503. */
  record Unavailable(String reason) implements Authentication {}
}
