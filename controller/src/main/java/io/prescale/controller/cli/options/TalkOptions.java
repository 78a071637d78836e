package io.prescale.controller.cli.options;

import io.prescale.controller.cli.terminal.Surroundings;
import java.util.List;
import picocli.CommandLine.Option;

/** How much to say beside the result. */
public final class TalkOptions {
  @Option(names = "--quiet", description = "Nothing on standard error but failures.")
  boolean quiet;

  @Option(names = "--no-progress", description = "No progress bar, even on a terminal.")
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
