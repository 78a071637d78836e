package io.prescale.controller.cli.options;

import io.prescale.controller.cli.terminal.Surroundings;
import java.util.List;
import picocli.CommandLine.Option;

/** What to print besides the result. */
public final class TalkOptions {
  @Option(names = "--quiet", description = "Prints only failures to standard error.")
  boolean quiet;

  @Option(names = "--no-progress", description = "Prints no progress bar, even on a terminal.")
  boolean noProgress;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  public boolean progress() {
    return !quiet && !noProgress;
  }

  public void report(Surroundings surroundings, List<String> notes) {
    if (!quiet) {
      notes.forEach(surroundings::report);
    }
  }
}
