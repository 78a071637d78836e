package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.ForecastSummary;
import io.prescale.controller.autoscaling.MetricResult;
import io.prescale.controller.autoscaling.Trust;
import io.prescale.controller.web.Mark;
import io.prescale.controller.web.MinuteTable;
import io.prescale.controller.web.MinuteTable.Column;
import io.prescale.controller.web.ServedNow;
import io.prescale.controller.web.WorkloadSeries;
import io.prescale.controller.web.WorkloadSummary;
import io.prescale.controller.web.WorkloadSummary.Scores;
import io.prescale.controller.web.WorkloadSummary.State;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** What the page shows of a workload, from what the simulation and its autoscaler know. */
final class DemoWorkloads {
  private static final double MINUTES_AN_HOUR = 60;

  private DemoWorkloads() {}

  static WorkloadSummary summary(
      SimulatedService service,
      SimulatedCluster cluster,
      Instant now,
      ServedNow served,
      Optional<CycleResult> newest) {
    var workload = service.workload();
    var metric = newest.map(result -> result.metrics().getFirst());
    var minute = service.newest();
    return new WorkloadSummary(
        workload.name(),
        true,
        Optional.empty(),
        workload.metric(),
        List.of(workload.metric()),
        Map.of(workload.metric(), "requests"),
        OptionalDouble.of(workload.capacityPerReplica()),
        minute.observed(),
        served,
        OptionalInt.of(service.hpa().replicas()),
        OptionalInt.of(cluster.ready(workload, now)),
        cluster.unplaced(workload),
        newest
            .map(it -> OptionalLong.of(it.lead().total().toSeconds()))
            .orElse(OptionalLong.empty()),
        metric.map(DemoWorkloads::state).orElse(State.LEARNING),
        metric.map(DemoWorkloads::note).orElse("The history is being read."),
        metric.map(DemoWorkloads::scores).orElse(Scores.NONE),
        Workload.BUDGET,
        compared(service).findFirst().map(Minute::time),
        service.shortage().total().toSeconds(),
        hours(service, Minute::wanted),
        new WorkloadSummary.Reactive(
            minute.reactiveWanted(),
            minute.reactiveReady(),
            service.reactiveShortage().total().toSeconds(),
            hours(service, Minute::reactiveWanted)));
  }

  /** Replica-hours of the last day. */
  private static double hours(SimulatedService service, ToIntFunction<Minute> replicas) {
    return compared(service).mapToInt(replicas).sum() / MINUTES_AN_HOUR;
  }

  /** What was before the beginning has no replicas to compare. */
  private static Stream<Minute> compared(SimulatedService service) {
    return service.minutes().stream().filter(it -> it.wanted() > 0);
  }

  private static State state(MetricResult metric) {
    if (metric.missing().isPresent()) {
      return State.BLIND;
    }
    return switch (metric.trust().state()) {
      case LEARNING -> State.LEARNING;
      case CLOSED -> metric.served().isEmpty() ? State.LEARNING : State.TRUSTED;
      case OPEN -> State.DISTRUSTED;
    };
  }

  private static Scores scores(MetricResult metric) {
    var trust = metric.trust();
    return new Scores(trust.error(), trust.coverage90(), trust.coverage95());
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
      SimulatedService service, Duration last, Optional<CycleResult> newest, List<Mark> marks) {
    var all = service.minutes();
    var shown = all.subList((int) Math.max(0, all.size() - last.toMinutes()), all.size());
    var table = new MinuteTable(shown.getFirst().time());
    all.forEach(minute -> put(minute, table));
    var forecast = newest.flatMap(it -> it.metrics().getFirst().forecast());
    return table.series(
        service.workload().name(),
        service.workload().metric(),
        service.newest().time(),
        newest.map(it -> it.lead().total()).orElse(Duration.ZERO),
        forecast.map(ForecastSummary::window).orElse(Duration.ZERO),
        OptionalDouble.of(service.workload().capacityPerReplica()),
        marks);
  }

  private static void put(Minute minute, MinuteTable table) {
    var at = minute.time();
    minute.observed().ifPresent(it -> table.put(Column.DEMAND, at, it));
    minute.why().flatMap(Explanation::forecast).ifPresent(table::put);
    minute.served().ifPresent(it -> table.put(Column.SERVED, at, it));
    if (minute.wanted() > 0) { // in the history there were no replicas
      table.put(Column.WANTED, at, minute.wanted());
      table.put(Column.READY, at, minute.ready());
    }
    table.put(Column.REACTIVE_READY, at, minute.reactiveReady());
  }
}
