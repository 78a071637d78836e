package io.prescale.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class RepeatedOptionsTest {
  private static final CommandLine PROGRAM =
      new CommandLine(CommandSpec.create())
          .addSubcommand(
              "plot",
              CommandSpec.create()
                  .addOption(option("1", String.class, "-c", "--colour"))
                  .addOption(option("0..1", String.class, "--size"))
                  .addOption(option("0", boolean.class, "--quiet"))
                  .addOption(option("1", List.class, "--file")));

  private static OptionSpec option(String arity, Class<?> type, String name, String... others) {
    return OptionSpec.builder(name, others).arity(arity).type(type).build();
  }

  @Test
  void ofEachOptionTheLastStays() {
    var repeated = in("plot --colour red --quiet --size=1 -c=blue --quiet --size --quiet");

    assertThat(repeated.once()).containsExactly("plot", "-c=blue", "--size", "--quiet");
    assertThat(repeated.notes())
        .containsExactly(
            "--colour is given 2 times; the last one counts.",
            "--quiet is given 3 times; once is enough.",
            "--size is given 2 times; the last one counts.");
  }

  @Test
  void whatIsNoRepetitionStaysAsItIs() {
    for (var line :
        List.of(
            "",
            "plot",
            "plot --file a --file b --colour red",
            "plot --colour --colour",
            "plot --colour --quiet --colour red",
            "plot --colour red --colour",
            "plot --unknown x --unknown y",
            "plot --colour red -- --colour blue",
            "--colour red --colour blue")) {
      assertThat(in(line)).as(line).isEqualTo(new RepeatedOptions(words(line), List.of()));
    }
  }

  private static RepeatedOptions in(String line) {
    return RepeatedOptions.in(PROGRAM, words(line));
  }

  private static List<String> words(String line) {
    return line.isEmpty() ? List.of() : List.of(line.split(" ", -1));
  }
}
