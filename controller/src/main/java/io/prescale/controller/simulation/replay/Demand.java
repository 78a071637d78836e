package io.prescale.controller.simulation.replay;

import io.prescale.forecasting.HistoryLength;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.OptionalDouble;

/** The recorded demand: as observed, and as scored. */
final class Demand {

  private final Instant start;
  private final HistoryLength length;
  private final double[] observed;
  private final int scoredFrom;
  private final double[] scored;

  Demand(TimeSeries trace, int scoredFrom) {
    this.start = trace.start();
    this.length = HistoryLength.of(trace);
    this.observed = trace.toArray();
    this.scoredFrom = scoredFrom;
    this.scored = Gaps.bridged(Arrays.copyOfRange(observed, scoredFrom, observed.length));
  }

  Instant start() {
    return start;
  }

  Instant time(int minute) {
    return start.plus(Duration.ofMinutes(minute));
  }

  int minutes() {
    return observed.length;
  }

  int scoredFrom() {
    return scoredFrom;
  }

  /** One of the series of what was observed, in which NaN is a gap. */
  double observed(int minute) {
    return observed[minute];
  }

  /** What was observed in a minute, if anything was. */
  OptionalDouble known(int minute) {
    return View.highest(observed, minute, minute + 1);
  }

  /** From {@link #scoredFrom} on, with gaps bridged. The caller leaves it as it is. */
  double[] scored() {
    return scored;
  }

  /** The part before {@link #scoredFrom}, with gaps bridged; NaN when nothing was observed. */
  double[] skipped() {
    return Gaps.bridged(Arrays.copyOf(observed, scoredFrom));
  }

  /** The first minute with a demand below zero, or −1. */
  int firstNegative() {
    for (int i = 0; i < observed.length; i++) {
      if (observed[i] < 0) {
        return i;
      }
    }
    return -1;
  }

  TraceInfo info() {
    return new TraceInfo(
        start,
        observed.length,
        length,
        missing(0),
        scoredFrom,
        missing(scoredFrom),
        Arrays.stream(scored).average().orElseThrow(),
        Arrays.stream(scored).max().orElseThrow());
  }

  private int missing(int from) {
    return (int) Arrays.stream(observed, from, observed.length).filter(Double::isNaN).count();
  }
}
