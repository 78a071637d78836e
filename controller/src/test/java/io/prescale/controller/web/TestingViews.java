package io.prescale.controller.web;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Knows one workload and notes what it is asked for. */
final class TestingViews implements WorkloadsView, GpusView, ReplaysView, ActionsView {
  static final int UNREACHABLE = 999;
  GpusView.Query asked = new GpusView.Query(GpusView.Show.ALL, 0, 1);
  String performed = "";

  @Override
  public List<WorkloadSummary> workloads() {
    return List.of();
  }

  @Override
  public Optional<WorkloadSeries> series(String workload, Optional<String> metric, Duration last) {
    return workload.equals("known") && !metric.equals(Optional.of("other"))
        ? Optional.of(
            new WorkloadSeries(
                workload,
                metric.orElse("requests"),
                Instant.EPOCH,
                60,
                300,
                OptionalDouble.of(1),
                List.of(0L),
                List.of(OptionalDouble.empty()),
                List.of(OptionalDouble.of(1.23456789)),
                List.of(OptionalDouble.of((double) last.toMinutes())),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of()))
        : Optional.empty();
  }

  @Override
  public Optional<Why> why(String workload, Instant at) {
    return Optional.empty();
  }

  @Override
  public GpuPage gpus(Query query) throws IOException {
    asked = query;
    if (query.offset() == UNREACHABLE) {
      throw new IOException("The extender does not answer.");
    }
    return new GpuPage(
        new GpuPage.Totals(0, 0, 0, 0, 0, 0, 0, 0),
        0,
        query.offset(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        GpuPage.Course.NONE);
  }

  @Override
  public Started start(String workload) {
    return new Started.Refused("one at a time");
  }

  @Override
  public Optional<Job> newest(String workload) {
    return Optional.empty();
  }

  @Override
  public Savings savings() {
    return Savings.none();
  }

  @Override
  public Optional<String> report(String workload) {
    return workload.equals("known") ? Optional.of("<p>report") : Optional.empty();
  }

  @Override
  public List<Action> actions() {
    return List.of();
  }

  @Override
  public List<Event> events() {
    return List.of();
  }

  @Override
  public Outcome perform(String action, String workload) {
    performed = action + " " + workload;
    return new Outcome.Done("done");
  }
}
