package io.prescale.forecasting.classic;

import java.time.Duration;
import java.util.Arrays;

/**
 * A function of the phase of a season: linear between equally spaced knots, wrapping around from
 * the last to the first. Mutable.
 *
 * <p>With as many knots as steps in the period, these are the textbook's seasonal indices. A period
 * of more steps than {@link #MOST_KNOTS}, such as the 1440 minutes of a day, has fewer knots than
 * steps, each learning from several steps per period.
 */
final class PeriodicProfile {
  /** A day of minutes has knots 5 minutes apart, and a week 30 minutes. */
  private static final int MOST_KNOTS = 336;

  private final double[] knots;

  PeriodicProfile(double[] knots) {
    this.knots = knots;
  }

  static PeriodicProfile flat(int knots) {
    return new PeriodicProfile(new double[knots]);
  }

  /** The number of knots for a season of this period on a grid with this step. */
  static int knotsFor(Duration period, Duration step) {
    double steps = (double) period.toMillis() / step.toMillis();
    double stepsPerKnot = Math.ceil(steps / MOST_KNOTS);
    return (int) Math.max(1, Math.round(steps / stepsPerKnot));
  }

  /**
   * Replaces NaN knots by straight lines between the known ones, wrapping around the end.
   *
   * @param flat the value of every knot if none is known
   */
  static void bridgeUnknown(double[] knots, double flat) {
    int size = knots.length;
    int first = 0;
    while (first < size && Double.isNaN(knots[first])) {
      first++;
    }
    if (first == size) {
      Arrays.fill(knots, flat);
      return;
    }
    int before = first;
    for (int k = first + 1; k <= first + size; k++) {
      double known = knots[k % size];
      if (!Double.isNaN(known)) {
        double slope = (known - knots[before % size]) / (k - before);
        for (int gap = before + 1; gap < k; gap++) {
          knots[gap % size] = knots[before % size] + slope * (gap - before);
        }
        before = k;
      }
    }
  }

  /** The value at a phase from 0 to 1, exclusive. */
  double at(double phase) {
    double position = phase * knots.length;
    int knot = (int) position;
    double weight = position - knot;
    int next = knot + 1 == knots.length ? 0 : knot + 1;
    return knots[knot] + weight * (knots[next] - knots[knot]);
  }

  /** Adds {@code amount} to the knots around a phase, in proportion to their proximity. */
  void adjust(double phase, double amount) {
    double position = phase * knots.length;
    int knot = (int) position;
    double weight = position - knot;
    knots[knot] += (1 - weight) * amount;
    knots[knot + 1 == knots.length ? 0 : knot + 1] += weight * amount;
  }

  int size() {
    return knots.length;
  }

  PeriodicProfile copy() {
    return new PeriodicProfile(knots.clone());
  }

  /** Shifts the profile so that its mean is 0; returns the mean that it had. */
  double centre() {
    double mean = Arrays.stream(knots).average().orElse(0);
    for (int k = 0; k < knots.length; k++) {
      knots[k] -= mean;
    }
    return mean;
  }
}
