package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.ForecastSummary;
import io.prescale.controller.autoscaling.MetricResult;
import io.prescale.controller.autoscaling.Trust;
import io.prescale.controller.web.WorkloadSeries;
import io.prescale.controller.web.WorkloadSummary;
import io.prescale.controller.web.WorkloadSummary.State;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What the page shows of a workload, from what the simulation and its autoscaler know. */
final class DemoWorkloads {
  private DemoWorkloads() {}

  static WorkloadSummary summary(
      SimulatedService service,
      SimulatedCluster cluster,
      Instant now,
      Optional<CycleResult> newest) {
    var workload = service.workload();
    var metric = newest.map(result -> result.metrics().getFirst());
    var minute = service.newest();
    return new WorkloadSummary(
        workload.name(),
        Workload.NAMESPACE,
        workload.metric(),
        workload.capacityPerReplica(),
        service.demand(),
        metric.flatMap(MetricResult::served).map(it -> it.value()).orElse(Double.NaN),
        service.hpa().replicas(),
        cluster.ready(workload, now),
        cluster.unplaced(workload),
        newest.map(result -> result.lead().total()).orElse(Duration.ZERO).toSeconds(),
        metric.map(DemoWorkloads::state).orElse(State.LEARNING),
        metric.map(DemoWorkloads::note).orElse("The history is being read."),
        Workload.BUDGET,
        service.shortage().share(),
        service.replicaHours(),
        new WorkloadSummary.Reactive(
            minute.reactiveWanted(),
            minute.reactiveReady(),
            service.reactiveShortage().share(),
            service.reactiveReplicaHours()));
  }

  private static State state(MetricResult metric) {
    if (metric.missing().isPresent()) {
      return State.BLIND;
    }
    return switch (metric.trust().state()) {
      case LEARNING -> State.LEARNING;
      case CLOSED -> State.TRUSTED;
      case OPEN -> State.DISTRUSTED;
    };
  }

  private static String note(MetricResult metric) {
    Trust trust = metric.trust();
    return metric.missing().map(it -> it.message()).orElse(trust.message());
  }

  /** The minute that a time lies in. */
  static Optional<Minute> minute(SimulatedService service, Instant at) {
    Instant begin = at.truncatedTo(ChronoUnit.MINUTES);
    return service.minutes().stream().filter(it -> it.time().equals(begin)).findFirst();
  }

  /** The last minutes, with each forecast at the minute that it is about. */
  static WorkloadSeries series(
      SimulatedService service, Duration last, Optional<CycleResult> newest) {
    var all = service.minutes();
    var shown = all.subList((int) Math.max(0, all.size() - last.toMinutes()), all.size());
    long first = shown.getFirst().time().getEpochSecond();
    var columns = new Columns(first, shown.size());
    all.forEach(minute -> minute.why().flatMap(Explanation::forecast).ifPresent(columns::put));
    var forecast = newest.flatMap(it -> it.metrics().getFirst().forecast());
    int size = columns.size();
    return new WorkloadSeries(
        service.workload().name(),
        service.newest().time(),
        newest.map(it -> it.lead().total()).orElse(Duration.ZERO).toSeconds(),
        forecast.map(ForecastSummary::window).orElse(Duration.ZERO).toSeconds(),
        service.workload().capacityPerReplica(),
        columns.times(),
        column(shown, size, Minute::demand),
        columns.p50,
        columns.p90,
        columns.p95,
        column(shown, size, it -> it.why().map(Explanation::served).orElse(Double.NaN)),
        column(shown, size, it -> live(it, it.wanted())),
        column(shown, size, it -> live(it, it.ready())),
        column(shown, size, Minute::reactiveReady));
  }

  /** In the history there were no replicas. */
  private static double live(Minute minute, int replicas) {
    return minute.wanted() == 0 ? Double.NaN : replicas;
  }

  private static List<Double> column(List<Minute> shown, int size, ToDoubleFunction<Minute> value) {
    var column = new ArrayList<Double>(size);
    shown.forEach(minute -> column.add(value.applyAsDouble(minute)));
    while (column.size() < size) {
      column.add(Double.NaN);
    }
    return column;
  }

  /** Quantiles by the minute, as far as forecasts reach. */
  private static final class Columns {
    private final long first;
    private final List<Double> p50 = new ArrayList<>();
    private final List<Double> p90 = new ArrayList<>();
    private final List<Double> p95 = new ArrayList<>();

    Columns(long first, int size) {
      this.first = first;
      extend(size);
    }

    private void extend(int size) {
      while (p50.size() < size) {
        p50.add(Double.NaN);
        p90.add(Double.NaN);
        p95.add(Double.NaN);
      }
    }

    void put(ForecastSummary forecast) {
      long about = forecast.origin().plus(forecast.lead()).getEpochSecond();
      int index = (int) Math.floorDiv(about - first, 60L);
      if (index >= 0) {
        extend(index + 1);
        p50.set(index, forecast.p50());
        p90.set(index, forecast.p90());
        p95.set(index, forecast.p95());
      }
    }

    int size() {
      return p50.size();
    }

    List<Long> times() {
      var times = new ArrayList<Long>(size());
      for (int i = 0; i < size(); i++) {
        times.add(first + 60L * i);
      }
      return times;
    }
  }
}
