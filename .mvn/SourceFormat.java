import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Formats every Java source of the repository with google-java-format, or checks that it is
 * formatted. Run by the root pom, from the repository's root, with the formatter's jar on the class
 * path.
 *
 * <p>Usage: {@code java -cp google-java-format.jar .mvn/SourceFormat.java check|apply}
 */
final class SourceFormat {
  private SourceFormat() {}

  public static void main(String[] args) throws IOException {
    var apply =
        switch (args.length == 1 ? args[0] : "") {
          case "apply" -> true;
          case "check" -> false;
          default -> throw new IllegalArgumentException("expected check or apply");
        };
    var mode = apply ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed");
    var arguments = Stream.concat(mode.stream(), sources().stream()).toArray(String[]::new);
    var formatter = ToolProvider.findFirst("google-java-format").orElseThrow();
    var exitCode = formatter.run(System.out, System.err, arguments);
    if (exitCode != 0 && !apply) {
      System.err.println(
          "The files above are not formatted; do it with: ./mvnw -q -N -Pformat validate");
    }
    System.exit(exitCode);
  }

  private static List<String> sources() throws IOException {
    try (var files = Files.walk(Path.of(""))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(SourceFormat::isWrittenByHand)
          .map(Path::toString)
          .sorted()
          .toList();
    }
  }

  private static boolean isWrittenByHand(Path file) {
    for (var part : file) {
      if (part.toString().equals("target") || part.toString().equals(".git")) {
        return false;
      }
    }
    return true;
  }
}
