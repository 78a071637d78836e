package io.prescale.controller.cli;

import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.Surroundings;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code prescale completion}: what lets a shell complete commands and options. */
@Command(
    name = "completion",
    header = "Prints a script with which a shell completes commands and options.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  source <(prescale completion bash)",
      "      For this shell; in ~/.bashrc for every one. Completes ./prescale as well.",
      "  source <(prescale completion zsh)",
      "      The same in zsh, after compinit.",
    })
public final class CompletionCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @SuppressWarnings("UnusedVariable") // both read the same script; another one is refused
  @Parameters(
      paramLabel = "SHELL",
      description = "The shell: ${COMPLETION-CANDIDATES}. Both read the same script.")
  private Shell shell = Shell.bash;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** What can be completed in; the script itself finds out in which of them it runs. */
  enum Shell {
    bash,
    zsh
  }

  /** A command that has not run yet. */
  public CompletionCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    var program = spec.root().commandLine();
    surroundings.out().print(AutoComplete.bash(program.getCommandName(), program));
    return ExitCode.OK;
  }
}
