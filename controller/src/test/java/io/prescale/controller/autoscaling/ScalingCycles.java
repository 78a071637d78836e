package io.prescale.controller.autoscaling;

import io.prescale.controller.schedules.Schedules;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/** Cycles of a target whose metric is named requests, and their ticks, for tests. */
final class ScalingCycles {
  static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  static final MetricSettings REQUESTS = new MetricSettings("requests", 10);
  static final Duration LEAD = Duration.ofMinutes(5);
  static final int DAY = 1440;

  private ScalingCycles() {}

  static ScalingCycle cycle(TargetSettings settings) {
    return cycle(settings, LEAD);
  }

  static ScalingCycle cycle(TargetSettings settings, Duration lead) {
    return new ScalingCycle(settings, LeadTime.declared(lead), START, Runnable::run);
  }

  static TargetSettings settings(Duration step) {
    var defaults = ForecastSettings.defaults();
    return settings(
        List.of(REQUESTS),
        new ForecastSettings(
            step,
            step.multipliedBy(5),
            shorter(defaults.remember(), step.multipliedBy(ForecastSettings.MOST_STEPS)),
            defaults.refitEvery(),
            defaults.zone(),
            defaults.calendar(),
            defaults.seed(),
            defaults.members()),
        Duration.ofHours(2));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  static TargetSettings settings(
      List<MetricSettings> metrics, ForecastSettings forecast, Duration timeToLive) {
    return new TargetSettings(
        metrics,
        HpaRules.defaults(),
        new Risk.Budget(0.005),
        forecast,
        timeToLive,
        1,
        OptionalDouble.empty(),
        Schedules.none());
  }

  static TargetSettings settings(Duration step, List<MetricSettings> metrics) {
    return settings(metrics, settings(step).forecast(), Duration.ofHours(2));
  }

  static TargetSettings settings(Duration step, Duration timeToLive) {
    return settings(List.of(REQUESTS), settings(step).forecast(), timeToLive);
  }

  static CycleResult tick(ScalingCycle cycle, int minute, double demand) {
    return Ticks.tick(cycle, at(minute), reading(at(minute), demand), state(10, LEAD));
  }

  static CycleResult tick(ScalingCycle cycle, int minute, Reading requests, Reading tokens) {
    var readings = Map.of("requests", requests, "tokens", tokens);
    return Ticks.tick(cycle, at(minute), readings, state(10, LEAD));
  }

  static Reading reading(Instant time, double value) {
    return new Reading.Observed(List.of(new Sample(time, value)));
  }

  static Reading none() {
    return new Reading.Observed(List.of());
  }

  /** With an HPA that has read the requests. */
  static ReplicaState scaled(int replicas, Duration lead) {
    var seen = List.of(new HpaState.SeenMetric("requests", 1));
    return new ReplicaState(
        replicas,
        replicas,
        LeadTime.declared(lead),
        Optional.of(new HpaState(replicas, replicas, seen, List.of())));
  }

  static ReplicaState state(int replicas, Duration lead) {
    return new ReplicaState(replicas, replicas, LeadTime.declared(lead), Optional.empty());
  }

  static TimeSeries series(Instant start, double[] values) {
    return TimeSeries.of(start, Duration.ofMinutes(1), values);
  }

  /** Around 100, lowest 50 and highest 150, rising at its ends, with noise of about 1. */
  static double[] wave(int steps, int period, long seed) {
    var random = new SplittableRandom(seed);
    double[] demand = new double[steps];
    for (int i = 0; i < steps; i++) {
      double phase = 2 * Math.PI * (i - steps) / period;
      demand[i] = 100 + 50 * Math.sin(phase) + random.nextGaussian();
    }
    return demand;
  }

  static Instant at(int minute) {
    return START.plus(Duration.ofMinutes(minute));
  }
}
