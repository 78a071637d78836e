package io.prescale.controller.cli.replay;

import io.prescale.controller.cli.options.TalkOptions;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.OutputFiles;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.report.HtmlReport;
import io.prescale.controller.simulation.report.ReportSubject;
import io.prescale.controller.simulation.report.TicksCsv;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where the result of a replay goes. */
final class ReplayOutput {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Writes Prescale's minutes as CSV: what was observed, served and forecast, and the"
              + " replicas.")
  @Nullable Path ticks;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Writes a report with charts, one file that opens without a network.")
  @Nullable Path html;

  @Option(names = "--json", description = "Prints JSON instead of the table.")
  boolean json;

  @ArgGroup(validate = false, multiplicity = "1")
  TalkOptions talk = new TalkOptions();

  /** Refuses early what could not be written after a long replay. */
  void requireWritable() throws OutputFiles.NotWritable {
    if (ticks != null
        && html != null
        && ticks.toAbsolutePath().normalize().equals(html.toAbsolutePath().normalize())) {
      throw new UsageException("--out and --html name the same file.");
    }
    for (var file : Stream.of(ticks, html).filter(Objects::nonNull).toList()) {
      OutputFiles.requireWritable(file);
    }
  }

  /** Writes all files, or none. */
  void writeFiles(OutputFiles files, ReplayResult result, PolicyRun subject, ReportSubject about)
      throws OutputFiles.NotWritable, InterruptedException {
    if (ticks != null) {
      files.write(ticks, out -> TicksCsv.write(subject, out));
    }
    if (html != null) {
      files.write(html, out -> HtmlReport.write(result, about, out));
    }
    files.publish();
  }
}
