package io.prescale.controller.cli.options;

import io.prescale.controller.input.FileProblem;
import java.io.IOException;
import java.nio.file.Path;

/** A file or a port that options name cannot be used. The message is a sentence for the user. */
public final class UnreachableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UnreachableException(String message) {
    super(message);
  }

  public UnreachableException(String message, IOException cause) {
    super(message, cause);
  }

  /** Of a file that the failure knows, or of something else that cannot be read or written. */
  public static UnreachableException because(String what, IOException cause) {
    return new UnreachableException("%s: %s.".formatted(what, FileProblem.withFile(cause)), cause);
  }

  /** Of a file that an option names. */
  public static UnreachableException ofFile(String option, Path file, IOException cause) {
    return new UnreachableException(
        "%s %s: %s.".formatted(option, file, FileProblem.of(cause)), cause);
  }
}
