package io.prescale.controller.cli;

import io.prescale.controller.replay.PolicyRun;
import io.prescale.controller.replay.ReplayResult;
import io.prescale.controller.report.HtmlReport;
import io.prescale.controller.report.ReportSubject;
import io.prescale.controller.report.TicksCsv;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where the result of a replay goes. */
final class ReplayOutput {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Writes CSV, a row a minute: timestamp, observed, served, p50, p90, p95, p99,"
              + " desired_replicas, ready_replicas of Prescale.")
  @Nullable Path ticks;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Writes a report with charts: one file that needs no network.")
  @Nullable Path html;

  @Option(names = "--json", description = "Prints JSON instead of the table.")
  boolean json;

  @ArgGroup(validate = false, multiplicity = "1")
  TalkOptions talk = new TalkOptions();

  /** Refuses what cannot be written before an hour of computing. */
  void requireWritable() throws OutputFiles.NotWritable {
    if (ticks != null && html != null && ticks.normalize().equals(html.normalize())) {
      throw new UsageException("--out and --html name the same file, " + ticks + ".");
    }
    for (var file : new @Nullable Path[] {ticks, html}) {
      if (file != null) {
        OutputFiles.requireWritable(file);
      }
    }
  }

  /** Writes the files that are wanted: all of them, complete, or none. */
  void writeFiles(ReplayResult result, ReportSubject subject, OutputFiles files)
      throws OutputFiles.NotWritable, IOException, InterruptedException {
    if (ticks != null) {
      PolicyRun run =
          result.runs().stream()
              .filter(r -> r.outcome().policy().equals(subject.policy()))
              .findFirst()
              .orElseThrow();
      files.write(ticks, out -> TicksCsv.write(run, out));
    }
    if (html != null) {
      files.write(html, out -> HtmlReport.write(result, subject, out));
    }
    files.publish();
  }
}
