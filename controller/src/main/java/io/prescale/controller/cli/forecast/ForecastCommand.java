package io.prescale.controller.cli.forecast;

import io.prescale.controller.cli.options.CalendarOptions;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.GriddedHistory;
import io.prescale.controller.cli.options.TalkOptions;
import io.prescale.controller.cli.options.TraceOptions;
import io.prescale.controller.cli.options.UnusableTraceException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.OutputFile;
import io.prescale.controller.cli.terminal.OutputFiles;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.input.InputException;
import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PathSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code prescale forecast}: forecasts a load. */
@Command(
    name = "forecast",
    header = "Forecasts the quantiles of a load for each step of the next hours or days.",
    sortOptions = false,
    customSynopsis = {
      "prescale forecast --demo [OPTION...]",
      "       prescale forecast --trace FILE [OPTION...]",
      "       prescale forecast --prometheus URL --query PROMQL [OPTION...]",
    },
    footer = {
      "",
      "Examples:",
      "  prescale forecast --demo",
      "      Draws a forecast of the next day of a generated load.",
      "  prescale forecast --trace load.csv --horizon 2h --out forecast.csv",
      "      Forecasts two hours ahead, also as CSV.",
      "  prescale forecast --trace load.csv --every 12h --out forecasts.csv",
      "      Repeats it every 12 hours of the past, to compare it with the actual load.",
    })
public final class ForecastCommand implements Callable<Integer> {
  private static final Duration REMEMBERED = Duration.ofDays(28);

  private final Surroundings surroundings;
  private final OutputFiles files;

  @Mixin private final TraceOptions trace = new TraceOptions();

  @ArgGroup(validate = false, order = 10, heading = "%nThe forecast:%n")
  private ForecastOptions forecast = new ForecastOptions();

  @ArgGroup(validate = false, order = 20, heading = "%nTime zone, events and incidents:%n")
  private CalendarOptions calendar = new CalendarOptions();

  @ArgGroup(validate = false, order = 30, heading = "%nOutput:%n")
  private Output output = new Output();

  /** The output options. */
  static final class Output {
    @Option(
        names = "--out",
        paramLabel = "FILE",
        description =
            "Writes CSV (origin,timestamp,q10,…); with -, to standard output instead of the chart.")
    @Nullable OutputFile csv;

    @Option(names = "--json", description = "Prints JSON instead of the chart.")
    boolean json;

    @ArgGroup(validate = false, multiplicity = "1")
    TalkOptions talk = new TalkOptions();

    boolean csvToStandardOutput() {
      return csv != null && csv.isStandardOutput();
    }
  }

  /**
   * Creates the command, which may run once.
   *
   * @param files the files that the command writes; closed by the caller
   */
  public ForecastCommand(Surroundings surroundings, OutputFiles files) {
    this.surroundings = surroundings;
    this.files = files;
  }

  @Override
  public Integer call()
      throws InputException,
          UnusableTraceException,
          OutputFiles.NotWritable,
          IOException,
          InterruptedException {
    forecast.requireSense();
    calendar.calendar();
    var history = trace.read(surroundings, calendar.zone(), output.talk.progress());
    var gridded = GriddedHistory.of(history);
    output.talk.report(surroundings, gridded.notes());
    output.talk.report(
        surroundings,
        calendar.outside(gridded.series().start(), gridded.series().end().plus(forecast.horizon)));
    output.talk.report(surroundings, calendar.unusual(gridded.series()));

    var step = forecast.step(gridded.series().step());
    var observed = fromBeginOfStep(gridded.series(), step);
    var inSteps = observed.coarsen(Math.toIntExact(step.dividedBy(observed.step())));
    var fans = fans(observed, inSteps);
    write(history.name(), inSteps, fans);
    return ExitCode.OK;
  }

  /** What is missing of the first step is added, as two weeks must not lack a step. */
  private static TimeSeries fromBeginOfStep(TimeSeries series, Duration step)
      throws UnusableTraceException {
    if (series.size() < step.dividedBy(series.step())) {
      throw new UnusableTraceException(
          "The load has %s, less than one step of the forecast, %s; give more of it, or a shorter --step."
              .formatted(
                  DurationInWords.of(series.step().multipliedBy(series.size())),
                  DurationInWords.of(step)));
    }
    var late = Duration.between(TimeSeries.stepBegin(series.start(), step), series.start());
    int missing = Math.toIntExact(late.dividedBy(series.step()));
    double[] values = new double[missing + series.size()];
    Arrays.fill(values, 0, missing, Double.NaN);
    System.arraycopy(series.toArray(), 0, values, missing, series.size());
    return TimeSeries.of(series.time(-missing), series.step(), values);
  }

  private List<Fan> fans(TimeSeries observed, TimeSeries inSteps)
      throws UnusableTraceException, InterruptedException {
    var origins = forecast.origins(inSteps, surroundings.clock().instant(), calendar.zone());
    var settings =
        UsageException.unlessValid(
            () ->
                new PathSettings(
                    observed.step(),
                    inSteps.step(),
                    forecast.horizon,
                    calendar.zone(),
                    calendar.calendar(),
                    REMEMBERED,
                    forecast.seed));
    var fans = new ArrayList<Fan>();
    try (var progress = surroundings.progress("Forecasting", output.talk.progress())) {
      new ForecastRun(observed, settings, forecast.levels.values())
          .forecast(origins, fans::add, progress::update);
    }
    if (fans.isEmpty()) {
      throw new UnusableTraceException(
          "No forecast is possible from %s: there is no recent observation."
              .formatted(origins.getFirst()));
    }
    return fans;
  }

  private void write(String name, TimeSeries inSteps, List<Fan> fans)
      throws OutputFiles.NotWritable, IOException, InterruptedException {
    var levels = forecast.levels.values();
    var out = surroundings.out();
    if (output.csv != null) {
      files.write(output.csv, out, csv -> ForecastFiles.writeCsv(levels, fans, csv));
      files.publish();
    }
    if (output.csvToStandardOutput()) {
      return;
    }
    if (output.json) {
      ForecastFiles.writeJson(name, levels, fans, out);
    } else {
      var text = new ForecastText(inSteps, fans, surroundings.outTerminal(), calendar.zone());
      text.lines().forEach(out::println);
    }
  }
}
