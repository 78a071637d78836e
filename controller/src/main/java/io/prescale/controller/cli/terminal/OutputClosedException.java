package io.prescale.controller.cli.terminal;

import java.io.IOException;

/** Standard output takes no more. The message is a sentence for the user. */
public final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean pipe;

  public OutputClosedException(IOException cause) {
    super("Standard output cannot be written: " + cause.getMessage() + ".", cause);
    this.pipe = String.valueOf(cause.getMessage()).contains("pipe");
  }

  /** Whether the program that reads the output has enough of it: nothing to tell its user. */
  public boolean isClosedPipe() {
    return pipe;
  }
}
