package io.prescale.controller.cli.options;

import io.prescale.controller.input.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where to read a secret from: a file or an environment variable, never the command line, which
 * other users of the machine can see.
 */
public record Secret(String what, @Nullable Path file, @Nullable String variable) {
  private static final int LONGEST = 1 << 16;

  public Secret {
    if (file != null && variable != null) {
      throw new UsageException(
          "The %s is given both by a file and by an environment variable; choose one."
              .formatted(what));
    }
  }

  /** The secret without surrounding blanks; empty if neither file nor variable is named. */
  public Optional<String> read(Map<String, String> environment) {
    if (variable != null) {
      var value = environment.get(variable);
      if (value == null || value.isBlank()) {
        throw new UsageException(
            "The environment variable %s for the %s is not set.".formatted(variable, what));
      }
      return Optional.of(value.strip());
    }
    return file == null ? Optional.empty() : Optional.of(content(file));
  }

  private String content(Path from) {
    try {
      if (Files.isRegularFile(from) && Files.size(from) > LONGEST) {
        throw new IOException("it is too large");
      }
      return Files.readString(from).strip();
    } catch (IOException e) {
      throw new UnreachableException(
          "%s, the file with the %s, cannot be read: %s.".formatted(from, what, FileProblem.of(e)),
          e);
    }
  }
}
