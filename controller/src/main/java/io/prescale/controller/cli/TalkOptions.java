package io.prescale.controller.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** How much to say beside the result. */
final class TalkOptions {
  @Option(names = "--quiet", description = "Nothing on standard error but failures.")
  boolean quiet;

  @Option(names = "--no-progress", description = "No progress bar, even on a terminal.")
  boolean noProgress;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  boolean progress() {
    return !quiet && !noProgress;
  }

  void tell(Surroundings surroundings, List<String> notes) {
    if (!quiet) {
      notes.forEach(surroundings::tell);
    }
  }
}
