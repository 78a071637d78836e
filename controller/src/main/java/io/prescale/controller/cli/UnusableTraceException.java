package io.prescale.controller.cli;

/** A trace that was read but is of no use here. The message is a sentence for the user. */
final class UnusableTraceException extends Exception {
  private static final long serialVersionUID = 1;

  UnusableTraceException(String message) {
    super(message);
  }
}
