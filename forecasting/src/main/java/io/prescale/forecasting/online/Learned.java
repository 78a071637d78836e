package io.prescale.forecasting.online;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/** A statistic of past errors that can be saved as numbers and restored. */
interface Learned {
  /** The state for {@link #restore}, always of the same length. */
  double[] state();

  /** Continues from a saved state; throws {@link IllegalArgumentException} if it is not valid. */
  void restore(double[] state);

  /** The states of all, concatenated, in single precision. */
  static float[] states(List<? extends Learned> all) {
    double[] numbers = all.stream().map(Learned::state).flatMapToDouble(Arrays::stream).toArray();
    var states = new float[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      states[i] = (float) numbers[i];
    }
    return states;
  }

  /** Restores all from {@link #states}. */
  static void restore(List<? extends Learned> all, float[] states) {
    var rest = FloatBuffer.wrap(states);
    for (var each : all) {
      double[] numbers = new double[each.state().length];
      Arrays.setAll(numbers, i -> rest.get());
      each.restore(numbers);
    }
  }
}
