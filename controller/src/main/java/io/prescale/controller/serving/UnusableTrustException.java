package io.prescale.controller.serving;

/** Thrown when the cluster's authentication settings are malformed; the message names the key. */
final class UnusableTrustException extends Exception {
  private static final long serialVersionUID = 1;

  UnusableTrustException(String message) {
    super(message);
  }
}
