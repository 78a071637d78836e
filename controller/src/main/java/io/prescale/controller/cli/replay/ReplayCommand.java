package io.prescale.controller.cli.replay;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.cli.options.CalendarOptions;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.GriddedHistory;
import io.prescale.controller.cli.options.TraceOptions;
import io.prescale.controller.cli.options.UnusableTraceException;
import io.prescale.controller.cli.terminal.OutputFiles;
import io.prescale.controller.cli.terminal.Paragraph;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.input.History;
import io.prescale.controller.input.InputException;
import io.prescale.controller.simulation.replay.Caution;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Replay;
import io.prescale.controller.simulation.replay.ReplayPlan;
import io.prescale.controller.simulation.replay.ReplayPolicy;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.SeveralDemands;
import io.prescale.controller.simulation.report.JsonReport;
import io.prescale.controller.simulation.report.ReportSubject;
import io.prescale.forecasting.HistoryLength;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code prescale replay}: simulates scaling policies on a recorded load. */
@Command(
    name = "replay",
    header = "Shows what predictive scaling would have done to your service.",
    description = {
      "",
      "Steps through a recorded load minute by minute, without knowledge of the future. Scales by"
          + " Prescale and by other policies under the rules of the Kubernetes HPA, and compares"
          + " how often capacity fell short and how many replicas were used.",
    },
    sortOptions = false,
    customSynopsis = {
      "prescale replay --demo [OPTION...]",
      "       prescale replay --trace FILE --capacity DEMAND [OPTION...]",
      "       prescale replay --prometheus URL --query PROMQL --capacity DEMAND",
      "                       [OPTION...]",
    },
    footer = {
      "",
      "Examples:",
      "  prescale replay --demo",
      "      Replays a generated load; needs no data.",
      "  prescale replay --trace load.csv --capacity 50 --cold-start 3m",
      "      One replica carries 50 requests per second and takes 3 minutes to start.",
      "  prescale replay --trace load.csv --capacity p99.9/24 --budget 0.1%%",
      "      24 replicas carry 99.9 %% of the load; 0.1 %% of the time may fall short.",
      "  prescale replay --prometheus http://localhost:9090 --since 14d \\",
      "      --query 'sum(rate(requests_total{app=\"chat\"}[1m]))' --capacity 50",
      "      Replays two weeks from Prometheus.",
      "  prescale replay --trace requests.csv --capacity 50 --also tokens.csv=4000",
      "      Two metrics of a service: the HPA follows what needs more replicas.",
      "  prescale replay --trace load.csv --capacity 50 --leading gateway.csv",
      "      Forecasts from what the gateway saw before, too.",
      "  prescale replay --trace load.csv --capacity 50 \\",
      "      --html report.html --out ticks.csv",
      "      Also writes a report with charts, and every minute as CSV.",
    })
public final class ReplayCommand implements Callable<Integer> {
  /** What to say where {@code --capacity} has no value. */
  public static final String CAPACITY_WITHOUT_VALUE =
      "--capacity has no value: " + ScalingOptions.WHAT_CAPACITY_IS;

  private static final String CLAIRVOYANT = "clairvoyant";

  private final Surroundings surroundings;
  private final OutputFiles files;

  @Mixin private final TraceOptions trace = new TraceOptions();

  @ArgGroup(validate = false, order = 10, heading = "%nThe service and its HPA:%n")
  private ScalingOptions scaling = new ScalingOptions();

  @ArgGroup(validate = false, order = 12, heading = "%nOther loads and series:%n")
  private OtherLoads others = new OtherLoads();

  @ArgGroup(validate = false, order = 15, heading = "%nThe accepted risk of a shortage:%n")
  private RiskOptions accepted = new RiskOptions();

  @ArgGroup(validate = false, order = 20, heading = "%nTime zone, events and incidents:%n")
  private CalendarOptions calendar = new CalendarOptions();

  @ArgGroup(validate = false, order = 30, heading = "%nOutput:%n")
  private ReplayOutput output = new ReplayOutput();

