package io.prescale.controller.serving;

/** The cluster's settings of authentication cannot be read; the message names the key. */
final class UnusableTrustException extends Exception {
  private static final long serialVersionUID = 1;

  UnusableTrustException(String message) {
    super(message);
  }
}
