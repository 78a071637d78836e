package io.prescale.controller.simulation.replay;

import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Made-up demand, one value a minute. */
final class Demands {

  static final int DAY = 24 * 60;
  static final int WEEK = 7 * DAY;

  private Demands() {}

  static double[] of(int minutes, IntToDoubleFunction demand) {
    return IntStream.range(0, minutes).mapToDouble(demand).toArray();
  }

  /** Between 50 and 150, highest at a quarter of the period, with noise of about 3. */
  static double[] wave(int minutes, int period, long seed) {
    var random = new SplittableRandom(seed);
    return of(
        minutes, i -> 100 + 50 * Math.sin(2 * Math.PI * i / period) + 3 * random.nextGaussian());
  }

  static double[] noise(int minutes, long seed) {
    var random = new SplittableRandom(seed);
    return of(minutes, i -> 100 + 10 * random.nextGaussian());
  }
}
