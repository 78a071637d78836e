package io.prescale.controller.simulation.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.stream.DoubleStream;

/** Maps values to positions between the ends of an axis. */
sealed interface Axis {

  /** The position, from 0 to 1. */
  double at(double value);

  /** The values to mark with ticks. */
  List<Double> ticks();

  /** A linear axis between two round numbers. */
  record Linear(double from, double to, double step) implements Axis {

    /**
     * Creates an axis that covers all values.
     *
     * @param steps the approximate number of steps
     */
    static Linear covering(double lowest, double highest, int steps) {
      double span = Math.max(highest - lowest, Math.max(Math.abs(highest) * 1e-6, 1e-12));
      double step = round(span / steps);
      double from = Math.floor(lowest / step + 1e-9) * step;
      double to = Math.ceil(highest / step - 1e-9) * step;
      return new Linear(from, Math.max(to, from + step), step);
    }

    /** Rounds up to 1, 2, 2.5, 5 or 10 times a power of ten. */
    private static double round(double rough) {
      double power = Math.pow(10, Math.floor(Math.log10(rough)));
      return DoubleStream.of(1, 2, 2.5, 5, 10)
          .map(digit -> digit * power)
          .filter(step -> step >= rough * (1 - 1e-9))
          .findFirst()
          .orElseThrow();
    }

    @Override
    public double at(double value) {
      return (value - from) / (to - from);
    }

    @Override
    public List<Double> ticks() {
      long steps = Math.round((to - from) / step);
      var ticks = new ArrayList<Double>();
      for (long i = 0; i <= steps; i++) {
        ticks.add(i == steps ? to : from + i * step);
      }
      return ticks;
    }
  }

  /** A logarithmic axis above {@link #BREAK}; zero is at the bottom, below a break in the axis. */
  record Logarithmic(double from, double to) implements Axis {

    static final double BREAK = 0.12;

    static Logarithmic covering(double lowestAboveZero, double highest) {
      double from = largest(lowestAboveZero, tick -> tick <= lowestAboveZero * (1 + 1e-9));
      double to = smallest(highest, tick -> tick >= highest * (1 - 1e-9));
      return new Logarithmic(from, Math.max(to, from * 2));
    }

    @Override
    public double at(double value) {
      return value <= 0 ? 0 : BREAK + (1 - BREAK) * Math.log(value / from) / Math.log(to / from);
    }

    /** Zero and 1, 2 and 5 times the powers of ten, or the powers alone over a wide range. */
    @Override
    public List<Double> ticks() {
      boolean powersOnly = to / from > 1e3;
      var ticks = new ArrayList<Double>(List.of(0.0));
      for (int power = exponent(from); power <= exponent(to); power++) {
        for (int digit : powersOnly ? new int[] {1} : new int[] {1, 2, 5}) {
          double tick = digit * Math.pow(10, power);
          if (tick >= from * (1 - 1e-9) && tick <= to * (1 + 1e-9)) {
            ticks.add(tick);
          }
        }
      }
      return ticks;
    }

    private static double largest(double near, DoublePredicate accepted) {
      return candidates(near).filter(accepted).max().orElseThrow();
    }

    private static double smallest(double near, DoublePredicate accepted) {
      return candidates(near).filter(accepted).min().orElseThrow();
    }

    private static DoubleStream candidates(double near) {
      double power = Math.pow(10, exponent(near));
      return DoubleStream.of(0.5, 1, 2, 5, 10).map(digit -> digit * power);
    }

    private static int exponent(double value) {
      return (int) Math.floor(Math.log10(value * (1 + 1e-9)));
    }
  }

  /**
   * Creates a logarithmic axis if the positive values differ by more than a factor of ten,
   * otherwise a linear one from zero.
   */
  static Axis forShares(double[] shares) {
    double lowest = DoubleStream.of(shares).filter(s -> s > 0).min().orElse(0);
    double highest = DoubleStream.of(shares).max().orElse(0);
    return lowest > 0 && highest / lowest > 10
        ? Logarithmic.covering(lowest, highest)
        : Linear.covering(0, Math.max(highest, 0.001), 5);
  }
}
