package io.prescale.controller.web.live;

import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.report.Headline;
import io.prescale.controller.simulation.report.HtmlReport;
import io.prescale.controller.simulation.report.ReportSubject;
import io.prescale.controller.web.ReplaysView;
import io.prescale.controller.web.Savings;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays workloads' histories from Prometheus in the background: those that a person asks for, one
 * at a time, and beside them, one at a time with a rest before each, those of the whole fleet while
 * its savings are asked for. Thread-safe.
 */
public final class HistoryReplays implements ReplaysView, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryReplays.class);

  /** The number of reports kept, of about a megabyte each. */
  private static final int MOST_REPORTS = 20;

  /** Policies that are replayed at once: those of the fleet must leave the processors to others. */
  private static final int FOR_A_PERSON = 2;

  private static final int FOR_THE_FLEET = 1;

  /** How long the fleet is still replayed after {@link #savings} was asked for. */
  private static final Duration LOOKED_AT = Duration.ofDays(1);

  /**
   * How often the fleet is replayed.
   *
   * @param rest before each replay
   * @param renewed the time after which a workload is replayed again; a 24th of it if it failed
   */
  public record Pace(Duration rest, Duration renewed) {}

  private final ReplaySubjects subjects;
  private final MetricSource source;
  private final InstantSource clock;
  private final Supplier<List<String>> fleet;
  private final Pace pace;
  private final ExecutorService persons =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("replay").factory());
  private final ScheduledExecutorService rounds =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("replays").factory());
  private volatile Instant lookedAt = Instant.MIN;
  private final Map<String, Job> jobs = new HashMap<>();
  private final Map<String, KnownWeek> weeks = new HashMap<>();
  private final SequencedMap<String, String> reports = new LinkedHashMap<>();

  /**
   * Replays nothing yet.
   *
   * @param fleet the workloads that {@link #savings} sums up; none while there is no time for them
   */
  public HistoryReplays(
      ReplaySubjects subjects,
      MetricSource source,
      InstantSource clock,
      Supplier<List<String>> fleet,
      Pace pace) {
    this.subjects = subjects;
    this.source = source;
    this.clock = clock;
    this.fleet = fleet;
    this.pace = pace;
  }

  /** Replays the fleet again and again from now on, while {@link #savings} is asked for. */
  public void keepUp() {
    long rest = pace.rest().toMillis();
    var _ = rounds.scheduleWithFixedDelay(this::round, rest, rest, TimeUnit.MILLISECONDS);
  }

  /** Replays the workload whose replay is the oldest, if any is due. */
  private void round() {
    try {
      var now = clock.instant();
      if (now.isBefore(lookedAt.plus(LOOKED_AT))) {
        due(now).ifPresent(it -> know(it, now, replayed(it, now, FOR_THE_FLEET, (_, _) -> {})));
      }
    } catch (RuntimeException e) { // would end all rounds
      LOG.error("The fleet cannot be replayed now", e);
    }
  }

  private Optional<String> due(Instant now) {
    var all = fleet.get();
    synchronized (this) {
      return all.stream()
          .filter(it -> isDue(weeks.get(it), now))
          .min(Comparator.comparing(this::knownAt));
    }
  }

  private boolean isDue(@Nullable KnownWeek known, Instant now) {
    return known == null || known.isDue(pace.renewed(), now);
  }

  private Instant knownAt(String workload) {
    var known = weeks.get(workload);
    return known == null ? Instant.MIN : known.at();
  }

  @Override
  public Savings savings() {
    var all = fleet.get();
    var now = clock.instant();
    lookedAt = now;
    synchronized (this) {
      weeks.keySet().retainAll(all);
      var counted =
          weeks.values().stream().flatMap(it -> it.counted(pace.renewed(), now).stream()).toList();
      return Savings.of(counted, all.size());
    }
  }

  @Override
  public Started start(String workload) {
    return subjects.find(workload) instanceof ReplaySubjects.Found.Nothing(var sentence)
        ? new Started.Refused(sentence)
        : begin(workload);
  }

  private synchronized Started begin(String workload) {
    var running = jobs.values().stream().filter(it -> it.state() == State.RUNNING).findFirst();
    if (running.isPresent()) {
      return new Started.Refused(
          "A replay of %s is running; only one runs at a time."
              .formatted(running.get().workload()));
    }
    var job = Job.unfinished(workload, State.RUNNING, 0, "", "");
    jobs.put(workload, job);
    persons.execute(() -> run(workload));
    return new Started.Running(job);
  }

  @Override
  public synchronized Optional<Job> newest(String workload) {
    var job = Optional.ofNullable(jobs.get(workload));
    return job.filter(it -> it.state() != State.FINISHED).or(() -> failure(workload)).or(() -> job);
  }

  private Optional<Job> failure(String workload) {
    return Optional.ofNullable(weeks.get(workload))
        .flatMap(it -> it.failure(pace.renewed(), clock.instant()))
        .map(problem -> Job.unfinished(workload, State.FAILED, 0, problem, ""));
  }

  @Override
  public synchronized Optional<String> report(String workload) {
    return Optional.ofNullable(reports.get(workload));
  }

  private void run(String workload) {
    var now = clock.instant();
    var outcome =
        replayed(workload, now, FOR_A_PERSON, (history, done) -> progress(workload, history, done));
    know(workload, now, outcome);
    switch (outcome) {
      case HistoryReplay.Failed(var history, var problem) -> fail(workload, history, problem);
      case HistoryReplay.Finished finished -> {
        try {
          finish(workload, finished, now);
        } catch (IOException | RuntimeException e) { // else it would run for ever
          LOG.error("The report on {} cannot be written", workload, e);
          fail(
              workload,
              finished.history(),
              "The report cannot be written; the log of this replica says why.");
        }
      }
    }
  }

  private HistoryReplay.Outcome replayed(
      String workload, Instant now, int atOnce, HistoryReplay.Progress progress) {
    try {
      return switch (subjects.find(workload)) {
        case ReplaySubjects.Found.Nothing(var sentence) -> new HistoryReplay.Failed("", sentence);
        case ReplaySubjects.Found.Subject(var subject) ->
            new HistoryReplay(subject, atOnce, progress).until(now, source);
      };
    } catch (InterruptedException _) {
      return new HistoryReplay.Failed("", "The replay was stopped.");
    } catch (RuntimeException e) {
      LOG.error("The replay failed for {}", workload, e);
      return new HistoryReplay.Failed("", "The replay failed; the log of this replica says why.");
    }
  }

  private void finish(String workload, HistoryReplay.Finished finished, Instant now)
      throws IOException {
    var result = finished.result();
    var about =
        new ReportSubject(
            workload,
            finished.subject().source(),
            HistoryReplay.PRESCALE,
            finished.subject().caution().risk(),
            Optional.empty(),
            finished.subject().forecast().zone(),
            now);
    var page = new StringWriter();
    HtmlReport.write(result, about, page);
    var verdicts = Headline.of(result, about).sentences();
    finish(
        new Job(workload, State.FINISHED, 1, "", finished.history(), verdicts, rows(result)),
        page.toString());
  }

  private synchronized void know(String workload, Instant at, HistoryReplay.Outcome outcome) {
    var before = Optional.ofNullable(weeks.get(workload)).flatMap(KnownWeek::problem);
    var known = weeks.merge(workload, KnownWeek.of(at, outcome), KnownWeek::then);
    known
        .problem()
        .filter(problem -> !before.equals(Optional.of(problem)))
        .ifPresent(problem -> LOG.debug("{} cannot be replayed: {}", workload, problem));
  }

  private synchronized void progress(String workload, String history, double done) {
    jobs.put(workload, Job.unfinished(workload, State.RUNNING, done, "", history));
  }

  private synchronized void fail(String workload, String history, String problem) {
    jobs.put(workload, Job.unfinished(workload, State.FAILED, 0, problem, history));
  }

  private synchronized void finish(Job job, String report) {
    reports.putLast(job.workload(), report);
    if (reports.size() > MOST_REPORTS) {
      reports.pollFirstEntry();
    }
    jobs.put(job.workload(), job);
  }

  private static List<Row> rows(ReplayResult result) {
    return result.runs().stream()
        .map(
            run ->
                new Row(
                    run.outcome().policy(),
                    run.outcome().overloadedShare(),
                    run.outcome().unservedShare(),
                    run.outcome().replicaHours(),
                    run.outcome().costVsClairvoyant(),
                    run.outcome().scaleEventsPerDay(),
                    run.outcome().reversalsPerDay()))
        .toList();
  }

  @Override
  public void close() {
    persons.shutdownNow();
    rounds.shutdownNow();
  }
}
