package io.prescale.adapter.identity;

/** Who sent a request, or why nobody knows. */
public sealed interface Authentication {
  /** A user that somebody trusted vouches for, or the anonymous one. */
  record Known(User user) implements Authentication {}

  /** Credentials were sent that do not hold: 401. */
  record Refused() implements Authentication {}

  /** Nobody can tell now: 503. */
  record Unavailable(String reason) implements Authentication {}
}
