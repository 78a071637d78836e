package io.prescale.forecasting.classic;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.Season;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Reads what {@link StateWriter} wrote, and validates every number. */
final class StateReader {
  private static final double LATEST_MILLIS = 253_402_300_799_999.0; // end of the year 9999
  private static final long LONGEST_STEP_MILLIS = 86_400_000;
  private static final long LONGEST_PERIOD_MILLIS = 400 * LONGEST_STEP_MILLIS;

  private final double[] numbers;
  private int at;

  private StateReader(double[] numbers) {
    this.numbers = numbers;
  }

  /**
   * The model that {@code reading} restores from the numbers, refused if they are not a valid
   * state.
   */
  static Fit restore(double[] numbers, Function<StateReader, FittedForecaster> reading) {
    var reader = new StateReader(numbers);
    try {
      var model = reading.apply(reader);
      reader.refuseUnless(reader.at == numbers.length, "has numbers left over");
      return new Fit.Fitted(model);
    } catch (UnreadableStateException e) {
      return new Fit.Refused("the saved state " + e.getMessage());
    }
  }

  double finite() {
    refuseUnless(at < numbers.length, "ends early");
    double number = numbers[at++];
    refuseUnless(Double.isFinite(number), "has a number that is not finite");
    return number;
  }

  double between(double low, double high) {
    double number = finite();
    refuseUnless(number >= low && number <= high, "has a number out of range");
    return number;
  }

  int count(int most) {
    double number = between(0, most);
    refuseUnless(number == Math.rint(number), "has a count that is not a whole number");
    return (int) number;
  }

  Instant time() {
    return Instant.ofEpochMilli((long) between(-LATEST_MILLIS, LATEST_MILLIS));
  }

  Duration step() {
    return Duration.ofMillis((long) between(1, LONGEST_STEP_MILLIS));
  }

  List<Season> seasons(int most) {
    var seasons = new ArrayList<Season>();
    for (int left = count(most); left > 0; left--) {
      var period = Duration.ofMillis((long) between(1, LONGEST_PERIOD_MILLIS));
      seasons.add(new Season(period, between(0, 1)));
    }
    return seasons;
  }

  double[] values(int most) {
    var values = valuesOrMissing(most);
    for (double value : values) {
      refuseUnless(!Double.isNaN(value), "has a number that is not finite");
    }
    return values;
  }

  double[] valuesOrMissing(int most) {
    int count = count(most);
    refuseUnless(count <= numbers.length - at, "ends early");
    var values = Arrays.copyOfRange(numbers, at, at + count);
    for (double value : values) {
      refuseUnless(!Double.isInfinite(value), "has a number that is not finite");
    }
    at += count;
    return values;
  }

  void refuseUnless(boolean holds, String why) {
    if (!holds) {
      throw new UnreadableStateException(why);
    }
  }

  private static final class UnreadableStateException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    UnreadableStateException(String message) {
      super(message);
    }
  }
}
