package io.prescale.controller.cli.terminal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Standard output takes no more. The message is a sentence for the user. */
public final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean pipe;

  public OutputClosedException(IOException cause) {
    super("Standard output cannot be written: " + cause.getMessage() + ".", cause);
    this.pipe = cause.getMessage() != null && Objects.equals(cause.getMessage(), brokenPipe());
  }

  /** Whether the program that reads the output has enough of it: nothing to tell its user. */
  public boolean isClosedPipe() {
    return pipe;
  }

  /**
   * What the system says of a broken pipe, in the user's language: the only difference between the
   * exceptions of a broken pipe and of a full disk. One is broken to hear it.
   */
  static @Nullable String brokenPipe() {
    try {
      var pipe = Pipe.open();
      try (var sink = pipe.sink()) {
        pipe.source().close();
        sink.write(ByteBuffer.allocate(1));
        return null;
      }
    } catch (IOException e) {
      return e.getMessage();
    }
  }
}
