package io.prescale.controller.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that an option names to be written; {@code -} is standard output.
 *
 * @param path as the user wrote it
 */
public record OutputFile(Path path) {
  private static final String STANDARD_STREAM = "-";

  public boolean isStandardOutput() {
    return isStandardStream(path);
  }

  /**
   * Whether writing this file would overwrite the other one, which need not be there: also by
   * another spelling, a link, or as standard input.
   */
  public boolean isSameAs(Path other) {
    if (isStandardOutput()) {
      return false;
    }
    var input = isStandardStream(other) ? Path.of("/dev/stdin") : other;
    try {
      return (Files.exists(path) && Files.exists(input))
          ? Files.isSameFile(path, input)
          : place(path).equals(place(input));
    } catch (IOException _) {
      return false; // what cannot be looked at cannot be written either
    }
  }

  private static boolean isStandardStream(Path path) {
    return path.toString().equals(STANDARD_STREAM);
  }

  /** Where a file would be created. */
  private static Path place(Path file) throws IOException {
    var absolute = file.toAbsolutePath().normalize();
    var folder = absolute.getParent();
    if (folder == null || !Files.exists(folder)) {
      return absolute;
    }
    var place = folder.toRealPath().resolve(absolute.getFileName());
    return Files.isSymbolicLink(place)
        ? place(place.resolveSibling(Files.readSymbolicLink(place)))
        : place;
  }
}
