package io.prescale.forecasting.classic;

import io.prescale.forecasting.RobustScale;
import java.util.Arrays;

/**
 * The state from which the recursion starts: the first cycles are decomposed into level and seasons
 * by medians, which resist outliers (after the classical decomposition, FPP3 §3.4 and §8.6).
 */
final class InitialState {
  /** Each season is estimated without the others; the second pass uses the first's estimates. */
  private static final int PASSES = 2;

  /** The initial level is the median of this part of the window. */
  private static final double START = 0.1;

  private final double[] values;
  private final double[][] phases;
  private final int window;
  private final PeriodicProfile[] profiles;

  /** Uses the first {@code window} values. */
  InitialState(double[] values, double[][] phases, int[] knots, int window) {
    this.values = values;
    this.phases = phases;
    this.window = window;
    this.profiles = new PeriodicProfile[knots.length];
    for (int s = 0; s < knots.length; s++) {
      profiles[s] = PeriodicProfile.flat(knots[s]);
    }
  }

  /** Estimates the state before the first value; O(window * log(window)). */
  SmoothedState estimate(double clip) {
    double level = RobustScale.median(values, 0, window);
    for (int pass = 0; pass < PASSES; pass++) {
      for (int s = 0; s < profiles.length; s++) {
        profiles[s] = PeriodicProfile.flat(profiles[s].size());
        profiles[s] = profileOf(without(level), phases[s], profiles[s].size());
        level += profiles[s].centre();
      }
    }
    var rest = without(0);
    double start = RobustScale.median(rest, 0, Math.max(1, (int) (START * window)));
    start = Double.isNaN(start) ? RobustScale.median(rest, 0, window) : start;
    return new SmoothedState(clip, Double.isNaN(start) ? 0 : start, 0, scale(rest), profiles);
  }

  private double[] without(double level) {
    var rest = new double[window];
    for (int i = 0; i < window; i++) {
      rest[i] = values[i] - level;
      for (int s = 0; s < profiles.length; s++) {
        rest[i] -= profiles[s].at(phases[s][i]);
      }
    }
    return rest;
  }

  private static PeriodicProfile profileOf(double[] rest, double[] phases, int knots) {
    var counts = new int[knots + 1];
    for (int i = 0; i < rest.length; i++) {
      counts[knot(phases[i], knots) + 1]++;
    }
    for (int k = 0; k < knots; k++) {
      counts[k + 1] += counts[k];
    }
    var ends = Arrays.copyOf(counts, knots);
    var grouped = new double[rest.length];
    for (int i = 0; i < rest.length; i++) {
      grouped[ends[knot(phases[i], knots)]++] = rest[i];
    }
    var medians = new double[knots];
    for (int k = 0; k < knots; k++) {
      medians[k] = RobustScale.median(grouped, counts[k], counts[k + 1]);
    }
    PeriodicProfile.bridgeUnknown(medians, 0);
    return new PeriodicProfile(medians);
  }

  private static int knot(double phase, int knots) {
    return (int) Math.round(phase * knots) % knots;
  }

  /** The scale of the errors, from one-step differences, in which the level cancels. */
  private static double scale(double[] rest) {
    var differences = new double[Math.max(0, rest.length - 1)];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = rest[i + 1] - rest[i];
    }
    return RobustScale.of(differences) / Math.sqrt(2);
  }
}