  /**
   * Creates the command, which may run once.
   *
   * @param files the files that the command writes; closed by the caller
   */
  public ReplayCommand(Surroundings surroundings, OutputFiles files) {
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
    scaling.requireCapacity(trace);
    scaling.requireSense(calendar.zone());
    others.requireSense();
    accepted.requireUse(scaling.policies());
    accepted.riskAtZero(scaling.min);
    calendar.calendar();
    var risk = accepted.risk();
    var curve = accepted.curve();
    var history = trace.read(surroundings, calendar.zone(), output.talk.progress());
    var gridded = GriddedHistory.byTheMinute(history);
    talk(gridded.notes());
    talk(calendar.outside(gridded.series().start(), gridded.series().end()));
    talk(calendar.unusual(gridded.series()));

    var setup = setup(gridded.series(), risk);
    var load = setup.several().map(SeveralDemands::highest).orElse(gridded.series());
    var result = replayed(load, setup, curve);
    var subject = result.runs().get(subject());
    var length = HistoryLength.of(gridded.series());
    var budgetCurve = curve.filter(_ -> length.allowsVerdict()).map(it -> sentence(it, result));
    var about = about(history, subject, risk, budgetCurve);
    output.writeFiles(files, surroundings.out(), result, subject, about);
    if (output.toStandardOutput()) {
      return ExitCode.OK;
    }
    if (output.json) {
      JsonReport.write(result, about, surroundings.out());
    } else {
      print(result, length, about, labels(curve));
    }
    return ExitCode.OK;
  }

  private PolicyChoice.Setup setup(TimeSeries series, Risk risk)
      throws InputException, UnusableTraceException, InterruptedException {
    var single = scaling.settings(series);
    scaling
        .doubtfulCapacity(single.capacityPerReplica(), series)
        .map(List::of)
        .ifPresent(this::talk);
    var several = others.several(series, single, calendar.zone(), this::talk);
    ReplaySettings settings = several.isPresent() ? single.withCapacity(1) : single;
    var peak =
        PeakSettings.forLead(settings.coldStart().planned())
            .withZone(calendar.zone())
            .withCalendar(calendar.calendar())
            .withSeed(settings.seed());
    return new PolicyChoice.Setup(
        settings,
        peak,
        new Caution(risk, accepted.riskAtZero(scaling.min), scaling.target()),
        several,
        scaling.schedules(calendar.zone()),
        others.read(series, calendar.zone(), this::talk));
  }

  private void talk(List<String> sentences) {
    output.talk.report(surroundings, sentences);
  }

  private ReplayResult replayed(
      TimeSeries series, PolicyChoice.Setup setup, Optional<BudgetCurve> curve)
      throws UnusableTraceException, InterruptedException {
    var replay =
        switch (Replay.of(series, setup.settings())) {
          case Replay ready -> ready;
          case ReplayPlan.Refused refused -> throw new UnusableTraceException(refused.sentence());
        };
    try (var progress = surroundings.progress("Replaying", output.talk.progress())) {
      var policies = new ArrayList<ReplayPolicy>();
      scaling.policies().forEach(choice -> policies.add(choice.policy(setup)));
      curve.ifPresent(it -> policies.addAll(it.policies(setup)));
      return replay.run(policies, progress::update);
    }
  }

  /** The index of the policy that the report and the CSV describe: Prescale, or else the first. */
  private int subject() {
    return Math.max(0, scaling.policies().indexOf(PolicyChoice.PRESCALE));
  }

  private ReportSubject about(
      History history, PolicyRun subject, Risk risk, Optional<String> budgetCurve) {
    return new ReportSubject(
        history.name(),
        history.source(),
        subject.outcome().policy(),
        risk,
        budgetCurve,
        calendar.zone(),
        surroundings.clock().instant());
  }

  private void print(
      ReplayResult result, HistoryLength length, ReportSubject about, List<String> labels) {
    var table = new ReplayTable(result, labels, scaling.gpusPerReplica());
    var lines = new ArrayList<>(table.lines());
    int prescale = scaling.policies().indexOf(PolicyChoice.PRESCALE);
    if (prescale >= 0) {
      int reactive = scaling.policies().indexOf(PolicyChoice.REACTIVE);
      var conclusion =
          new Conclusion(
              result.runs().get(prescale).outcome(),
              result.runs().getLast().outcome(),
              reactive < 0 ? Optional.empty() : Optional.of(result.runs().get(reactive).outcome()),
              about.risk(),
              about.budgetCurve());
      lines.add("");
      var sentence = length.allowsVerdict() ? conclusion.sentence() : length.noVerdict();
      lines.addAll(Paragraph.wrapped(sentence, surroundings.outTerminal().columns()));
    }
    lines.forEach(surroundings.out()::println);
  }

  private String sentence(BudgetCurve curve, ReplayResult result) {
    var outcomes = result.runs().stream().map(PolicyRun::outcome).toList();
    int first = scaling.policies().size();
    return curve.sentence(
        outcomes.get(subject()), outcomes.subList(first, first + curve.others().size()));
  }

  private List<String> labels(Optional<BudgetCurve> curve) {
    var labels = new ArrayList<>(scaling.policies().stream().map(PolicyChoice::label).toList());
    curve.ifPresent(it -> labels.addAll(it.labels()));
    labels.add(CLAIRVOYANT);
    return labels;
  }
}
