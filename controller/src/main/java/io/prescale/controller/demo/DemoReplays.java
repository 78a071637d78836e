package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.prometheus.PrometheusServer;
import io.prescale.controller.replay.Predictive;
import io.prescale.controller.replay.Reactive;
import io.prescale.controller.replay.Replay;
import io.prescale.controller.replay.ReplayPlan;
import io.prescale.controller.replay.ReplayPolicy;
import io.prescale.controller.replay.ReplayResult;
import io.prescale.controller.replay.ReplaySettings;
import io.prescale.controller.replay.SeasonalNaiveWithLead;
import io.prescale.controller.report.HtmlReport;
import io.prescale.controller.report.ReportSubject;
import io.prescale.controller.source.MetricSource;
import io.prescale.controller.source.MetricSource.HistoryReading;
import io.prescale.controller.web.ReplaysView;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Replays of the workloads' histories as Prometheus has them, in the background. Thread-safe. */
public final class DemoReplays implements ReplaysView, AutoCloseable {
  private static final Duration HISTORY = Duration.ofDays(14);
  private static final Duration SKIP = Duration.ofDays(7);

  private final Demo demo;
  private final MetricSource source;
  private final PrometheusServer server;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("replay").factory());
  private final Map<String, Job> jobs = new HashMap<>();
  private final Map<String, String> reports = new HashMap<>();

  public DemoReplays(Demo demo, MetricSource source, PrometheusServer server) {
    this.demo = demo;
    this.source = source;
    this.server = server;
  }

  @Override
  public synchronized Started start(String workload) {
    var running = jobs.values().stream().filter(it -> it.state() == State.RUNNING).findFirst();
    if (running.isPresent()) {
      return new Started.Refused(
          "The replay of %s runs; one at a time.".formatted(running.get().workload()));
    }
    var found = demo.workload(workload);
    if (found.isEmpty()) {
      return new Started.Refused("There is no workload %s.".formatted(workload));
    }
    var job = new Job(workload, State.RUNNING, 0, "", List.of());
    jobs.put(workload, job);
    thread.execute(() -> run(found.get()));
    return new Started.Running(job);
  }

  @Override
  public synchronized Optional<Job> newest(String workload) {
    return Optional.ofNullable(jobs.get(workload));
  }

  @Override
  public synchronized Optional<String> report(String workload) {
    return Optional.ofNullable(reports.get(workload));
  }

  private void run(Workload workload) {
    try {
      Instant now = demo.now();
      switch (source.history(Demo.query(server, workload), now.minus(HISTORY), now).join()) {
        case HistoryReading.Found(var series) -> replay(workload, series, now);
        case HistoryReading.NotFound(var missing) -> fail(workload, missing.message());
      }
    } catch (InterruptedException _) {
      fail(workload, "The replay was stopped.");
    } catch (IOException | RuntimeException e) {
      fail(workload, "The replay failed: " + e);
    }
  }

  private void replay(Workload workload, TimeSeries series, Instant now)
      throws InterruptedException, IOException {
    var settings =
        ReplaySettings.forCapacity(workload.capacityPerReplica())
            .withRules(workload.hpa())
            .withColdStart(workload.coldStart())
            .withSkip(SKIP);
    switch (Replay.of(series, settings)) {
      case ReplayPlan.Refused refused -> fail(workload, refused.sentence());
      case Replay replay ->
          finish(
              workload,
              replay.run(policies(settings), (done, of) -> progress(workload, (double) done / of)),
              now);
    }
  }

  private static List<ReplayPolicy> policies(ReplaySettings settings) {
    return List.of(
        new Reactive(SimulatedService.REACTIVE_TARGET),
        SeasonalNaiveWithLead.mimir(SimulatedService.REACTIVE_TARGET),
        new Predictive(
            settings,
            PeakSettings.forLead(settings.coldStart().planned()),
            new Risk.Budget(Workload.BUDGET)));
  }

  private synchronized void progress(Workload workload, double done) {
    jobs.put(workload.name(), new Job(workload.name(), State.RUNNING, done, "", List.of()));
  }

  private synchronized void fail(Workload workload, String problem) {
    jobs.put(workload.name(), new Job(workload.name(), State.FAILED, 0, problem, List.of()));
  }

  private void finish(Workload workload, ReplayResult result, Instant now) throws IOException {
    var page = new StringWriter();
    var about =
        new ReportSubject(
            workload.name(),
            "the demo's Prometheus, " + PrometheusEndpoint.query(workload),
            "Prescale",
            OptionalDouble.of(Workload.BUDGET),
            ZoneOffset.UTC,
            now);
    HtmlReport.write(result, about, page);
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
    synchronized (this) {
      reports.put(workload.name(), page.toString());
      jobs.put(workload.name(), new Job(workload.name(), State.FINISHED, 1, "", rows));
    }
  }

  /** Breaks off what runs. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
