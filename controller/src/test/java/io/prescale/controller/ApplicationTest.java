package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.CommandReference;
import io.prescale.controller.cli.terminal.Terminal;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationTest {
  private final TestingSurroundings program = new TestingSurroundings();

  @Test
  void helpNamesCommandsAndExitCodes() {
    assertThat(program.run("--help")).isZero();
    assertThat(program.out())
        .startsWith("Usage: prescale")
        .contains("replay  ", "forecast  ")
        .contains("  3     an input, such as the load, cannot be used")
        .contains("Start with: prescale demo");
    assertThat(program.err()).isEmpty();
  }

  @Test
  void saysTheSameWithoutACommand() {
    assertThat(program.run()).isZero();
    assertThat(program.out()).startsWith("Usage: prescale");
  }

  @Test
  void versionNamesTheProgramAndSucceeds() {
    assertThat(program.run("--version")).isZero();
    assertThat(program.out()).startsWith("prescale ");
  }

  /** All but help, which has neither options nor examples. */
  private static Stream<String> commands() {
    return CommandReference.commands().stream().filter(it -> !it.equals("help"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpOfEveryCommandIsPrintedAsItIsMeant(String command) {
    var errors = System.err;
    var warned = new ByteArrayOutputStream();
    System.setErr(new PrintStream(warned, true, StandardCharsets.UTF_8)); // where picocli warns
    try {
      assertThat(program.run(command, "--help")).isZero();
    } finally {
      System.setErr(errors);
    }
    assertThat(warned.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(program.out()).doesNotContain("%n", "%%");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay", "forecast"})
  void helpOfACommandTeachesByExamplesWithinEightyColumns(String command) {
    assertThat(program.run(command, "--help")).isZero();
    assertThat(program.out())
        .contains("prescale " + command + " --demo", "--prometheus=URL", "Examples:");
    assertThat(program.out().lines()).allMatch(line -> line.length() <= 80);
  }

  /** What is broken by hand as well leaves room for the next word. */
  @ParameterizedTest
  @MethodSource("commands")
  void descriptionsAreBrokenByTheTerminalAlone(String command) {
    program.run(command, "--help");
    var lines = program.out().lines().takeWhile(line -> !line.contains("--help")).toList();

    for (int i = 1; i < lines.size(); i++) {
      var line = lines.get(i - 1);
      var next = lines.get(i);
      if (!next.isBlank() && !next.startsWith(" ") && line.matches("\\w.*[^.:\\]]")) {
        assertThat(line.length() + 1 + next.split(" ", 2)[0].length()).as(line).isGreaterThan(79);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void examplesAreNotBrokenInTheMiddle(String command) {
    var wide = new TestingSurroundings().with(new Terminal(true, true, false, 120));
    wide.run(command, "--help");
    program.run(command, "--help");

    assertThat(examples(program)).isEqualTo(examples(wide)).isNotEmpty();
  }

  private static String examples(TestingSurroundings program) {
    return program.out().substring(program.out().indexOf("Example"));
  }

  @Test
  void helpIsInColourOnATerminalThatWantsIt() {
    var coloured = new TestingSurroundings().with(new Terminal(true, true, true, 80));
    coloured.run("replay", "--help");
    program.run("replay", "--help");

    assertThat(coloured.out()).contains("\u001b[");
    assertThat(program.out()).doesNotContain("\u001b[");
  }

  @Test
  void anUnknownOptionIsAUsageErrorOnStandardErrorWithAHint() {
    assertThat(program.run("replay", "--capcity", "5")).isEqualTo(2);
    assertThat(program.errLines())
        .containsExactly(
            "Unknown options: '--capcity', '5'",
            "Did you mean --capacity?",
            "Try 'prescale replay --help'.");
    assertThat(program.out()).isEmpty();
  }

  @Test
  void helpIsAlsoACommand() {
    assertThat(program.run("help")).isZero();
    assertThat(program.out()).startsWith("Usage: prescale");

    var replay = new TestingSurroundings();
    assertThat(replay.run("help", "replay")).isZero();
    assertThat(replay.out()).contains("Usage: prescale replay", "--cold-start");
  }

  @Test
  void aFileWithoutItsOptionIsAUsageError() {
    assertThat(program.run("replay", "load.csv")).isEqualTo(2);
    assertThat(program.errLines())
        .containsExactly(
            "\"load.csv\" belongs to no option; write the option before it.",
            "Try 'prescale replay --help'.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay", "place", "check"})
  void theHelpOfEveryCommandPointsToTheExitCodes(String command) {
    program.run(command, "--help");

    assertThat(program.out()).contains("Exit codes: see prescale --help.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--trace", "--out", "--relatives"})
  void aVariableThatIsNotSetIsNoFile(String option) {
    assertThat(program.run("replay", option, "")).isEqualTo(2);
    assertThat(program.err()).contains("option '" + option + "'", "names no file; give the path");
  }

  @Test
  void anUnknownCommandIsAUsageError() {
    assertThat(program.run("reply")).isEqualTo(2);
    assertThat(program.errLines())
        .containsExactly(
            "There is no command \"reply\".", "Did you mean replay?", "Try 'prescale --help'.");
  }
}
