package io.prescale.controller.simulation.report;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.ScalingDecision;
import io.prescale.controller.simulation.replay.CraneDsp;
import io.prescale.controller.simulation.replay.CraneEstimator;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Quantiles;
import io.prescale.controller.simulation.replay.Rationale;
import io.prescale.controller.simulation.replay.Reactive;
import io.prescale.controller.simulation.replay.Replay;
import io.prescale.controller.simulation.replay.ReplayPolicy;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.SeasonalNaiveWithLead;
import io.prescale.controller.simulation.replay.Served;
import io.prescale.controller.simulation.replay.Tick;
import io.prescale.controller.simulation.replay.TraceInfo;
import io.prescale.controller.simulation.replay.View;
import io.prescale.forecasting.HistoryLength;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.ForecastParts;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Replays of made-up demand, run through the real simulation. */
final class Results {

  static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  static final String FORECASTER = "Prescale";

  private static final int DAY = 24 * 60;
  private static final double CAPACITY = 40;

  private Results() {}

  static ReportSubject about(String policy) {
    return new ReportSubject(
        "checkout.csv",
        "traces/checkout.csv",
        policy,
        new Risk.ShortageCost(20),
        Optional.empty(),
        ZoneOffset.UTC,
        Instant.parse("2026-03-18T09:30:00Z"));
  }

  /** Sixteen days with a season, noise, a burst and a gap of 25 minutes; eight days are scored. */
  static ReplayResult sixteenDays() throws InterruptedException {
    return run(
        season(16 * DAY, 7),
        ReplaySettings.forCapacity(CAPACITY),
        new Yesterday(FORECASTER, 1),
        new Reactive(0.8),
        new Reactive(0.6),
        SeasonalNaiveWithLead.mimir(0.8),
        new SeasonalNaiveWithLead(0.8, Duration.ofMinutes(30), Duration.ofMinutes(1)),
        new CraneDsp(0.8, CraneEstimator.defaults(), CraneDsp.OtherPeriod.TAKEN_FOR_A_DAY));
  }

  /** The shortest that can be replayed: one hour. */
  static ReplayResult oneHour(ReplayPolicy... policies) throws InterruptedException {
    return run(
        season(60, 3), ReplaySettings.forCapacity(CAPACITY).withSkip(Duration.ZERO), policies);
  }

  static ReplayResult run(double[] demand, ReplaySettings settings, ReplayPolicy... policies)
      throws InterruptedException {
    var trace = TimeSeries.of(START, Duration.ofMinutes(1), demand);
    return ((Replay) Replay.of(trace, settings)).run(List.of(policies), (minutes, ofMinutes) -> {});
  }

  /** Figures alone, the last those of the clairvoyant, over an hour of constant demand. */
  static ReplayResult of(PolicyOutcome... outcomes) {
    return of(60, outcomes);
  }

  /** The same over three days, which allow a verdict. */
  static ReplayResult ofThreeDays(PolicyOutcome... outcomes) {
    return of(3 * DAY, outcomes);
  }

  private static ReplayResult of(int minutes, PolicyOutcome... outcomes) {
    var tick =
        new Tick(
            START,
            OptionalDouble.of(100),
            OptionalDouble.of(100),
            Optional.of(new Quantiles(100, 110, 115, 130)),
            3,
            3);
    List<Tick> ticks =
        IntStream.range(0, minutes)
            .mapToObj(i -> at(tick, START.plus(Duration.ofMinutes(i))))
            .toList();
    return new ReplayResult(
        ReplaySettings.forCapacity(CAPACITY).withSkip(Duration.ZERO),
        new TraceInfo(
            START, minutes, new HistoryLength(Duration.ofMinutes(minutes)), 0, 0, 0, 100, 100),
        Stream.of(outcomes)
            .map(
                outcome ->
                    new PolicyRun(outcome, ticks, Collections.nCopies(minutes, Optional.empty())))
            .toList());
  }

