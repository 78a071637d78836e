package io.prescale.forecasting.online;

import io.prescale.forecasting.SyntheticSeries;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code ./mvnw -q -pl forecasting -am -Pbench test-compile -Dbench=PeakForecasterBenchmark}
 *
 * <p>Fourteen days of minutes (20,160 points) with a daily and a weekly season and noise.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class PeakForecasterBenchmark {
  private static final int DAYS = 14;

  private PeakForecaster forecaster =
      new PeakForecaster(SyntheticSeries.START, PeakSettings.forLead(Duration.ofMinutes(5)));
  private double[] values = new double[0];
  private byte[] saved = {};
  private int next;

  @Setup
  public void learnFourteenDays() {
    values =
        SyntheticSeries.minutes(DAYS * SyntheticSeries.DAY)
            .plus(100)
            .plus(SyntheticSeries.workday(150))
            .plus(SyntheticSeries.weekend(40))
            .noise(8, 0.7, 1)
            .build()
            .toArray();
    for (double value : values) {
      forecaster.observe(value);
    }
    forecaster.adopt(forecaster.refit().compute());
    saved = forecaster.save();
  }

  /** One minute: settle, calibrate, forecast. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public Optional<QuantileForecast> tick() {
    forecaster.observe(values[next++ % values.length]);
    return forecaster.forecast();
  }

  /** Seasons, features and models of 20,160 points. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public PeakRefit.Fitted refit() {
    return forecaster.refit().compute();
  }

  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public byte[] save() {
    return forecaster.save();
  }

  /** What a new leader does with it. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public PeakForecaster.Restored restore() {
    return PeakForecaster.restore(saved, forecaster.settings());
  }
}
