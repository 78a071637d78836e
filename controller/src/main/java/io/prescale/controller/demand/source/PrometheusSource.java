package io.prescale.controller.demand.source;

import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Reason;
import io.prescale.controller.demand.prometheus.Labels;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.PrometheusHistory;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RangeAnswer;
import io.prescale.controller.demand.prometheus.RangeQuery;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Reads metrics from Prometheus servers. Equal queries of one step are sent once. Each server has
 * its own limit of concurrent requests and its own back-off, so that a slow one delays only its own
 * targets. Thread-safe.
 */
public final class PrometheusSource implements MetricSource, AutoCloseable {
  private static final Duration UNUSED = Duration.ofMinutes(10);

  private final SourceSettings settings;
  private final RandomGenerator random;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("metric-source-", 0).factory());
  private final Map<PrometheusServer, Lane> lanes = new HashMap<>();
  private final Map<MetricQuery, Shared> shared = new HashMap<>();
  private Instant tidied = Instant.MIN;

  private record Shared(Instant from, Instant to, CompletableFuture<Reading> reading) {}

  /**
   * A source without connections.
   *
   * @param random for the jitter
   */
  public PrometheusSource(SourceSettings settings, RandomGenerator random) {
    this.settings = settings;
    this.random = random;
  }

  @Override
  public synchronized CompletableFuture<Reading> read(
      MetricQuery query, Instant after, Instant now) {
    tidy(now);
    Instant to = floor(now, query.step());
    Instant oldest = to.minus(query.step().multipliedBy(PrometheusHistory.MOST_POINTS - 1L));
    Instant next = floor(after, query.step()).plus(query.step());
    Instant from = next.isBefore(oldest) ? oldest : next;
    if (from.isAfter(to)) {
      return CompletableFuture.completedFuture(new Reading.Observed(List.of()));
    }
    Shared known = shared.get(query);
    if (known != null && known.to().equals(to) && !known.from().isAfter(from)) {
      return known.reading();
    }
    var reading = ask(query, new RangeQuery(query.promql(), from, to, query.step()), now);
    shared.put(query, new Shared(from, to, reading));
    return reading;
  }

  private CompletableFuture<Reading> ask(MetricQuery query, RangeQuery range, Instant now) {
    Lane lane;
    try {
      lane = lane(query.server());
    } catch (PrometheusException e) {
      return CompletableFuture.completedFuture(Answers.failure(e));
    }
    lane.asked(now);
    var pause = lane.backOff().problem(now);
    if (pause.isPresent()) {
      return CompletableFuture.completedFuture(backingOff(pause.get()));
    }
    long jitter = settings.longestJitter().toMillis();
    long wait = jitter == 0 ? 0 : random.nextLong(jitter);
    return inBackground(
        () -> {
          // On a virtual thread a sleep occupies no carrier; close() interrupts it, so that the
          // reading completes, which a task that is scheduled for later would not.
          Thread.sleep(wait);
          return read(lane, range, now);
        },
        missing -> missing);
  }

  /** Does not try a server that failed another request during the wait for a turn. */
  private static Reading read(Lane lane, RangeQuery range, Instant now)
      throws InterruptedException {
    lane.enter();
    try {
      var failed = lane.backOff().failedSince(now);
      if (failed.isPresent()) {
        return backingOff(failed.get());
      }
      var answer = lane.read(range);
      lane.backOff().succeeded();
      return Answers.reading(range.promql(), answer);
    } catch (PrometheusException e) {
      var missing = Answers.failure(e);
      if (Answers.isOfTheServer(missing.reason())) {
        lane.backOff().failed(now, missing.message());
      }
      return missing;
    } finally {
      lane.leave();
    }
  }

  private static Missing backingOff(String problem) {
    return new Missing(Reason.BACKING_OFF, "Backing off after the server failed: " + problem);
  }

  @Override
  public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
    return inBackground(
        () -> historyOn(query, floor(from, query.step()), floor(to, query.step())),
        HistoryReading.NotFound::new);
  }

  private HistoryReading historyOn(MetricQuery query, Instant from, Instant to)
      throws InterruptedException {
    var range = new RangeQuery(query.promql(), from, to, query.step());
    var samples = new ArrayList<Sample>();
    var series = new LinkedHashSet<Labels>();
    try {
      for (var part : range.split(PrometheusHistory.MOST_POINTS)) {
        var answer = historyPart(laneFor(query.server(), to), part);
        series.addAll(answer.series());
        answer.samples().forEach(sample -> samples.add(stepBefore(sample, query.step())));
      }
    } catch (PrometheusException e) {
      return new HistoryReading.NotFound(Answers.failure(e));
    }
    if (series.size() > 1) {
      return new HistoryReading.NotFound(Answers.manySeries(query.promql(), series));
    }
    if (samples.isEmpty()) {
      return new HistoryReading.NotFound(Answers.noData(query.promql()));
    }
    return new HistoryReading.Found(TimeSeries.fromSamples(samples, query.step()).series());
  }

  private static RangeAnswer historyPart(Lane lane, RangeQuery part)
      throws PrometheusException, InterruptedException {
    lane.enter();
    try {
      return lane.history(part);
    } finally {
      lane.leave();
    }
  }

  /**
   * A sample belongs to the step that ends at its time; a series is indexed by the step's
   * beginning.
   */
  private static Sample stepBefore(Sample sample, Duration step) {
    return new Sample(sample.time().minus(step), sample.value());
  }

  private synchronized Lane laneFor(PrometheusServer server, Instant asked)
      throws PrometheusException {
    var lane = lane(server);
    lane.asked(asked);
    return lane;
  }

  private Lane lane(PrometheusServer server) throws PrometheusException {
    Lane lane = lanes.get(server);
    if (lane == null) {
      lane = new Lane(server, settings);
      lanes.put(server, lane);
    }
    return lane;
  }

  private <T> CompletableFuture<T> inBackground(Callable<T> task, Function<Missing, T> missing) {
    var result = new CompletableFuture<T>();
    threads.execute(
        () -> {
          try {
            result.complete(task.call());
          } catch (InterruptedException _) {
            result.complete(
                missing.apply(new Missing(Reason.UNREACHABLE, "Reading was interrupted.")));
          } catch (Exception e) {
            result.complete(
                missing.apply(new Missing(Reason.UNUSABLE_ANSWER, "Reading failed: " + e)));
          }
        });
    return result;
  }

  /** Forgets, once a tick, answers that are out of date and servers that are no longer queried. */
  private void tidy(Instant now) {
    if (now.equals(tidied)) {
      return;
    }
    tidied = now;
    shared
        .entrySet()
        .removeIf(e -> e.getValue().to().plus(e.getKey().step().multipliedBy(2)).isBefore(now));
    lanes
        .values()
        .removeIf(
            lane -> {
              boolean unused = lane.isIdleSince(now.minus(UNUSED));
              if (unused) {
                lane.close();
              }
              return unused;
            });
  }

  private static Instant floor(Instant time, Duration step) {
    return Instant.ofEpochMilli(
        Math.floorDiv(time.toEpochMilli(), step.toMillis()) * step.toMillis());
  }

  /** Interrupts the requests under way. */
  @Override
  public synchronized void close() {
    threads.shutdownNow();
    lanes.values().forEach(Lane::close);
  }
}
