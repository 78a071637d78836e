package io.prescale.controller.cli;

import io.prescale.controller.cli.options.Names;
import io.prescale.controller.input.Excerpt;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A word of a command line that is no command, no option and no value.
 *
 * @param command for which it is none
 * @param word without the value of an option, which may be secret
 * @param before the word before it; empty for none
 */
record UnknownWord(CommandSpec command, String word, String before) {
  private static final String DID_YOU_MEAN = "Did you mean %s?";

  /** What a command line failed by, if it is such a word. */
  static Optional<UnknownWord> of(ParameterException failure, String... arguments) {
    var command = failure.getCommandLine().getCommandSpec();
    if (failure instanceof UnmatchedArgumentException unmatched) {
      var first = unmatched.getUnmatched().getFirst();
      int at = List.of(arguments).indexOf(first);
      var word = first.startsWith("-") ? first.split("=", 2)[0] : first;
      return Optional.of(new UnknownWord(command, word, at < 1 ? "" : arguments[at - 1]));
    }
    // Of the command help, which has no type of failure of its own.
    return failure.getArgSpec() == null && failure.getValue() != null
        ? Optional.of(new UnknownWord(command, failure.getValue(), ""))
        : Optional.empty();
  }

  /** What is wrong. */
  String sentence() {
    if (isOption()) {
      return "There is no option %s.".formatted(Excerpt.quoted(word));
    }
    if (isOfProgram()) {
      return "There is no command %s.".formatted(Excerpt.quoted(word));
    }
    var option = command.findOption(before);
    if (option != null && option.arity().max() == 0) {
      return "%s takes no value; remove %s.".formatted(before, Excerpt.quoted(word));
    }
    if (!command.positionalParameters().isEmpty()) {
      return "%s takes one argument, %s; remove %s."
          .formatted(
              command.qualifiedName(),
              command.positionalParameters().getFirst().paramLabel(),
              Excerpt.quoted(word));
    }
    return asOption().isEmpty() && command.options().stream().anyMatch(UnknownWord::hasValue)
        ? "%s belongs to no option; write the option before it.".formatted(Excerpt.quoted(word))
        : "%s takes no argument %s.".formatted(command.qualifiedName(), Excerpt.quoted(word));
  }

  /** What was meant, in a sentence. */
  Optional<String> hint() {
    if (isOption()) {
      var names = command.options().stream().map(OptionSpec::longestName).toList();
      return elsewhere().or(() -> Names.nearest(word, names).map(DID_YOU_MEAN::formatted));
    }
    return Names.nearest(word, command.subcommands().keySet())
        .or(this::asOption)
        .map(DID_YOU_MEAN::formatted);
  }

  /** The other commands that have the option. */
  private Optional<String> elsewhere() {
    var others =
        command.root().subcommands().values().stream()
            .map(it -> it.getCommandSpec())
            .filter(it -> it.findOption(word) != null)
            .map(CommandSpec::name)
            .collect(Collectors.joining(", "));
    if (others.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "%s is an option of prescale %s%s."
            .formatted(word, others, isOfProgram() ? "; write it after the command" : ""));
  }

  private boolean isOption() {
    return word.startsWith("-");
  }

  /** Whether a command was to come, not a word of one. */
  private boolean isOfProgram() {
    return command.parent() == null;
  }

  /** The option with this name, where the dashes were forgotten. */
  private Optional<String> asOption() {
    return Optional.of("--" + word).filter(it -> command.findOption(it) != null);
  }

  private static boolean hasValue(OptionSpec option) {
    return option.arity().max() > 0;
  }
}
