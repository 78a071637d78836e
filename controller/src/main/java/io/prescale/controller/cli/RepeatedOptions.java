package io.prescale.controller.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Arguments in which each option that has one value is given once: the last one counts, as
 * elsewhere. Picocli would start the option's whole group anew, and forget what was given of it.
 *
 * @param once the arguments without what is overwritten
 * @param notes a sentence for each option that was given more than once
 */
public record RepeatedOptions(List<String> once, List<String> notes) {
  private static final String END_OF_OPTIONS = "--";

  /**
   * An option among the arguments: {@code --name=value}, or {@code --name} and perhaps a value.
   *
   * @param isWhole whether it has the value that it needs
   */
  private record Given(OptionSpec option, int at, int words, boolean isWhole) {}

  /** Resolves the arguments of a program. O(arguments). */
  public static RepeatedOptions in(CommandLine program, List<String> arguments) {
    var byOption = new LinkedHashMap<OptionSpec, List<Given>>();
    var command = program;
    for (int at = 0; at < arguments.size(); ) {
      var word = arguments.get(at);
      if (word.equals(END_OF_OPTIONS)) {
        break;
      }
      command = command.getSubcommands().getOrDefault(word, command);
      var given = given(command, arguments, at);
      given.ifPresent(it -> byOption.computeIfAbsent(it.option, _ -> new ArrayList<>()).add(it));
      at += given.map(Given::words).orElse(1);
    }
    byOption.keySet().removeIf(OptionSpec::isMultiValue);
    byOption
        .values()
        .removeIf(all -> all.size() == 1 || !all.stream().allMatch(Given::isWhole)); // is refused
    return new RepeatedOptions(
        withoutOverwritten(arguments, byOption),
        byOption.values().stream().map(RepeatedOptions::note).toList());
  }

  private static Optional<Given> given(CommandLine command, List<String> arguments, int at) {
    var word = arguments.get(at);
    int equals = word.indexOf('=');
    var name = equals < 0 ? word : word.substring(0, equals);
    var option = command.getCommandSpec().findOption(name);
    if (option == null || !word.startsWith("-")) {
      return Optional.empty();
    }
    if (equals >= 0) {
      return Optional.of(new Given(option, at, 1, true));
    }
    boolean needsValue = option.arity().min() > 0;
    boolean hasValue =
        option.arity().max() > 0
            && at + 1 < arguments.size()
            && isValue(command, arguments.get(at + 1), needsValue);
    return Optional.of(new Given(option, at, hasValue ? 2 : 1, hasValue || !needsValue));
  }

  /** An option that needs a value takes every word but a known option, such as -1. */
  private static boolean isValue(CommandLine command, String word, boolean isNeeded) {
    return isNeeded
        ? command.getCommandSpec().findOption(word.split("=", 2)[0]) == null
        : !word.startsWith("-");
  }

  private static List<String> withoutOverwritten(
      List<String> arguments, Map<OptionSpec, List<Given>> repeated) {
    var isOverwritten = new boolean[arguments.size() + 1];
    for (var all : repeated.values()) {
      for (var given : all.subList(0, all.size() - 1)) {
        isOverwritten[given.at] = true;
        isOverwritten[given.at + given.words - 1] = true;
      }
    }
    var once = new ArrayList<String>();
    for (int at = 0; at < arguments.size(); at++) {
      if (!isOverwritten[at]) {
        once.add(arguments.get(at));
      }
    }
    return once;
  }

  private static String note(List<Given> all) {
    var option = all.getFirst().option;
    return "%s is given %d times; %s."
        .formatted(
            option.longestName(),
            all.size(),
            option.arity().max() == 0 ? "once is enough" : "the last one counts");
  }
}
