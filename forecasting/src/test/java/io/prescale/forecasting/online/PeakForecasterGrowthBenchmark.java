package io.prescale.forecasting.online;

import com.sun.management.OperatingSystemMXBean;
import io.prescale.forecasting.SyntheticSeries;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * {@code ./mvnw -q -pl forecasting -am -Pbench test-compile -Dbench=PeakForecasterGrowthBenchmark}
 *
 * <p>From ten to ten thousand forecasters with fourteen days of minutes each, in a heap of 4 GiB:
 * memory, and CPU time of the whole process, collector and compiler included.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class PeakForecasterGrowthBenchmark {
  private static final int HISTORY = 14 * SyntheticSeries.DAY;
  private static final int SERIES = 20;
  private static final int STEPS = 100_000;
  private static final int REFITS = 10;

  @Param({"10", "100", "1000", "10000"})
  private int forecasters;

  private List<PeakForecaster> all = List.of();
  private double[] demand = new double[0];
  private long kibibytesEach;
  private int stepped;
  private int refitted;

  /** Each has its own history and models; to save hours, these are fitted to half a day. */
  @Setup
  public void learn() {
    demand = demand(HISTORY, SERIES);
    var saved = IntStream.range(0, SERIES).mapToObj(seed -> learned(HISTORY, seed).save()).toList();
    long before = usedHeap();
    all =
        IntStream.range(0, forecasters)
            .parallel()
            .mapToObj(i -> restored(saved.get(i % SERIES), i))
            .toList();
    kibibytesEach = (usedHeap() - before) / 1024 / forecasters;
  }

  private static PeakForecaster restored(byte[] saved, int seed) {
    if (PeakForecaster.restore(saved, settings())
        instanceof PeakForecaster.Restored.Ok(var forecaster)) {
      forecaster.adopt(learned(SyntheticSeries.DAY / 2, seed).refit().compute());
      return forecaster;
    }
    throw new IllegalStateException("what was saved cannot be restored");
  }

  private static PeakForecaster learned(int minutes, int seed) {
    var forecaster = new PeakForecaster(SyntheticSeries.START, settings());
    for (double value : demand(minutes, seed)) {
      forecaster.observe(value);
    }
    return forecaster;
  }

  private static double[] demand(int minutes, int seed) {
    return SyntheticSeries.minutes(minutes)
        .plus(100)
        .plus(SyntheticSeries.workday(150))
        .plus(SyntheticSeries.weekend(40))
        .noise(8, 0.7, seed)
        .build()
        .toArray();
  }

  private static PeakSettings settings() {
    return TestingSettings.remembering(
        Duration.ofDays(14), PeakSettings.forLead(Duration.ofMinutes(5)));
  }

  /** Many minutes of some, or one of all, each with a forecast; then some refits. */
  @Benchmark
  public void stepAndRefit(Blackhole forecasts) {
    long begun = cpuNanos();
    for (int i = 0; i < STEPS; i++) {
      forecasts.consume(step());
    }
    long stepsDone = cpuNanos();
    for (int i = 0; i < REFITS; i++) {
      var forecaster = all.get(refitted++ * 997 % forecasters);
      forecaster.adopt(forecaster.refit().compute());
    }
    System.out.printf(
        Locale.ROOT,
        "[%d forecasters: %d KiB each, %.1f us a step, %.1f ms a refit] ",
        forecasters,
        kibibytesEach,
        (stepsDone - begun) / 1e3 / STEPS,
        (cpuNanos() - stepsDone) / 1e6 / REFITS);
  }

  private Optional<QuantileForecast> step() {
    var forecaster = all.get(stepped % forecasters);
    forecaster.observe(demand[stepped++ / forecasters % HISTORY]);
    return forecaster.forecast();
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
