package io.prescale.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.terminal.TestingSurroundings;
import org.junit.jupiter.api.Test;

class CommandReferenceTest {

  @Test
  void everyCommandThatTheProgramListsIsInTheReference() {
    var program = new TestingSurroundings();
    program.run("--help");
    var listed =
        program
            .out()
            .lines()
            .dropWhile(line -> !line.startsWith("Commands:"))
            .skip(1)
            .takeWhile(line -> line.startsWith("  "))
            .filter(line -> line.charAt(2) != ' ')
            .map(line -> line.strip().split(" ", 2)[0])
            .toList();

    assertThat(listed).containsExactlyElementsOf(CommandReference.commands());
  }
}
