package io.prescale.controller.cli;

import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.UnreachableException;
import io.prescale.controller.cli.options.UnusableTraceException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.replay.ReplayCommand;
import io.prescale.controller.cli.terminal.OutputClosedException;
import io.prescale.controller.cli.terminal.OutputFiles;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.input.InputException;
import io.prescale.forecasting.UngriddableException;
import java.io.PrintWriter;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Reports failures to the user: an expected one in a sentence, an unexpected one with its stack
 * trace.
 */
public final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final UnaryOperator<String> words;

  /**
   * @param words a refusal in the terms that the user wrote
   */
  public Failures(UnaryOperator<String> words) {
    this.words = words;
  }

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    var command = failure.getCommandLine();
    var err = command.getErr();
    var unknown = UnknownWord.of(failure, args);
    err.println(words.apply(unknown.map(UnknownWord::sentence).orElseGet(() -> message(failure))));
    unknown.flatMap(UnknownWord::hint).ifPresent(err::println);
    pointToHelp(command);
    return ExitCode.USAGE;
  }

  private static String message(ParameterException failure) {
    return lacksCapacity(failure)
        ? ReplayCommand.CAPACITY_WITHOUT_VALUE
        : String.valueOf(failure.getMessage());
  }

  /** Whether {@code --capacity} has no value; its message then says how to find one. */
  private static boolean lacksCapacity(ParameterException failure) {
    return failure instanceof MissingParameterException missing
        && failure.getCommandLine().getCommand() instanceof ReplayCommand
        && missing.getMissing().stream()
            .anyMatch(
                it -> it instanceof OptionSpec option && option.names()[0].equals("--capacity"));
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine command, ParseResult parseResult) {
    var err = command.getErr();
    switch (failure) {
      case UsageException e -> {
        err.println(words.apply(String.valueOf(e.getMessage())));
        pointToHelp(command);
      }
      case ClusterException _, UnreachableException _ ->
          err.println(words.apply(String.valueOf(failure.getMessage())));
      case InputException _,
          UngriddableException _,
          UnusableTraceException _,
          OutputFiles.NotWritable _ ->
          err.println(failure.getMessage());
      case OutputClosedException e -> handleOutputClosed(e, err);
      case InterruptedException _ -> err.println("Interrupted; no file was written.");
      default -> unexpected(failure, err);
    }
    err.flush();
    return ExitCode.of(failure);
  }

  /** Ends quietly when the reader of the output has enough of it; returns the exit code. */
  public int handleOutputClosed(OutputClosedException failure, PrintWriter err) {
    if (!failure.isClosedPipe()) {
      err.println(failure.getMessage());
    }
    return ExitCode.of(failure);
  }

  private static void pointToHelp(CommandLine command) {
    command.getErr().printf("Try '%s --help'.%n", command.getCommandSpec().qualifiedName());
    command.getErr().flush();
  }

  private static void unexpected(Exception failure, PrintWriter err) {
    err.println("This is a bug in Prescale; please report it with the lines below.");
    failure.printStackTrace(err);
  }
}
