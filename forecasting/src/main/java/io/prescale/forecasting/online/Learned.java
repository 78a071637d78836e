package io.prescale.forecasting.online;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/** What was learned from errors and outlives the process, as numbers. */
interface Learned {
  /** Always as many numbers, to be given to {@link #restore}. */
  double[] state();

  /** Goes on from a state; an illegal one is an {@link IllegalArgumentException}. */
  void restore(double[] state);

  /** The states of all, one after another, in single precision. */
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
