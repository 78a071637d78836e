package io.prescale.controller.cli.options;

/** A trace that was read but is of no use here. The message is a sentence for the user. */
public final class UnusableTraceException extends Exception {
  private static final long serialVersionUID = 1;

  public UnusableTraceException(String message) {
    super(message);
  }
}
