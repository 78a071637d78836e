package io.prescale.controller.operator;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A sum of ten series that rises from 4 to 12 each morning, with a small wave, until something
 * happens to it.
 */
final class MorningLoad {
  private static final int SERIES = 10;
  private static final long DAY = 86_400;

  private long lostFrom = Long.MAX_VALUE;
  private long lostUntil = Long.MAX_VALUE;
  private double left = 0.5;

  /** By the second from which on they hold. */
  private final ConcurrentNavigableMap<Long, Double> factors =
      new ConcurrentSkipListMap<>(Map.of(Long.MIN_VALUE, 1.0));

  /**
   * From now on series are gone, and with them their part of the sum.
   *
   * @param remaining the part that is left
   */
  void loseSeries(Instant now, double remaining) {
    left = remaining;
    lostFrom = now.getEpochSecond();
  }

  void findSeries(Instant now) {
    lostUntil = now.getEpochSecond();
  }

  void multiply(Instant now, double by) {
    factors.put(now.getEpochSecond() + 1, by);
  }

  double sum(long second) {
    double day = 2 * Math.PI * (second % DAY) / DAY;
    double base = 8 - 4 * Math.cos(day - Math.PI / 6) + 0.2 * Math.sin(second / 97.0);
    return base * factors.floorEntry(second).getValue() * series(second) / SERIES;
  }

  double series(long second) {
    return second > lostFrom && second <= lostUntil ? SERIES * left : SERIES;
  }
}
