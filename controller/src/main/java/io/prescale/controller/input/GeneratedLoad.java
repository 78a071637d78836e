package io.prescale.controller.input;

import java.util.SplittableRandom;

/**
 * Generates a load minute by minute, starting on a Monday at midnight.
 *
 * <p>Weekdays start and end steeply and dip at lunch; scheduled jobs add load every hour and every
 * night; weekends are quieter; the level grows. Autocorrelated noise and bursts, which rise within
 * minutes and fade within an hour, are added. Not thread-safe.
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

  /** The load during the next minute, rounded to hundredths. */
  public double next() {
    noise = NOISE_PERSISTENCE * noise + profile.noise() * random.nextGaussian();
    double load = usual() * Math.exp(noise) * burst.next(random, profile.burstsADay());
    minute++;
    return Math.round(load * 100) / 100.0;
  }

  /**
   * Adds a burst to the random ones: the load rises by this share within three minutes.
   *
   * @param share above 0
   */
  public void add(double share) {
    if (!(share > 0 && Double.isFinite(share))) {
      throw new IllegalArgumentException("the share of a burst must be above 0, not " + share);
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

  /**
   * The daily course, from 0 at night to 1 by day: rises within half an hour and falls within two
   * hours.
   */
  private double daytime(double hour) {
    double lunch = 0.3 * Math.exp(-Math.pow((hour - 12.75) / 0.6, 2));
    return rise(hour, profile.begins(), 0.1) * (1 - rise(hour, profile.ends(), 0.4)) * (1 - lunch);
  }

  private static double rise(double hour, double at, double width) {
    return 1 / (1 + Math.exp((at - hour) / width));
  }

  /** The load of a job, which takes two minutes to rise and to fall. */
  private static double job(double minutesSinceStart, double length) {
    return rise(minutesSinceStart, 1, 0.4) * (1 - rise(minutesSinceStart, length, 0.4));
  }

  /** A burst, which mostly rises within three minutes and halves in the next fifteen. */
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
