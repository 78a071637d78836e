package io.prescale.controller.autoscaling;

import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.LeadingSeries;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures what targets cost: memory, a tick of all, a warm start. The arguments are how many there
 * are, their metrics, and the leading series of each metric; otherwise 200 of one metric, without.
 * After {@code ./mvnw -q -DskipTests package}:
 *
 * <pre>
 * java -cp "controller/target/test-classes:controller/target/classes:controller/target/lib/*" \
 *   io.prescale.controller.autoscaling.ScalingCycleCost 20 8 4</pre>
 */
final class ScalingCycleCost {
  private static final int DAYS = 14;
  private static final int TICKS = 120;
  private static final Duration STEP = Duration.ofMinutes(1);
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final Instant FROM = START.minus(Duration.ofDays(DAYS));

  /** How much earlier a leading series shows the same demand, in steps. */
  private static final int AHEAD = 10;

  private static final LeadTime LEAD = LeadTime.declared(Duration.ofMinutes(5));
  private static final ReplicaState STATE = new ReplicaState(12, 12, LEAD, Optional.empty());

  private final ScalingCycle cycle;
  private final List<String> metrics;
  private final List<LeadingIntake> leading = new ArrayList<>();

  /** A target that has learned its histories. */
  private ScalingCycleCost(int seed, int metrics, int leadingOfEach) {
    this.metrics = IntStream.range(0, metrics).mapToObj(i -> "metric-" + i).toList();
    var settings = settings(this.metrics);
    var series = new HashMap<String, List<LeadingSeries>>();
    for (var metric : this.metrics) {
      var ofIt =
          IntStream.range(0, leadingOfEach)
              .mapToObj(i -> new LeadingIntake("leading-" + i, settings.forecast(), FROM))
              .toList();
      ofIt.forEach(it -> it.learn(history(seed, AHEAD)));
      leading.addAll(ofIt);
      series.put(metric, ofIt.stream().map(LeadingIntake::series).toList());
    }
    // Later fits are left out: they run on other threads.
    var fits = new ArrayList<Runnable>();
    cycle = new ScalingCycle(settings, LEAD, START, Learning.alone(fits::add).following(series));
    this.metrics.forEach(it -> cycle.learn(it, history(seed, 0)));
    List.copyOf(fits).forEach(Runnable::run);
    tick(START, new Reading.Observed(List.of()));
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) {
    int targets = argument(arguments, 0, 200);
    int metrics = argument(arguments, 1, 1);
    int leading = argument(arguments, 2, 0);
    var _ = new ScalingCycleCost(targets, metrics, leading); // loads what all of them share
    long before = usedHeap();
    var all = new ArrayList<ScalingCycleCost>();
    long[] starts = new long[targets];
    for (int i = 0; i < targets; i++) {
      long begun = cpuNanos();
      all.add(new ScalingCycleCost(i, metrics, leading));
      starts[i] = cpuNanos() - begun;
    }
    long perTarget = (usedHeap() - before) / targets;
    System.out.printf(
        "%d targets of %d metrics with %d leading series, %d days of minutes: %d KiB each, warm"
            + " start %.0f ms of CPU (median)%n",
        targets, metrics, leading, DAYS, perTarget / 1024, median(starts) / 1e6);
    measureTicks(all);
  }

  private static int argument(String[] arguments, int position, int usual) {
    return arguments.length > position ? Integer.parseInt(arguments[position]) : usual;
  }

  @SuppressWarnings("SystemOut")
  private static void measureTicks(List<ScalingCycleCost> all) {
    var random = new SplittableRandom(1);
    long[] ticks = new long[TICKS];
    for (int t = 0; t < TICKS; t++) {
      Instant now = START.plus(STEP.multipliedBy(t + 1L));
      long begun = cpuNanos();
      for (var target : all) {
        var sample = new Sample(now, 100 + 10 * random.nextDouble());
        target.tick(now, new Reading.Observed(List.of(sample)));
      }
      ticks[t] = cpuNanos() - begun;
    }
    System.out.printf(
        "a tick of all: %.1f ms of CPU (median of %d), %.1f ms at most; of one %.3f ms%n",
        median(ticks) / 1e6,
        TICKS,
        Arrays.stream(ticks).max().orElseThrow() / 1e6,
        median(ticks) / 1e6 / all.size());
  }

  private void tick(Instant now, Reading each) {
    leading.forEach(it -> it.observe(each, now));
    var readings = metrics.stream().collect(Collectors.toMap(it -> it, _ -> each));
    Ticks.tick(cycle, now, readings, STATE);
  }

  /** Demand of a day's rhythm, as it is so many steps later. */
  private static TimeSeries history(int seed, int ahead) {
    var random = new SplittableRandom(seed);
    double[] demand = new double[DAYS * 1440];
    for (int i = 0; i < demand.length; i++) {
      double time = 2 * Math.PI * (i + ahead) / 1440;
      demand[i] = 100 + 50 * Math.sin(time) + 5 * random.nextGaussian();
    }
    return TimeSeries.of(FROM, STEP, demand);
  }

  private static TargetSettings settings(List<String> metrics) {
    var like = TargetSettings.of(new MetricSettings(metrics.getFirst(), 10));
    var of =
        new TargetSettings(
            metrics.stream().map(it -> new MetricSettings(it, 10)).toList(),
            like.hpa(),
            like.risk(),
            like.forecast(),
            like.timeToLive(),
            like.utilization(),
            like.riskAtZero(),
            like.schedules());
    return Remembering.history(Duration.ofDays(DAYS), of);
  }

  private static double median(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Of this thread, so that other load on the machine does not count. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
