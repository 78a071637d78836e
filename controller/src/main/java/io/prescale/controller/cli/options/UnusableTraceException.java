package io.prescale.controller.cli.options;

/** A trace was read but cannot be used. The message is a sentence for the user. */
public final class UnusableTraceException extends Exception {
  private static final long serialVersionUID = 1;

  public UnusableTraceException(String message) {
    super(message);
  }
}
