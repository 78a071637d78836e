package io.prescale.forecasting.classic;

import io.prescale.forecasting.Season;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Collects the numbers of a state, which {@link StateReader} reads in the same order. */
final class StateWriter {
  private double[] numbers = new double[64];
  private int count;

  StateWriter put(double number) {
    if (count == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    numbers[count++] = number;
    return this;
  }

  StateWriter put(double[] values) {
    put(values.length);
    for (double value : values) {
      put(value);
    }
    return this;
  }

  StateWriter put(Instant time) {
    return put((double) time.toEpochMilli());
  }

  StateWriter put(Duration duration) {
    return put((double) duration.toMillis());
  }

  StateWriter put(List<Season> seasons) {
    put(seasons.size());
    for (var season : seasons) {
      put(season.period()).put(season.strength());
    }
    return this;
  }

  double[] toArray() {
    return Arrays.copyOf(numbers, count);
  }
}
