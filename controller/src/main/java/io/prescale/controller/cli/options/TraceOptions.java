package io.prescale.controller.cli.options;

import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.demand.prometheus.PrometheusHistory;
import io.prescale.controller.demand.prometheus.TraceFile;
import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.DemoTrace;
import io.prescale.controller.input.History;
import io.prescale.controller.input.HistorySource;
import io.prescale.controller.input.InputException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where the history of the load comes from: exactly one of a file, a server and the demo. */
public final class TraceOptions {
  private static final long DEMO_SEED = 1;

  /** The sources that need only one option. */
  static final class Local {
    @Option(names = "--demo", description = "Uses a generated load of an inference service.")
    boolean demo;

    @Option(
        names = "--trace",
        paramLabel = "FILE",
        description =
            "CSV file with a column timestamp or time and a column value, or with two columns of"
                + " any name of which one has times, as Grafana and Excel write it; or the JSON of"
                + " a Prometheus range query; gzip too; - for standard input.")
    @Nullable Path trace;
  }

  @ArgGroup(validate = false, order = 1, heading = "%nThe load:%n")
  Local local = new Local();

  @ArgGroup(validate = false, order = 2, heading = "%nThe load from Prometheus:%n")
  PrometheusOptions prometheus = new PrometheusOptions();

  public boolean demo() {
    return local.demo;
  }

  /** What to do where no load is given; empty where one is. */
  public Optional<String> missing() {
    return given() > 0
        ? Optional.empty()
        : Optional.of(
            "No load is given; name a file with --trace or a server with --prometheus, or use"
                + " --demo.");
  }

  /** Reads the history from the source that the options name. */
  public History read(Surroundings surroundings, ZoneId zone, boolean showProgress)
      throws InputException, InterruptedException {
    try (var progress = surroundings.progress("Reading from Prometheus", showProgress)) {
      return source(surroundings, zone, progress::update).read();
    }
  }

  private HistorySource source(
      Surroundings surroundings, ZoneId zone, PrometheusHistory.Progress progress) {
    requireExactlyOne();
    if (local.demo) {
      return new DemoTrace(DEMO_SEED);
    }
    var trace = local.trace;
    if (trace != null) {
      var file =
          trace.toString().equals("-")
              ? new CsvFile("standard input", surroundings::in)
              : CsvFile.of(trace);
      return new TraceFile(file, zone);
    }
    return prometheus.history(
        surroundings.environment(), surroundings.clock().instant(), zone, progress);
  }

  private long given() {
    return Stream.of(local.trace != null, local.demo, prometheus.given()).filter(it -> it).count();
  }

  private void requireExactlyOne() {
    if (given() > 1) {
      throw new UsageException("--trace, --demo and --prometheus exclude each other; choose one.");
    }
    if (missing().isPresent()) {
      throw new UsageException(missing().get());
    }
  }
}
