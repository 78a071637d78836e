package io.prescale.controller.operator;

import java.time.Instant;

/**
 * A sum of ten series that rises from 4 to 12 each morning, with a small wave, until something
 * happens to it.
 */
final class MorningLoad {
  private static final int SERIES = 10;
  private static final long DAY = 86_400;

  private long lostFrom = Long.MAX_VALUE;
  private long lostUntil = Long.MAX_VALUE;
  private long shiftedFrom = Long.MAX_VALUE;
  private double factor = 1;

  /** From now on half of the series are gone, and with them half of the sum. */
  void loseSeries(Instant now) {
    lostFrom = now.getEpochSecond();
  }

  void findSeries(Instant now) {
    lostUntil = now.getEpochSecond();
  }

  void multiply(Instant now, double by) {
    shiftedFrom = now.getEpochSecond();
    factor = by;
  }

  double sum(long second) {
    double day = 2 * Math.PI * (second % DAY) / DAY;
    double base = 8 - 4 * Math.cos(day - Math.PI / 6) + 0.2 * Math.sin(second / 97.0);
    return base * (second > shiftedFrom ? factor : 1) * series(second) / SERIES;
  }

  double series(long second) {
    return second > lostFrom && second <= lostUntil ? SERIES / 2.0 : SERIES;
  }
}
