package io.prescale.controller.demand.source;

import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Reason;
import io.prescale.controller.demand.prometheus.HttpClients;
import io.prescale.controller.demand.prometheus.Labels;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.PrometheusHistory;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RangeQuery;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Reads metrics from Prometheus servers. Equal queries of one step are sent once. Each server has
 * its own limits of concurrent requests, which namespaces share fairly, as they do those of all
 * servers that users name, and each namespace its own back-off: a slow server delays only its own
 * targets, a slow query only its namespace, and many slow servers only what asks servers that users
 * name. Thread-safe.
 */
public final class PrometheusSource implements MetricSource, AutoCloseable {
  private static final Duration UNUSED = Duration.ofMinutes(10);
  private static final Duration BETWEEN_TIDYINGS = Duration.ofSeconds(10);

  private final SourceSettings settings;
  private final RandomGenerator random;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("metric-source-", 0).factory());
  private final HttpClients clients = new HttpClients();
  private final Map<PrometheusServer, Lane> lanes = new HashMap<>();
  private final Turns.OfAllServers invented;
  private final Map<Turns.Host, Turns.OfServer> turns = new HashMap<>();
  private final Map<MetricQuery, Shared> shared = new HashMap<>();
  private Instant tidied = Instant.EPOCH;

  private record Shared(Instant from, Instant to, CompletableFuture<Reading> reading) {}

  /**
   * A source without connections.
   *
   * @param random for the jitter
   */
  public PrometheusSource(SourceSettings settings, RandomGenerator random) {
    this.settings = settings;
    this.random = random;
    this.invented = new Turns.OfAllServers(settings);
  }

  @Override
  public synchronized CompletableFuture<Reading> read(
      MetricQuery query, Instant after, Instant now) {
    tidy(now);
    Instant to = TimeSeries.stepBegin(now, query.step());
    Instant oldest = to.minus(query.step().multipliedBy(PrometheusHistory.MOST_POINTS - 1L));
    Instant next = TimeSeries.stepBegin(after, query.step()).plus(query.step());
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
    var pause = lane.backOff(query.turns()).problem(now);
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
          return read(lane, query, range, now);
        },
        settings.longestRead(),
        missing -> missing);
  }

  private static Reading read(Lane lane, MetricQuery query, RangeQuery range, Instant now)
      throws InterruptedException {
    try {
      var answer = lane.read(query.turns(), range, now);
      if (answer.isEmpty()) {
        var failure = lane.backOff(query.turns()).failedSince(now);
        return failure.map(it -> backingOff(it)).orElseGet(() -> noTurn(query));
      }
      lane.succeeded(query.turns(), now);
      return Answers.reading(query, answer.get());
    } catch (PrometheusException e) {
      var missing = Answers.failure(e);
      if (Answers.isOfTheServer(missing.reason())) {
        lane.failed(query.turns(), missing, now);
      }
      return missing;
    }
  }

  @Override
  public CompletableFuture<LatestReading> latest(MetricQuery query, Instant now) {
    return inBackground(
        () -> latestOf(query, now), settings.longestRead(), LatestReading.NotFound::new);
  }

  private LatestReading latestOf(MetricQuery query, Instant now) throws InterruptedException {
    Instant at = TimeSeries.stepBegin(now, query.step());
    try {
      var lane = laneFor(query.server(), now);
      var pause = lane.backOff(query.turns()).problem(now);
      if (pause.isPresent()) {
        return new LatestReading.NotFound(backingOff(pause.get()));
      }
      var range = new RangeQuery(query.promql(), at, at, query.step());
      return lane.readPods(query.turns(), range, now)
          .<LatestReading>map(it -> new LatestReading.Found(it.latest()))
          .orElseGet(() -> new LatestReading.NotFound(noTurn(query)));
    } catch (PrometheusException e) {
      return new LatestReading.NotFound(Answers.failure(e));
    }
  }

  private static Missing noTurn(MetricQuery query) {
    return new Missing(
        Reason.TIMEOUT,
        "Other requests took so long that this one to %s was not sent."
            .formatted(query.server().url()));
  }

  private static Missing backingOff(String problem) {
    return new Missing(Reason.BACKING_OFF, "Backing off after the server failed: " + problem);
  }

  @Override
  public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
    return inBackground(
        () ->
            historyOn(
                query,
                TimeSeries.stepBegin(from, query.step()),
                TimeSeries.stepBegin(to, query.step())),
        settings.longestHistory(),
        HistoryReading.NotFound::new);
  }

  private HistoryReading historyOn(MetricQuery query, Instant from, Instant to)
      throws InterruptedException {
    var range = new RangeQuery(query.promql(), from, to, query.step());
    var grid = new HistoryGrid(range);
    var series = new LinkedHashSet<Labels>();
    try {
      for (var part : range.split(PrometheusHistory.MOST_POINTS)) {
        var read = laneFor(query.server(), to).history(query.turns(), part);
        if (read.isEmpty()) {
          return new HistoryReading.NotFound(noTurn(query));
        }
        var answer = read.get();
        series.addAll(answer.series());
        if (series.size() > 1) {
          return new HistoryReading.NotFound(Answers.manySeries(query, series));
        }
        answer.samples().forEach(grid::add);
      }
    } catch (PrometheusException e) {
      return new HistoryReading.NotFound(Answers.failure(e));
    }
    if (grid.isEmpty()) {
      return new HistoryReading.NotFound(Answers.noData(query));
    }
    return new HistoryReading.Found(grid.series());
  }

  private synchronized Lane laneFor(PrometheusServer server, Instant asked)
      throws PrometheusException {
    var lane = lane(server);
    lane.asked(asked);
    return lane;
  }

  private Turns.OfServer turns(Turns.Host host) {
    var own = new Turns.OfServer(host.authority(), settings);
    return host.isNamedByUser() ? own.within(invented) : own;
  }

  private Lane lane(PrometheusServer server) throws PrometheusException {
    Lane lane = lanes.get(server);
    if (lane == null) {
      lane =
          new Lane(
              server, settings, turns.computeIfAbsent(Turns.Host.of(server), this::turns), clients);
      lanes.put(server, lane);
    }
    return lane;
  }

  /** When time is over, the answer is missing and the task is interrupted. */
  @SuppressWarnings("ReferenceEquality") // the task may give an equal answer itself
  private <T> CompletableFuture<T> inBackground(
      Callable<T> task, Duration longest, Function<Missing, T> missing) {
    var result = new CompletableFuture<T>();
    var running =
        threads.submit(
            () -> {
              try {
                result.complete(task.call());
              } catch (InterruptedException _) {
                result.complete(
                    missing.apply(new Missing(Reason.UNREACHABLE, "Reading was interrupted.")));
              } catch (Exception e) {
                result.complete(
                    missing.apply(
                        new Missing(
                            Reason.UNUSABLE_ANSWER,
                            "Reading failed with " + e.getClass().getSimpleName() + ".")));
              }
            });
    var late =
        missing.apply(
            new Missing(Reason.TIMEOUT, "No answer within %d s.".formatted(longest.toSeconds())));
    var _ =
        result
            .completeOnTimeout(late, longest.toMillis(), TimeUnit.MILLISECONDS)
            .thenAccept(
                value -> {
                  if (value == late) {
                    running.cancel(true);
                  }
                });
    return result;
  }

  /** Forgets, now and then, what is out of date and servers that are no longer queried. */
  private void tidy(Instant now) {
    if (Duration.between(tidied, now).abs().compareTo(BETWEEN_TIDYINGS) < 0) {
      return;
    }
    tidied = now;
    shared
        .entrySet()
        .removeIf(
            e -> e.getValue().to().plus(e.getKey().step()).plus(e.getKey().step()).isBefore(now));
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
    turns
        .keySet()
        .retainAll(lanes.keySet().stream().map(Turns.Host::of).collect(Collectors.toSet()));
  }

  /** How many hosts with a port are known; users may invent names of them. */
  synchronized int hosts() {
    return turns.size();
  }

  /** Interrupts the requests under way. */
  @Override
  public synchronized void close() {
    threads.shutdownNow();
    lanes.values().forEach(Lane::close);
  }
}
