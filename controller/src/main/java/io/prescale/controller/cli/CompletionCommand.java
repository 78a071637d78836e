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

/** {@code prescale completion}: prints a completion script for a shell. */
@Command(
    name = "completion",
    header = "Prints a shell script that completes commands and options.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  source <(prescale completion bash)",
      "      For this shell; put it in ~/.bashrc for every shell. Completes ./prescale as well.",
      "  source <(prescale completion zsh)",
      "      The same in zsh, after compinit.",
    })
public final class CompletionCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @SuppressWarnings("UnusedVariable") // both shells use the same script; any other is refused
  @Parameters(
      paramLabel = "SHELL",
      description = "The shell: ${COMPLETION-CANDIDATES}. Both use the same script.")
  private Shell shell = Shell.bash;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The supported shells; the script detects which of them runs it. */
  enum Shell {
    bash,
    zsh
  }

  /** Creates the command without running it. */
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
