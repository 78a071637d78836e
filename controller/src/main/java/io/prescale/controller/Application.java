package io.prescale.controller;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The {@code prescale} command: wires the subcommands and turns their result into an exit code. */
@Command(
    name = "prescale",
    description = "Predictive autoscaling and GPU placement for Kubernetes.",
    mixinStandardHelpOptions = true,
    versionProvider = Application.Version.class)
public final class Application implements Runnable {
  private final CommandLine commandLine = new CommandLine(this);

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(new Application().run(args));
  }

  int run(String... args) {
    return commandLine.execute(args);
  }

  Application withOutput(PrintWriter out, PrintWriter err) {
    commandLine.setOut(out).setErr(err);
    return this;
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
