package io.prescale.forecasting.online;

import io.prescale.forecasting.boosting.SmallCodes;

/**
 * A series rounded to what its own noise leaves of it: square roots in units of four fifths of
 * their mean step from one value to the next, so that rounding adds about 7 % to the noise's
 * variance, at low demand as at high. Zero stays zero, and a constant the same to seven digits.
 */
final class CoarseSeries {
  private static final double UNITS_OF_A_STEP = 1.25;

  /** Of the largest value: a load that is only on or off has steps, but no noise. */
  private static final double FEWEST_UNITS = 24;

  private static final double MOST_UNITS = 1 << 24;
  private static final int MISSING = 0;

  private final float unit;

  /** Square roots in units; empty where a value is missing. */
  private final float[] rounded;

  private CoarseSeries(float unit, float[] rounded) {
    this.unit = unit;
    this.rounded = rounded;
  }

  /** Rounds a series, NaN where missing. */
  static CoarseSeries of(float[] values) {
    var roots = new float[values.length];
    double largest = 0;
    double steps = 0;
    int pairs = 0;
    for (int i = 0; i < values.length; i++) {
      roots[i] = (float) SmallCodes.root(values[i]);
      largest = Math.max(largest, Float.isNaN(roots[i]) ? 0 : Math.abs(roots[i]));
      if (i > 0 && !Float.isNaN(roots[i] - roots[i - 1])) {
        steps += Math.abs(roots[i] - roots[i - 1]);
        pairs++;
      }
    }
    double finest = Math.max(largest / MOST_UNITS, Float.MIN_NORMAL);
    double noise = Math.min(steps / Math.max(1, pairs) / UNITS_OF_A_STEP, largest / FEWEST_UNITS);
    var unit = (float) Math.max(finest, noise);
    for (int i = 0; i < roots.length; i++) {
      roots[i] = (float) Math.rint(roots[i] / unit);
    }
    return new CoarseSeries(unit, roots);
  }

  /** How many numbers a series of so many values takes. */
  static int size(int values) {
    return 1 + values;
  }

  /** The unit's bits, then each value's difference from a fading mean of those before. */
  int[] toNumbers() {
    int[] numbers = new int[size(rounded.length)];
    numbers[0] = Float.floatToIntBits(unit);
    int expected = 0;
    for (int i = 0; i < rounded.length; i++) {
      if (Float.isNaN(rounded[i])) {
        numbers[1 + i] = MISSING;
      } else {
        int difference = (int) rounded[i] - expected;
        expected += difference >> 1;
        numbers[1 + i] = 1 + SmallCodes.zigzag(difference);
      }
    }
    return numbers;
  }

  /**
   * The series of {@link #toNumbers}.
   *
   * @throws IllegalArgumentException if there is none of these numbers
   */
  static CoarseSeries ofNumbers(int[] numbers) {
    float unit = Float.intBitsToFloat(numbers[0]);
    if (!(unit > 0 && Float.isFinite(unit))) {
      throw new IllegalArgumentException("has observations in units of " + unit);
    }
    var rounded = new float[numbers.length - 1];
    int expected = 0;
    for (int i = 0; i < rounded.length; i++) {
      if (numbers[1 + i] == MISSING) {
        rounded[i] = Float.NaN;
      } else {
        int difference = SmallCodes.ofZigzag(numbers[1 + i] - 1);
        rounded[i] = expected + difference;
        expected += difference >> 1;
      }
    }
    return new CoarseSeries(unit, rounded);
  }

  /** The rounded values, NaN where missing. */
  float[] toArray() {
    var values = new float[rounded.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) SmallCodes.ofRoot((double) rounded[i] * unit);
    }
    return values;
  }
}
