package io.prescale.forecasting.classic;

import static io.prescale.forecasting.SyntheticSeries.WEEK;
import static io.prescale.forecasting.SyntheticSeries.minutes;
import static io.prescale.forecasting.SyntheticSeries.weekend;
import static io.prescale.forecasting.SyntheticSeries.workday;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

/**
 * The cost of the classic forecasters on two weeks of minutes with a day and a week. Run with
 * {@code ./mvnw -q -pl forecasting -am -Pbench test-compile -Dbench=ClassicForecasterBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ClassicForecasterBenchmark {
  private static final int DAY_OF_MINUTES = 1440;

  private final TimeSeries history =
      minutes(2 * WEEK).plus(20).plus(workday(10)).plus(weekend(5)).noise(1, 0.9, 1).build();
  private final List<Season> seasons =
      List.of(new Season(Season.WEEK, 0.8), new Season(Season.DAY, 0.9));

  @Param({"holt-winters", "theta", "harmonic-regression"})
  String name = "";

  private Forecaster forecaster = new HoltWinters(ZoneId.of("Europe/Berlin"));
  private FittedForecaster model = fit();

  @Setup
  public void choose() {
    var zone = ZoneId.of("Europe/Berlin");
    forecaster =
        switch (name) {
          case "holt-winters" -> new HoltWinters(zone);
          case "theta" -> new Theta(zone);
          case "harmonic-regression" -> new HarmonicRegression(zone);
          default -> throw new IllegalArgumentException(name);
        };
    model = fit();
  }

  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public final FittedForecaster fit() {
    return ((Fit.Fitted) forecaster.fit(history, seasons)).model();
  }

  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public void observe() {
    model.observe(25);
  }

  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public double[] pathOfADay() {
    return model.path(DAY_OF_MINUTES);
  }
}
