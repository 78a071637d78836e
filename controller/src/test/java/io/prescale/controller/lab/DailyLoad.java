package io.prescale.controller.lab;

import java.time.Duration;
import java.time.Instant;

/**
 * Demand on a service that people use by day, compressed: a morning that comes fast, a midday dip,
 * a higher afternoon, an evening that goes slowly. No two days are alike: each has a level of its
 * own, a burst that nobody could foresee, and noise.
 *
 * <p>A pure function of time, so that a history written in advance, what an exporter shows, and the
 * truth that a run is scored by agree. Values hold for one step of {@link #STEP} each.
 *
 * @param seed of levels, bursts and noise
 * @param dawn when a day begins; others begin whole days before and after
 * @param day length of a day
 * @param peak demand of an ordinary afternoon
 */
record DailyLoad(long seed, Instant dawn, Duration day, double peak) implements Load {
  /** How long a value holds; steps begin at whole multiples of it since the epoch. */
  static final Duration STEP = Duration.ofSeconds(5);

  private static final double NIGHT = 0.15;
  private static final double MORNING = 0.8;
  private static final double NOON = 0.55;

  /** Shares of a day at which the curve bends, and how high it is there. */
  private static final double[][] BENDS = {
    {0, NIGHT},
    {0.25, NIGHT},
    {0.33, MORNING},
    {0.45, MORNING},
    {0.5, NOON},
    {0.55, NOON},
    {0.62, 1},
    {0.72, 1},
    {0.9, NIGHT},
    {1, NIGHT}
  };

  private static final int MORNING_BEGINS = 1;
  private static final int MORNING_ENDS = 2;

  private static final double LEVEL_SPREAD = 0.05;
  private static final double NOISE = 0.02;
  private static final double BURST = 0.15;
  private static final double BURST_LENGTH = 0.03;

  DailyLoad {
    if (day.toMillis() % STEP.toMillis() != 0 || !day.isPositive()) {
      throw new IllegalArgumentException("a day must have whole steps of " + STEP + ": " + day);
    }
    if (!(peak > 0)) {
      throw new IllegalArgumentException("the peak must be positive: " + peak);
    }
  }

  @Override
  public Duration step() {
    return STEP;
  }

  @Override
  public double at(Instant time) {
    long step = Math.floorDiv(time.toEpochMilli(), STEP.toMillis());
    long sinceDawn = step * STEP.toMillis() - dawn.toEpochMilli();
    long number = Math.floorDiv(sinceDawn, day.toMillis());
    double share = (double) Math.floorMod(sinceDawn, day.toMillis()) / day.toMillis();
    double level = 1 + LEVEL_SPREAD * symmetric(number, 1);
    double noise = 1 + NOISE * symmetric(step, 2);
    return peak * level * noise * (curve(share) + burst(number, share));
  }

  /** A time in which demand grows fast. */
  record Rise(Instant begins, Instant ends) {}

  /** The first morning that begins to rise at or after a moment. */
  Rise nextMorning(Instant time) {
    long begins = dawn.toEpochMilli() + millis(MORNING_BEGINS);
    long days = Math.ceilDiv(time.toEpochMilli() - begins, day.toMillis());
    var rises = Instant.ofEpochMilli(begins + days * day.toMillis());
    return new Rise(rises, rises.plusMillis(millis(MORNING_ENDS) - millis(MORNING_BEGINS)));
  }

  private long millis(int bend) {
    return Math.round(BENDS[bend][0] * day.toMillis());
  }

  private static double curve(double share) {
    int next = 1;
    while (BENDS[next][0] <= share) {
      next++;
    }
    double[] from = BENDS[next - 1];
    double[] to = BENDS[next];
    return from[1] + (to[1] - from[1]) * (share - from[0]) / (to[0] - from[0]);
  }

  private double burst(long number, double share) {
    double begins = 0.05 + 0.85 * (0.5 + 0.5 * symmetric(number, 3));
    return share >= begins && share < begins + BURST_LENGTH ? BURST : 0;
  }

  /** From -1 to 1, the same for the same numbers; mixed as in Steele, Lea and Flood 2014. */
  private double symmetric(long number, long purpose) {
    long z = seed + 0x9E3779B97F4A7C15L * (31 * number + purpose);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return ((z ^ (z >>> 31)) >> 11) * 0x1.0p-52;
  }
}
