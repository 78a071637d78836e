package io.prescale.controller.input;

/** An input that could not be had. The message is a sentence for the user. */
public class InputException extends Exception {
  private static final long serialVersionUID = 1;

  /** What kind of thing is wrong, and so who has to act. */
  public enum Fault {
    /** The source cannot be reached, or lets nobody in. */
    UNREACHABLE,
    /** The source answered, with something that cannot be read as what was asked for. */
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
