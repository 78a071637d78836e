package io.prescale.controller.cli;

import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.util.List;

/** Generates the reference of the commands from their help. */
public final class CommandReference {
  private static final List<String> COMMANDS =
      List.of(
          "demo",
          "replay",
          "forecast",
          "place",
          "plan",
          "controller",
          "extender",
          "explain",
          "check",
          "preset",
          "crd",
          "give-back",
          "completion",
          "help");

  private CommandReference() {}

  /** The listed commands. */
  public static List<String> commands() {
    return COMMANDS;
  }

  /** The reference as Markdown. */
  public static String markdown() {
    var text =
        new StringBuilder(
            """
            # Commands

            <!-- Generated from the program's help; renew with
            %s -->

            In a checkout, `./prescale` builds the program and runs it.

            ```
            %s```
            """
                .formatted(GeneratedCrd.RENEWAL, help("--help")));
    for (String command : COMMANDS) {
      text.append("\n## `prescale %s`\n\n```\n%s```\n".formatted(command, help(command, "--help")));
    }
    return text.toString();
  }

  private static String help(String... args) {
    var program = new TestingSurroundings();
    int exitCode = program.run(args);
    if (exitCode != ExitCode.OK) {
      throw new IllegalStateException(String.join(" ", args) + ": " + program.err());
    }
    return program.out().lines().map(String::stripTrailing).reduce("", (a, b) -> a + b + "\n");
  }
}
