package io.prescale.controller;

import io.prescale.controller.cli.CheckedExecution;
import io.prescale.controller.cli.CompletionCommand;
import io.prescale.controller.cli.Configuration;
import io.prescale.controller.cli.Failures;
import io.prescale.controller.cli.OptionTypes;
import io.prescale.controller.cli.RepeatedOptions;
import io.prescale.controller.cli.cluster.CheckCommand;
import io.prescale.controller.cli.cluster.ControllerCommand;
import io.prescale.controller.cli.cluster.CrdCommand;
import io.prescale.controller.cli.cluster.ExplainCommand;
import io.prescale.controller.cli.cluster.ExtenderCommand;
import io.prescale.controller.cli.cluster.GiveBackCommand;
import io.prescale.controller.cli.demo.DemoCommand;
import io.prescale.controller.cli.forecast.ForecastCommand;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.UnreachableException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.place.PlaceCommand;
import io.prescale.controller.cli.plan.PlanCommand;
import io.prescale.controller.cli.preset.PresetCommand;
import io.prescale.controller.cli.replay.ReplayCommand;
import io.prescale.controller.cli.terminal.OutputClosedException;
import io.prescale.controller.cli.terminal.OutputFiles;
import io.prescale.controller.cli.terminal.StopSignal;
import io.prescale.controller.cli.terminal.Surroundings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The {@code prescale} command: wires the subcommands and turns their result into an exit code. */
@Command(
    name = "prescale",
    description = "Predictive autoscaling and GPU placement for Kubernetes.",
    mixinStandardHelpOptions = true,
    versionProvider = Application.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:check has found a problem, a result is not there yet or cannot be written, or a bug",
      "2:the options make no sense, or name what is not there, such as a pod",
      "3:an input, such as the load, cannot be used",
      "4:a file cannot be read, a port is taken, or Prometheus or the cluster cannot be reached",
      "130:interrupted",
      "141:the program that reads the output has ended",
    },
    footer = {"", "Start with: prescale demo"})
public final class Application implements Runnable {
  /** Longer than connections and leadership take to end; Kubernetes allows 30 s. */
  private static final Duration TIME_TO_STOP = Duration.ofSeconds(20);

  private static final String HELP = "--help";
  private static final String SHOW_HELP = "Show this help.";
  private static final int LAST = 100;

  /** The heading of a list that commands do not have, since picocli prints it even so. */
  private static final String SEE_EXIT_CODES = "%nExit codes: see prescale --help.%n";

  private final CommandLine commandLine;
  private final Configuration configuration;
  private final Failures failures;

  /**
   * A program that has not run yet; it may run once.
   *
   * @param files what commands write; closed by the caller
   */
  public Application(Surroundings surroundings, OutputFiles files) {
    commandLine =
        new CommandLine(this)
            .addSubcommand(new DemoCommand(surroundings))
            .addSubcommand(new ReplayCommand(surroundings, files))
            .addSubcommand(new ForecastCommand(surroundings, files))
            .addSubcommand(new PlaceCommand(surroundings, files))
            .addSubcommand(new PlanCommand(surroundings))
            .addSubcommand(new ControllerCommand(surroundings))
            .addSubcommand(new ExtenderCommand(surroundings))
            .addSubcommand(new ExplainCommand(surroundings))
            .addSubcommand(new CheckCommand(surroundings))
            .addSubcommand(new PresetCommand(surroundings))
            .addSubcommand(new CrdCommand(surroundings))
            .addSubcommand(new GiveBackCommand(surroundings))
            .addSubcommand(new CompletionCommand(surroundings))
            .addSubcommand(help());
    configuration = new Configuration(surroundings.environment());
    failures = new Failures(configuration::inWordsOfProperties);
    commandLine
        .setExecutionStrategy(new CheckedExecution(configuration::isConfigured))
        .setOut(surroundings.out())
        .setErr(surroundings.err())
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures)
        .setUsageHelpAutoWidth(false)
        .setUsageHelpWidth(Math.clamp(surroundings.outTerminal().columns(), 60, 120))
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(
                surroundings.outTerminal().colour()
                    ? CommandLine.Help.Ansi.ON
                    : CommandLine.Help.Ansi.OFF));
    for (var command : commandLine.getSubcommands().values()) {
      var spec = command.getCommandSpec();
      spec.usageMessage().exitCodeListHeading(SEE_EXIT_CODES);
      if (spec.findOption(HELP) == null) { // some have it among the options of a group
        spec.addOption(
            OptionSpec.builder("-h", HELP)
                .usageHelp(true)
                .order(LAST)
                .description(SHOW_HELP)
                .build());
      }
    }
    OptionTypes.register(commandLine);
  }

  private static CommandLine help() {
    var help = new CommandLine(new CommandLine.HelpCommand());
    var spec = help.getCommandSpec();
    spec.usageMessage().header("Shows the help of a command.").description("");
    var option = spec.findOption("help");
    spec.remove(option);
    spec.addOption(OptionSpec.builder(option).description(SHOW_HELP).build());
    var command = spec.positionalParameters().getFirst();
    spec.remove(command);
    spec.addPositional(
        PositionalParamSpec.builder(command)
            .description("Command to show the help of (default: prescale itself).")
            .build());
    return help;
  }

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    var surroundings = Surroundings.ofProcess();
    int exitCode;
    try (var files = new OutputFiles();
        var _ = new StopSignal(Thread.currentThread(), TIME_TO_STOP, files::close)) {
      exitCode = new Application(surroundings, files).run(args);
    }
    System.exit(exitCode);
  }

  /** Runs one command and returns its exit code. */
  public int run(String... args) {
    int exitCode;
    try {
      exitCode = execute(args);
      commandLine.getOut().flush();
    } catch (OutputClosedException e) { // what was printed last, or help
      exitCode = failures.handleOutputClosed(e, commandLine.getErr());
    }
    commandLine.getErr().flush();
    return exitCode;
  }

  private int execute(String... args) {
    try {
      var given = RepeatedOptions.in(commandLine, List.of(args));
      given.notes().forEach(commandLine.getErr()::println);
      return commandLine.execute(
          configuration.complete(commandLine, given.once().toArray(String[]::new)));
    } catch (UsageException | UnreachableException e) { // of the configuration
      commandLine.getErr().println(e.getMessage());
      return ExitCode.of(e);
    }
  }

  /** Without a subcommand there is nothing to do but say what can be asked. */
  @Override
  public void run() {
    commandLine.usage(commandLine.getOut());
  }

  /** Reads the version that the build wrote into the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      var version = Application.class.getPackage().getImplementationVersion();
      return new String[] {"prescale " + (version == null ? "(not packaged)" : version)};
    }
  }
}
