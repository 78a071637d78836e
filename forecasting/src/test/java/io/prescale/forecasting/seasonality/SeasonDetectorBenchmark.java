package io.prescale.forecasting.seasonality;

import static io.prescale.forecasting.SyntheticSeries.WEEK;
import static io.prescale.forecasting.SyntheticSeries.minutes;
import static io.prescale.forecasting.SyntheticSeries.sine;
import static io.prescale.forecasting.SyntheticSeries.weekend;
import static io.prescale.forecasting.SyntheticSeries.workday;

import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of finding seasons in two weeks of minutes. Run with {@code ./mvnw -q -pl forecasting
 * -am -Pbench test-compile -Dbench=SeasonDetectorBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class SeasonDetectorBenchmark {
  private final SeasonDetector detector = new SeasonDetector();
  private final TimeSeries noise = minutes(2 * WEEK).noise(1, 0.9, 1).build();
  private final TimeSeries threeSeasons =
      minutes(2 * WEEK)
          .plus(workday(10))
          .plus(weekend(5))
          .plus(sine(50, 2))
          .noise(1, 0.9, 1)
          .build();

  @Benchmark
  public List<Season> noSeason() {
    return detector.detect(noise);
  }

  @Benchmark
  public List<Season> threeSeasons() {
    return detector.detect(threeSeasons);
  }
}
