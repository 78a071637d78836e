package io.prescale.controller.cli.replay;

import io.prescale.controller.cli.options.TalkOptions;
import io.prescale.controller.cli.terminal.OutputFile;
import io.prescale.controller.cli.terminal.OutputFiles;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.report.HtmlReport;
import io.prescale.controller.simulation.report.ReportSubject;
import io.prescale.controller.simulation.report.TicksCsv;
import java.io.PrintWriter;
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
              + " and replicas; with -, to standard output instead of the table.")
  @Nullable OutputFile ticks;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Writes a report with charts as one HTML file that needs no network; with -, to standard"
              + " output instead of the table.")
  @Nullable OutputFile html;

  @Option(names = "--json", description = "Prints JSON instead of the table.")
  boolean json;

  @ArgGroup(validate = false, multiplicity = "1")
  TalkOptions talk = new TalkOptions();

  /** Whether a file is written to standard output, so that nothing else may be. */
  boolean toStandardOutput() {
    return Stream.of(ticks, html).filter(Objects::nonNull).anyMatch(OutputFile::isStandardOutput);
  }

  /** Writes all files, or none. */
  void writeFiles(
      OutputFiles files,
      PrintWriter out,
      ReplayResult result,
      PolicyRun subject,
      ReportSubject about)
      throws OutputFiles.NotWritable, InterruptedException {
    if (ticks != null) {
      files.write(ticks, out, csv -> TicksCsv.write(subject, csv));
    }
    if (html != null) {
      files.write(html, out, page -> HtmlReport.write(result, about, page));
    }
    files.publish();
  }
}
