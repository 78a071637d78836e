package io.prescale.controller.input;

import java.util.SplittableRandom;

/**
 * A load that is generated minute by minute, from a Monday's midnight on.
 *
 * <p>Weekdays begin and end steeply, with a lunch break between; scheduled jobs add to it on the
 * hour and every night; weekends are quieter; the whole grows. On top of that come noise that
 * persists for some minutes, and bursts that arrive within minutes and fade within the hour. Not
 * thread-safe.
 */
public final class GeneratedLoad {
  private static final double MINUTES_A_DAY = 24 * 60;
  private static final double NOISE_PERSISTENCE = 0.85;

  private final LoadProfile profile;
  private final SplittableRandom random;
  private final Burst burst = new Burst();
  private double noise;
  private int minute;

  public GeneratedLoad(LoadProfile profile, long seed) {
    this.profile = profile;
    this.random = new SplittableRandom(seed);
  }

  /** The load during the next minute, to the hundredth. */
  public double next() {
    noise = NOISE_PERSISTENCE * noise + profile.noise() * random.nextGaussian();
    double load = usual() * Math.exp(noise) * burst.next(random, profile.burstsADay());
    minute++;
    return Math.round(load * 100) / 100.0;
  }

  /**
   * A burst besides those that come by chance: within three minutes the load is up by this share.
   *
   * @param share above 0
   */
  public void add(double share) {
    if (!(share > 0 && Double.isFinite(share))) {
      throw new IllegalArgumentException("a burst must add something: " + share);
    }
    burst.coming += share;
  }

  private double usual() {
    double day = minute / MINUTES_A_DAY;
    double hour = 24 * (day - Math.floor(day));
    boolean weekend = Math.floorMod((int) day, 7) >= 5;
    double daytime = daytime(hour);
    double level = profile.night() + (weekend ? profile.weekend() : profile.workday()) * daytime;
    double jobs = profile.onTheHour() * daytime * job(60 * (hour % 1), 12);
    double nightly = profile.nightlyJob() * job(60 * (hour - profile.nightlyHour()), 40);
    return (level + jobs + nightly) * (1 + profile.growthADay() * day);
  }

  /** From 0 at night to 1: up within half an hour, down within two hours. */
  private double daytime(double hour) {
    double lunch = 0.3 * Math.exp(-Math.pow((hour - 12.75) / 0.6, 2));
    return rise(hour, profile.begins(), 0.1) * (1 - rise(hour, profile.ends(), 0.4)) * (1 - lunch);
  }

  private static double rise(double hour, double at, double width) {
    return 1 / (1 + Math.exp((at - hour) / width));
  }

  /** A job that runs for some minutes: there within two of them, gone as fast. */
  private static double job(double minutesSinceStart, double length) {
    return rise(minutesSinceStart, 1, 0.4) * (1 - rise(minutesSinceStart, length, 0.4));
  }

  /** Sudden interest: most of it within three minutes; half of it is gone after fifteen more. */
  private static final class Burst {
    private static final double RISE = 1 / 3.0;
    private static final double FADE = Math.pow(0.5, 1 / 15.0);

    private double coming;
    private double present;

    double next(SplittableRandom random, double burstsADay) {
      if (random.nextDouble() < burstsADay / MINUTES_A_DAY) {
        coming += 0.15 + 0.45 * random.nextDouble();
      }
      double arriving = coming * RISE;
      coming -= arriving;
      present = present * FADE + arriving;
      return 1 + present;
    }
  }
}
