package io.prescale.forecasting.online;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.SyntheticSeries;
import java.time.Duration;
import java.time.ZoneOffset;
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
 * {@code ./mvnw -q -pl forecasting -am -Pbench test-compile -Dbench=PathForecasterBenchmark}
 *
 * <p>Fourteen days of minutes (20,160 points); a day ahead in steps of five minutes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class PathForecasterBenchmark {
  private static final int DAYS = 14;

  private PathForecaster forecaster =
      new PathForecaster(
          SyntheticSeries.START,
          new PathSettings(
              Duration.ofMinutes(1),
              Duration.ofMinutes(5),
              Duration.ofDays(1),
              ZoneOffset.UTC,
              EventCalendar.empty(),
              Duration.ofDays(28),
              1));

  @Setup
  public void learnFourteenDays() {
    double[] values =
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
    forecaster.refit();
  }

  @Benchmark
  public PathForecaster refit() {
    forecaster.refit();
    return forecaster;
  }

  @Benchmark
  public Optional<PathForecast> forecast() {
    return forecaster.forecast();
  }
}
