package io.prescale.controller.cli;

import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;

/** What an option or a parameter may be chosen from, for the completion of every shell. */
final class Choices {
  private Choices() {}

  /** The word of a command line that stands for a choice, such as {@code HOLT_WINTERS}. */
  static String word(String choice) {
    return choice.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The choices of an option or parameter as they are in the program; empty if there are none. */
  static List<String> of(ArgSpec argument) {
    @Nullable Iterable<String> candidates = argument.completionCandidates();
    return candidates == null
        ? List.of()
        : StreamSupport.stream(candidates.spliterator(), false).toList();
  }
}
