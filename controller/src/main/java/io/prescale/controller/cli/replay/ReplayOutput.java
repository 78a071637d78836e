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

/** The output options of a replay. */
final class ReplayOutput {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Writes a row per minute of Prescale's run as CSV: observed, served and forecast values,"
              + " and replicas.")
  @Nullable Path ticks;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Writes a report with charts as one HTML file that needs no network.")
  @Nullable Path html;

  @Option(names = "--json", description = "Prints JSON instead of the table.")
  boolean json;

  @ArgGroup(validate = false, multiplicity = "1")
  TalkOptions talk = new TalkOptions();

  /** Fails before a long replay if its result could not be written. */
  void requireWritable() throws OutputFiles.NotWritable {
    if (ticks != null
        && html != null
        && ticks.toAbsolutePath().normalize().equals(html.toAbsolutePath().normalize())) {
      throw new UsageException("--out and --html name the same file; choose two.");
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
