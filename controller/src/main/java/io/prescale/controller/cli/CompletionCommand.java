package io.prescale.controller.cli;

import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.Surroundings;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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
      "      For this shell; put it in ~/.bashrc for all. Completes ./prescale too.",
      "  source <(prescale completion zsh)",
      "      The same in zsh, after compinit.",
      "  prescale completion fish > ~/.config/fish/completions/prescale.fish",
      "      For every new fish.",
    })
public final class CompletionCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(paramLabel = "SHELL", description = "The shell: ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The supported shells; the script for bash also runs in zsh. */
  enum Shell {
    bash,
    zsh,
    fish
  }

  /** Creates the command without running it. */
  public CompletionCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    var program = spec.root().commandLine();
    surroundings
        .out()
        .print(
            shell == Shell.fish
                ? new FishCompletion(program.getCommandSpec()).script()
                : bash(program));
    return ExitCode.OK;
  }

  /** The script of picocli, but with choices as they are written on a command line. */
  private static String bash(CommandLine program) {
    var script = AutoComplete.bash(program.getCommandName(), program);
    for (var command : program.getSubcommands().values()) {
      for (var argument : command.getCommandSpec().args()) {
        for (var choice : Choices.of(argument)) {
          script = script.replace('"' + choice + '"', '"' + Choices.word(choice) + '"');
        }
      }
    }
    return script;
  }
}
