package io.prescale.controller.cli;

import io.prescale.controller.cli.options.KubernetesOptions;
import io.prescale.controller.cli.options.ReadsFile;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.OutputClosedException;
import io.prescale.controller.cli.terminal.OutputFile;
import io.prescale.controller.cli.terminal.OutputFiles;
import io.prescale.controller.cluster.ClusterAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Runs a command after what holds for the options of every command: each has an effect, no file
 * that is read is overwritten, and no two results are written to one place.
 */
public final class CheckedExecution implements IExecutionStrategy {
  private final Predicate<OptionSpec> isConfigured;

  /**
   * @param isConfigured whether an option comes from the configuration
   */
  public CheckedExecution(Predicate<OptionSpec> isConfigured) {
    this.isConfigured = isConfigured;
  }

  @Override
  public int execute(ParseResult parsed) {
    var command = leaf(parsed);
    if (!command.isUsageHelpRequested()) {
      var given = command.matchedOptions().stream().distinct().toList();
      try {
        new EffectiveOptions(given, isConfigured).require();
        requireOutputs(given);
      } catch (UsageException | OutputFiles.NotWritable e) {
        var line = command.commandSpec().commandLine();
        throw new ExecutionException(line, String.valueOf(e.getMessage()), e);
      }
    }
    try {
      return new RunLast().execute(parsed);
    } catch (OutputClosedException e) { // of help, which picocli prints outside of commands
      throw new ExecutionException(command.commandSpec().commandLine(), e.getMessage(), e);
    }
  }

  private static ParseResult leaf(ParseResult parsed) {
    return parsed.hasSubcommand() ? leaf(parsed.subcommand()) : parsed;
  }

  private static void requireOutputs(List<OptionSpec> options) throws OutputFiles.NotWritable {
    var toStandardOutput = new ArrayList<String>();
    for (var option : options) {
      if (option.getValue() instanceof OutputFile output) {
        if (output.isStandardOutput()) {
          toStandardOutput.add(option.longestName() + " -");
        } else {
          requireOwn(option, output, options);
          OutputFiles.requireWritable(output.path());
        }
      }
      if (option.longestName().equals("--json")) {
        toStandardOutput.addFirst("--json");
      }
    }
    if (toStandardOutput.size() > 1) {
      throw new UsageException(
          "%s and %s both write to standard output; choose one."
              .formatted(toStandardOutput.getFirst(), toStandardOutput.get(1)));
    }
  }

  private static void requireOwn(OptionSpec option, OutputFile output, List<OptionSpec> others) {
    for (var other : others) {
      if (other.equals(option)) {
        continue;
      }
      Object value = other.getValue();
      read(value)
          .filter(output::isSameAs)
          .findFirst()
          .ifPresent(input -> refuse(option, other.longestName() + " reads", input));
      if (value instanceof OutputFile second && output.isSameAs(second.path())) {
        throw new UsageException(
            "%s and %s name the same file; choose two."
                .formatted(option.longestName(), other.longestName()));
      }
    }
    if (option.command().findOption(KubernetesOptions.KUBECONFIG) != null) {
      ClusterAccess.defaultKubeconfigs().stream()
          .filter(output::isSameAs)
          .findFirst()
          .ifPresent(input -> refuse(option, "clusters are reached by", input));
    }
  }

  /** The files that the value of an option names to be read. */
  private static Stream<Path> read(@Nullable Object value) {
    return switch (value) {
      case Path it -> Stream.of(it);
      case ReadsFile it -> Stream.of(it.file());
      case Collection<?> all -> all.stream().flatMap(CheckedExecution::read);
      case null, default -> Stream.empty();
    };
  }

  private static void refuse(OptionSpec option, String use, Path input) {
    throw new UsageException(
        "%s names the file that %s, %s, and would overwrite it; name another file."
            .formatted(option.longestName(), use, input));
  }
}
