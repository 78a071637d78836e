package io.prescale.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.Checkout;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands in the documentation are valid. */
class DocumentedCommandsTest {
  private static final Pattern COMMAND = Pattern.compile("^(?:\\./)?prescale +([a-z].*)$");

  @ParameterizedTest
  @MethodSource("commands")
  void everyDocumentedOptionExists(String line) {
    var words = line.split("[ =]+", -1);
    var program = new TestingSurroundings();

    assertThat(program.run(words[0], "--help")).as(program.err()).isEqualTo(ExitCode.OK);
    var known = List.of(program.out().split("[^a-z-]+", -1));
    assertThat(Stream.of(words).filter(word -> word.startsWith("--"))).isSubsetOf(known);
  }

  static Stream<String> commands() throws IOException {
    var root = Checkout.root();
    List<Path> pages;
    try (var docs = Files.walk(root.resolve("docs"))) {
      pages =
          Stream.concat(
                  docs.filter(it -> it.toString().endsWith(".md") && !it.endsWith("commands.md")),
                  Stream.of(root.resolve("README.md")))
              .toList();
    }
    var commands = pages.stream().flatMap(DocumentedCommandsTest::commands).toList();
    assertThat(commands).isNotEmpty();
    return commands.stream();
  }

  private static Stream<String> commands(Path page) {
    try {
      // Joins lines that end in a backslash.
      var text = Files.readString(page).replaceAll(" *\\\\\\R *", " ");
      return text.lines()
          .map(line -> COMMAND.matcher(line.replaceFirst(" # .*", "").strip()))
          .filter(it -> it.matches())
          .map(it -> it.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
