package io.prescale.controller.input;

/** An input could not be read. The message is a sentence for the user. */
public class InputException extends Exception {
  private static final long serialVersionUID = 1;

  /** The kind of failure, which decides the exit code. */
  public enum Fault {
    /** The source cannot be reached, or denies access. */
    UNREACHABLE,
    /** The source responded with something that cannot be used. */
    UNUSABLE
  }

  private final Fault fault;

  public InputException(Fault fault, String message) {
    super(message);
    this.fault = fault;
  }

  public InputException(Fault fault, String message, Throwable cause) {
    super(message, cause);
    this.fault = fault;
  }

  public Fault fault() {
    return fault;
  }
}
