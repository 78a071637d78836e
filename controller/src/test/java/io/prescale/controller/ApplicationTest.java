package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.CommandReference;
import io.prescale.controller.cli.terminal.Terminal;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
            "There is no option \"--capcity\".",
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

  @ParameterizedTest
  @MethodSource("commands")
  void theHelpOfEveryCommandPointsToTheExitCodes(String command) {
    program.run(command, "--help");

    assertThat(program.out()).contains("Exit codes: see prescale --help.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--trace", "--out", "--relatives"})
  void aVariableThatIsNotSetIsNoFile(String option) {
    assertThat(program.run("replay", option, "")).isEqualTo(2);
    assertThat(program.err())
        .contains("option '" + option + "'", "the file name is empty; is a variable not set?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          reply                   | There is no command "reply".|Did you mean replay?|prescale
          version                 | There is no command "version".|Did you mean --version?|prescale
          help hlep               | There is no command "hlep".|Did you mean help?|prescale
          help nosuch             | There is no command "nosuch".||prescale
          --demo replay           | There is no option "--demo".|--demo is an option of prescale replay, forecast; write it after the command.|prescale
          replay --step 5m        | There is no option "--step".|--step is an option of prescale forecast.|prescale replay
          replay --tokn-file=se   | There is no option "--tokn-file".|Did you mean --token-file?|prescale replay
          replay demo             | prescale replay takes no argument "demo".|Did you mean --demo?|prescale replay
          replay trace load.csv   | prescale replay takes no argument "trace".|Did you mean --trace?|prescale replay
          replay --demo true      | --demo takes no value; remove "true".||prescale replay
          replay load.csv         | "load.csv" belongs to no option; write the option before it.||prescale replay
          crd foo                 | prescale crd takes no argument "foo".||prescale crd
          explain a b             | prescale explain takes one argument, NAMESPACE/NAME; remove "b".||prescale explain
          """)
  void aWordThatIsNothingIsAUsageErrorWithWhatWasMeant(
      String arguments, String sentence, @Nullable String hint, String command) {
    assertThat(program.run(arguments.split(" +"))).isEqualTo(2);
    assertThat(program.errLines())
        .containsExactlyElementsOf(
            Stream.of(sentence, hint, "Try '%s --help'.".formatted(command))
                .filter(Objects::nonNull)
                .toList());
    assertThat(program.out()).isEmpty();
  }

  @Test
  void aHugeWordIsShortened() {
    assertThat(program.run("replay", "--" + "x\u001b".repeat(100_000))).isEqualTo(2);
    assertThat(program.errLines().getFirst())
        .hasSizeLessThan(120)
        .contains("x?x?")
        .endsWith("…\".");
  }
}
