package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.SyntheticSeries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PeakForecasterThreadsTest {
  private static final PeakSettings SETTINGS = PeakSettings.forLead(Duration.ofMinutes(5));

  @Test
  void aRefitInTheBackgroundIsTheRefitOfWhatWasKnownWhenItBegan() throws Exception {
    double[] values = series(DAY + 60);
    var inline = new PeakForecaster(START, SETTINGS);
    var background = new PeakForecaster(START, SETTINGS);
    for (int i = 0; i < DAY; i++) {
      inline.observe(values[i]);
      background.observe(values[i]);
    }
    var fittedInline = inline.refit().compute();
    try (var executor = Executors.newSingleThreadExecutor()) {
      var refit = background.refit();
      var fitted = executor.submit(refit::compute);
      for (int i = DAY; i < DAY + 60; i++) {
        inline.observe(values[i]);
        background.observe(values[i]);
      }
      inline.adopt(fittedInline);
      background.adopt(fitted.get());
    }
    assertThat(background.forecast().orElseThrow().toString())
        .isEqualTo(inline.forecast().orElseThrow().toString());
  }

  @Test
  void everyMethodMayBeCalledConcurrently() throws Exception {
    double[] values = series(1500);
    var forecaster = new PeakForecaster(START, SETTINGS);
    var alone = new PeakForecaster(START, SETTINGS);
    Arrays.stream(values).forEach(alone::observe);
    var done = new AtomicBoolean();
    try (var executor = Executors.newFixedThreadPool(4)) {
      var readers = new ArrayList<Future<Integer>>();
      for (int thread = 0; thread < 2; thread++) {
        readers.add(executor.submit(() -> readUntil(done, forecaster)));
      }
      Callable<Integer> refitting = () -> refitUntil(done, forecaster);
      readers.add(executor.submit(refitting));
      for (double value : values) {
        forecaster.observe(value);
      }
      while (!readers.get(2).isDone() && forecaster.refitDue()) {
        Thread.onSpinWait();
      }
      done.set(true);
      for (var reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    }
    assertThat(forecaster.next()).isEqualTo(alone.next());
    assertThat(forecaster.forecast()).isPresent();
  }

  /** The number of forecasts read; each must be consistent. */
  private static int readUntil(AtomicBoolean done, PeakForecaster forecaster) {
    int read = 0;
    while (!done.get() || read == 0) {
      var before = forecaster.next();
      var forecast = forecaster.forecast();
      var after = forecaster.next();
      if (forecast.isPresent()) {
        var now = forecast.get();
        assertThat(Arrays.stream(PeakForecaster.LEVELS).map(now::quantile).toArray()).isSorted();
        assertThat(now.origin()).isBetween(before, after);
        read++;
      }
      forecaster.save();
    }
    return read;
  }

  private static int refitUntil(AtomicBoolean done, PeakForecaster forecaster) {
    int refits = 0;
    while (!done.get() || refits == 0) {
      if (forecaster.refitDue() || refits == 0) {
        forecaster.adopt(forecaster.refit().compute());
        refits++;
      }
    }
    return refits;
  }

  private static double[] series(int minutes) {
    return SyntheticSeries.minutes(minutes)
        .plus(100)
        .plus(SyntheticSeries.workday(150))
        .noise(8, 0.7, 1)
        .build()
        .toArray();
  }
}
