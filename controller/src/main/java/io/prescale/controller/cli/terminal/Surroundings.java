package io.prescale.controller.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;

/**
 * What a command sees of its environment besides options and files.
 *
 * @param in standard input
 * @param out for results only
 * @param err for notes, progress and failures
 */
public record Surroundings(
    InputStream in,
    PrintWriter out,
    PrintWriter err,
    Terminal outTerminal,
    Terminal errTerminal,
    Map<String, String> environment,
    Clock clock) {

  /** The surroundings of this process. */
  public static Surroundings ofProcess() {
    var environment = System.getenv();
    var outTerminal = Terminal.detect(1, environment);
    var errTerminal = Terminal.detect(2, environment);
    return new Surroundings(
        System.in,
        writer(new ResultStream(new FileOutputStream(FileDescriptor.out)), outTerminal),
        writer(new FileOutputStream(FileDescriptor.err), errTerminal),
        outTerminal,
        errTerminal,
        environment,
        Clock.systemUTC());
  }

  private static PrintWriter writer(OutputStream stream, Terminal terminal) {
    Writer utf8 = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
    return new PrintWriter(terminal.unicode() ? utf8 : new PlainText(utf8), false);
  }

  /** A progress line on standard error. */
  public ProgressLine progress(String label, boolean wanted) {
    return new ProgressLine(err, errTerminal, wanted, label, System::nanoTime);
  }

  /** Writes a sentence about the running program to standard error, at once. */
  public void report(String sentence) {
    err.println(sentence);
    err.flush();
  }

  /** Identifies this process among the replicas of a program: the pod and the process in it. */
  public String replica() {
    return "%s-%d".formatted(host(), ProcessHandle.current().pid());
  }

  /** The host or pod that this process runs on. */
  public String host() {
    return environment.getOrDefault("HOSTNAME", "prescale");
  }
}
