package io.prescale.controller.autoscaling;

import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Measures what targets of one metric cost: memory, a tick of all, a warm start; 200 of them, or as
 * many as the argument says. After {@code ./mvnw -q -DskipTests package}:
 *
 * <pre>
 * java -cp "controller/target/test-classes:controller/target/classes:controller/target/lib/*" \
 *   io.prescale.controller.autoscaling.ScalingCycleCost</pre>
 */
final class ScalingCycleCost {
  private static final int DAYS = 14;
  private static final int TICKS = 120;
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final LeadTime LEAD = LeadTime.declared(Duration.ofMinutes(5));

  private ScalingCycleCost() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) {
    int targets = arguments.length == 0 ? 200 : Integer.parseInt(arguments[0]);
    learned(targets); // loads what all of them share
    long before = usedHeap();
    var cycles = new ArrayList<ScalingCycle>();
    long[] starts = new long[targets];
    for (int i = 0; i < targets; i++) {
      long begun = cpuNanos();
      cycles.add(learned(i));
      starts[i] = cpuNanos() - begun;
    }
    long perTarget = (usedHeap() - before) / targets;
    System.out.printf(
        "%d targets, %d days of minutes: %d KiB each, warm start %.0f ms of CPU (median)%n",
        targets, DAYS, perTarget / 1024, median(starts) / 1e6);

    var random = new SplittableRandom(1);
    long[] ticks = new long[TICKS];
    for (int t = 0; t < TICKS; t++) {
      Instant now = START.plus(Duration.ofMinutes(t + 1));
      long begun = cpuNanos();
      for (var cycle : cycles) {
        Reading reading =
            new Reading.Observed(List.of(new Sample(now, 100 + 10 * random.nextDouble())));
        Ticks.tick(cycle, now, reading, new ReplicaState(12, 12, LEAD, Optional.empty()));
      }
      ticks[t] = cpuNanos() - begun;
    }
    System.out.printf(
        "a tick of all: %.1f ms of CPU (median of %d), %.1f ms at most%n",
        median(ticks) / 1e6, TICKS, Arrays.stream(ticks).max().orElseThrow() / 1e6);
  }

  private static ScalingCycle learned(int seed) {
    var random = new SplittableRandom(seed);
    double[] demand = new double[DAYS * 1440];
    for (int i = 0; i < demand.length; i++) {
      demand[i] = 100 + 50 * Math.sin(2 * Math.PI * i / 1440) + 5 * random.nextGaussian();
    }
    // Later fits are left out: they run on other threads.
    var fits = new ArrayList<Runnable>();
    var cycle = new ScalingCycle(settings(), LEAD, START, fits::add);
    Instant from = START.minus(Duration.ofMinutes(demand.length));
    cycle.learn("requests", TimeSeries.of(from, Duration.ofMinutes(1), demand));
    List.copyOf(fits).forEach(Runnable::run);
    Ticks.tick(
        cycle,
        START,
        new Reading.Observed(List.of()),
        new ReplicaState(12, 12, LEAD, Optional.empty()));
    return cycle;
  }

  private static TargetSettings settings() {
    return Remembering.history(
        Duration.ofDays(DAYS), TargetSettings.of(new MetricSettings("requests", 10)));
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