  private static Tick at(Tick tick, Instant time) {
    return new Tick(
        time,
        tick.observed(),
        tick.served(),
        tick.quantiles(),
        tick.desiredReplicas(),
        tick.readyReplicas());
  }

  /** A policy's figures, of which the cost is its replica-hours to a clairvoyant's 100. */
  static PolicyOutcome outcome(String policy, double overloadedShare, double replicaHours) {
    return new PolicyOutcome(
        policy,
        overloadedShare,
        0,
        overloadedShare / 10,
        replicaHours,
        replicaHours / 100,
        20,
        10,
        4,
        Optional.empty(),
        0,
        0,
        Optional.empty());
  }

  static double[] season(int minutes, long seed) {
    var random = new SplittableRandom(seed);
    double[] demand = new double[minutes];
    double drift = 0;
    for (int i = 0; i < minutes; i++) {
      drift = 0.98 * drift + 4 * random.nextGaussian();
      double day = Math.sin(2 * Math.PI * (i - 420) / DAY);
      double weekend = i / DAY % 7 >= 5 ? 0.6 : 1;
      demand[i] = Math.max(0, weekend * (420 + 300 * day + 60 * Math.sin(6 * Math.PI * i / DAY)));
      demand[i] = Math.max(0, demand[i] + drift + 8 * random.nextGaussian());
    }
    for (int i = 12 * DAY + 800; i < Math.min(minutes, 12 * DAY + 860); i++) {
      demand[i] *= 1.7;
    }
    for (int i = 10 * DAY + 300; i < Math.min(minutes, 10 * DAY + 325); i++) {
      demand[i] = Double.NaN;
    }
    return demand;
  }

  /** Forecasts that the change from now on is yesterday's, give or take. */
  record Yesterday(String name, double targetUtilization) implements ReplayPolicy {
    @Override
    public Served next(View view) {
      int from = view.minute() + 5 - DAY;
      if (from < 10 || view.newest().isEmpty()) {
        return Served.of(view.newest());
      }
      double before = highest(view, from - 10, from - 5);
      double ratio = highest(view, view.minute() - 5, view.minute()) / before;
      double middle = highest(view, from, from + 5) * Math.clamp(ratio, 0.5, 1.5);
      var quantiles = new Quantiles(middle, 1.15 * middle, 1.22 * middle, 1.4 * middle);
      return Served.of(Math.max(view.newest().getAsDouble(), quantiles.p95())).with(quantiles);
    }

    private static double highest(View view, int from, int to) {
      return view.highest(from, to).orElse(0);
    }
  }

  /** Forecasts only at the end, too late to be scored, and never serves anything. */
  record Speechless() implements ReplayPolicy {
    @Override
    public String name() {
      return "speechless";
    }

    @Override
    public Served next(View view) {
      var nothing = Served.of(OptionalDouble.empty());
      return view.minute() < 55 ? nothing : nothing.with(new Quantiles(1, 1, 1, 1));
    }
  }

  /** Serves 100 for 40 minutes and 180 from then on, and always explains the same. */
  record Explained() implements ReplayPolicy {
    private static final ForecastParts PARTS =
        new ForecastParts(
            60,
            40,
            -10,
            0,
            7,
            List.of(
                new ForecastParts.Weight("recent peak", 0.25),
                new ForecastParts.Weight("boosted", 0.75)));

    @Override
    public String name() {
      return "explained";
    }

    @Override
    public Served next(View view) {
      double value = view.minute() < 40 ? 100 : 180;
      var decision =
          new ScalingDecision(
              OptionalDouble.of(value),
              1,
              OptionalDouble.of(0.004),
              ScalingDecision.Reason.FORECAST);
      return Served.of(value)
          .with(new Quantiles(90, 95, 100, 120))
          .because(new Rationale(decision, true, Optional.of(PARTS)));
    }
  }
}
