package io.prescale.controller.demand.source;

import io.prescale.controller.demand.prometheus.RangeQuery;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.util.Arrays;

/**
 * The steps of a history, filled in as its parts arrive. A sample belongs to the step that ends at
 * its time. Not thread-safe.
 */
final class HistoryGrid {
  private final RangeQuery range;
  private final long fromMillis;
  private final long stepMillis;
  private final double[] demand;
  private int first;
  private int end;

  /** A grid of one step for each point of the range. */
  HistoryGrid(RangeQuery range) {
    this.range = range;
    this.fromMillis = range.from().toEpochMilli();
    this.stepMillis = range.step().toMillis();
    this.demand = new double[Math.toIntExact(range.points())];
    this.first = demand.length;
    Arrays.fill(demand, Double.NaN);
  }

  /** A value that is no demand leaves its step without one. */
  void add(Sample sample) {
    long step = Math.floorDiv(sample.time().toEpochMilli() - fromMillis, stepMillis);
    if (step < 0 || step >= demand.length) {
      return;
    }
    first = Math.min(first, (int) step);
    end = Math.max(end, (int) step + 1);
    double value = sample.value();
    demand[(int) step] = Double.isFinite(value) && value >= 0 ? value : Double.NaN;
  }

  boolean isEmpty() {
    return end == 0;
  }

  /** From the first step with a sample to the last, indexed by their beginnings. */
  TimeSeries series() {
    var start = range.from().plus(range.step().multipliedBy(first - 1L));
    return TimeSeries.of(start, range.step(), Arrays.copyOfRange(demand, first, end));
  }
}
