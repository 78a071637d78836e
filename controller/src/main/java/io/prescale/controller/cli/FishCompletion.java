package io.prescale.controller.cli;

import io.prescale.controller.cli.terminal.OutputFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A completion script for fish: a line for each command, option and choice of a program. */
record FishCompletion(CommandSpec program) {
  String script() {
    var lines = new ArrayList<String>();
    lines.add("complete -c %s -f".formatted(program.name()));
    addArguments(lines, program, "__fish_use_subcommand");
    program
        .subcommands()
        .forEach(
            (name, command) -> {
              var spec = command.getCommandSpec();
              lines.add(line("__fish_use_subcommand", "-a " + name, spec.usageMessage().header()));
              addArguments(lines, spec, "__fish_seen_subcommand_from " + name);
            });
    var commands = String.join(" ", program.subcommands().keySet());
    lines.add(
        "complete -c %s -n '__fish_seen_subcommand_from help' -a '%s'"
            .formatted(program.name(), commands));
    return String.join("\n", lines) + "\n";
  }

  private void addArguments(List<String> lines, CommandSpec command, String when) {
    for (var option : command.options()) {
      if (!option.hidden()) {
        lines.add(line(when, names(option) + value(option), option.description()));
      }
    }
    for (var parameter : command.positionalParameters()) {
      if (!Choices.of(parameter).isEmpty()) {
        lines.add(line(when, value(parameter).strip(), parameter.description()));
      }
    }
  }

  private static String names(OptionSpec option) {
    return Arrays.stream(option.names())
        .map(name -> name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
        .collect(Collectors.joining(" "));
  }

  /** What may follow: a file, a choice, or anything that nothing completes. */
  private static String value(ArgSpec argument) {
    if (argument.arity().max() == 0) {
      return "";
    }
    var choices = Choices.of(argument);
    var type = argument.auxiliaryTypes()[0];
    if (!choices.isEmpty()) {
      return " -x -a '%s'"
          .formatted(choices.stream().map(Choices::word).collect(Collectors.joining(" ")));
    }
    return type == Path.class || type == OutputFile.class ? " -r -F" : " -x";
  }

  private String line(String when, String what, String[] description) {
    var text = description.length == 0 ? "" : description[0];
    int end = text.indexOf(". ");
    var sentence = end < 0 ? text : text.substring(0, end);
    return "complete -c %s -n '%s' %s -d '%s'"
        .formatted(program.name(), when, what, sentence.replace("\\", "\\\\").replace("'", "\\'"));
  }
}
