package io.prescale.forecasting;

/**
 * Assigns samples to the steps of an epoch-aligned grid.
 *
 * <p>With about one sample a step, a little jitter around the edge of a step would put two samples
 * into one step and none into the next. So when the samples keep a phase within the step, bins are
 * centred on that phase; otherwise a sample belongs to the step that contains it.
 */
final class StepBins {
  /** Mean resultant length (Fisher 1993, §2.3) from which samples count as keeping a phase. */
  private static final double KEEPS_PHASE = 0.5;

  private final long step;
  private final long shift;

  /** times: milliseconds; O(n). */
  StepBins(long[] times, long step) {
    this.step = step;
    double cosines = 0;
    double sines = 0;
    for (long time : times) {
      double angle = 2 * Math.PI * Math.floorMod(time, step) / step;
      cosines += Math.cos(angle);
      sines += Math.sin(angle);
    }
    boolean keepsPhase = Math.hypot(cosines, sines) >= KEEPS_PHASE * times.length;
    double phase = Math.atan2(sines, cosines) / (2 * Math.PI);
    // Rounding to thousandths keeps a phase of zero at exactly zero; floor then maps it to [0, 1).
    double settled = Math.round(phase * 1000) / 1000.0;
    long typical = Math.round((settled - Math.floor(settled)) * step);
    this.shift = keepsPhase ? typical - step / 2 : 0;
  }

  long of(long time) {
    return Math.floorDiv(time - shift, step);
  }
}
