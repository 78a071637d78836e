package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import io.prescale.controller.simulation.replay.Predictive;
import io.prescale.controller.simulation.replay.PredictiveOfSeveral;
import io.prescale.controller.simulation.replay.Reactive;
import io.prescale.controller.simulation.replay.Replay;
import io.prescale.controller.simulation.replay.ReplayPlan;
import io.prescale.controller.simulation.replay.ReplayPolicy;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.SeasonalNaiveWithLead;
import io.prescale.controller.simulation.replay.SeveralDemands;
import io.prescale.controller.simulation.replay.SeveralDemands.Load;
import io.prescale.controller.simulation.report.HtmlReport;
import io.prescale.controller.simulation.report.ReportSubject;
import io.prescale.controller.web.ReplaysView;
import io.prescale.forecasting.HistoryLength;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import io.prescale.forecasting.relatives.Relatives;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replays workloads' histories from Prometheus, one at a time, in the background. Thread-safe. */
public final class HistoryReplays implements ReplaysView, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryReplays.class);

  /**
   * The length of history to read; forecasts learn from the first {@link #SKIP} of it, or from half
   * of a shorter one, and the rest is scored.
   */
  private static final Duration HISTORY = Duration.ofDays(14);

  /** The part of the history that is not scored. */
  public static final Duration SKIP = Duration.ofDays(7);

  /** The number of reports kept, of about a megabyte each. */
  private static final int MOST_REPORTS = 20;

  private final ReplaySubjects subjects;
  private final MetricSource source;
  private final InstantSource clock;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("replay").factory());
  private final Map<String, Job> jobs = new HashMap<>();
  private final SequencedMap<String, String> reports = new LinkedHashMap<>();

  public HistoryReplays(ReplaySubjects subjects, MetricSource source, InstantSource clock) {
    this.subjects = subjects;
    this.source = source;
    this.clock = clock;
  }

  @Override
  public Started start(String workload) {
    return switch (subjects.find(workload)) {
      case ReplaySubjects.Found.Subject(var subject) -> start(workload, subject);
      case ReplaySubjects.Found.Nothing(var sentence) -> new Started.Refused(sentence);
    };
  }

  private synchronized Started start(String workload, ReplaySubject subject) {
    var running = jobs.values().stream().filter(it -> it.state() == State.RUNNING).findFirst();
    if (running.isPresent()) {
      return new Started.Refused(
          "A replay of %s is running; only one runs at a time."
              .formatted(running.get().workload()));
    }
    var job = Job.unfinished(workload, State.RUNNING, 0, "", "");
    jobs.put(workload, job);
    thread.execute(() -> run(workload, subject));
    return new Started.Running(job);
  }

  @Override
  public synchronized Optional<Job> newest(String workload) {
    return Optional.ofNullable(jobs.get(workload));
  }

  @Override
  public synchronized List<Job> newest() {
    return jobs.values().stream().sorted(Comparator.comparing(Job::workload)).toList();
  }

  @Override
  public synchronized Optional<String> report(String workload) {
    return Optional.ofNullable(reports.get(workload));
  }

  private void run(String workload, ReplaySubject subject) {
    try {
      Instant now = clock.instant();
      var loads = new ArrayList<Load>();
      for (var metric : subject.metrics()) {
        switch (source.history(metric.query(), now.minus(HISTORY), now).join()) {
          case HistoryReading.Found(var series) ->
              loads.add(new Load(series, metric.capacityPerReplica()));
          case HistoryReading.NotFound(var missing) -> {
            fail(workload, "", missing.message());
            return;
          }
        }
      }
      replay(workload, subject, loads, now);
    } catch (InterruptedException _) {
      fail(workload, "", "The replay was stopped.");
    } catch (IOException | RuntimeException e) {
      LOG.error("The replay failed for {}", workload, e);
      fail(workload, "", "The replay failed; the log of this replica says why.");
    }
  }

  /** A single demand in its own unit, several in the replicas that carry them. */
  private void replay(String workload, ReplaySubject subject, List<Load> loads, Instant now)
      throws InterruptedException, IOException {
    if (loads.size() == 1) {
      var settings = subject.settings();
      var prescale =
          new Predictive(
              settings,
              peak(settings),
              subject.risk(),
              subject.riskAtZero(),
              subject.schedules(),
              Relatives.none());
      replay(workload, subject, loads.getFirst().demand(), settings, prescale, now);
    } else {
      var demands = SeveralDemands.of(loads);
      var settings = subject.settings().withCapacity(1);
      var prescale =
          new PredictiveOfSeveral(
              demands,
              settings,
              peak(settings),
              subject.risk(),
              subject.riskAtZero(),
              subject.schedules());
      replay(workload, subject, demands.highest(), settings, prescale, now);
    }
  }

  private static PeakSettings peak(ReplaySettings settings) {
    return PeakSettings.forLead(settings.coldStart().planned());
  }

  private void replay(
      String workload,
      ReplaySubject subject,
      TimeSeries series,
      ReplaySettings all,
      ReplayPolicy prescale,
      Instant now)
      throws InterruptedException, IOException {
    var length = HistoryLength.of(series);
    var history =
        length.allowsVerdict() ? length.sentence() : length.sentence() + " " + length.noVerdict();
    var skipped = length.length().dividedBy(2).truncatedTo(ChronoUnit.MINUTES);
    var settings = all.withSkip(skipped.compareTo(SKIP) < 0 ? skipped : SKIP);
    switch (Replay.of(series, settings)) {
      case ReplayPlan.Refused refused -> fail(workload, history, refused.sentence());
      case Replay replay -> {
        var result =
            replay.run(
                List.of(
                    new Reactive(Reactive.USUAL_TARGET),
                    SeasonalNaiveWithLead.mimir(Reactive.USUAL_TARGET),
                    prescale),
                (done, of) -> progress(workload, history, (double) done / of));
        finish(workload, subject, history, result, report(workload, subject, result, now));
      }
    }
  }

  private static String report(
      String workload, ReplaySubject subject, ReplayResult result, Instant now) throws IOException {
    var page = new StringWriter();
    var accepted =
        subject.risk() instanceof Risk.Budget budget
            ? OptionalDouble.of(budget.share())
            : OptionalDouble.empty();
    HtmlReport.write(
        result,
        new ReportSubject(workload, subject.source(), "Prescale", accepted, ZoneOffset.UTC, now),
        page);
    return page.toString();
  }

  private synchronized void progress(String workload, String history, double done) {
    jobs.put(workload, Job.unfinished(workload, State.RUNNING, done, "", history));
  }

  private synchronized void fail(String workload, String history, String problem) {
    jobs.put(workload, Job.unfinished(workload, State.FAILED, 0, problem, history));
  }

  private synchronized void finish(
      String workload, ReplaySubject subject, String history, ReplayResult result, String report) {
    var rows =
        result.runs().stream()
            .map(
                run ->
                    new Row(
                        run.outcome().policy(),
                        run.outcome().overloadedShare(),
                        run.outcome().unservedShare(),
                        run.outcome().replicaHours(),
                        run.outcome().costVsClairvoyant()))
            .toList();
    reports.putLast(workload, report);
    if (reports.size() > MOST_REPORTS) {
      reports.pollFirstEntry();
    }
    var trace = result.trace();
    double hours = (trace.minutes() - trace.scoredFrom()) / 60.0;
    jobs.put(
        workload,
        new Job(workload, State.FINISHED, 1, "", history, hours, subject.cardsPerReplica(), rows));
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
