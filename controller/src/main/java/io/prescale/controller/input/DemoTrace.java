package io.prescale.controller.input;

import io.prescale.forecasting.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A generated load, for trying the program without data: concurrent requests to an LLM inference
 * service, one value a minute for 17 days.
 *
 * <p>Weekdays begin and end steeply, with a lunch break between; scheduled jobs add to it on the
 * hour and every night; weekends are quieter; the whole grows by 1 % a day. On top of that come
 * noise that persists for some minutes, bursts that arrive within minutes and fade within the hour,
 * and one outage of the monitoring, which leaves a gap.
 */
public final class DemoTrace implements HistorySource {
  /** Concurrent requests that one replica of the imagined service can carry. */
  public static final double CAPACITY_PER_REPLICA = 32;

  /** A Monday. */
  static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

  static final int MINUTES = 17 * 24 * 60;
  static final int OUTAGE_FROM = 12 * 24 * 60 + 9 * 60 + 17;
  static final int OUTAGE_MINUTES = 75;

  private static final double MINUTES_A_DAY = 24 * 60;
  private static final double NIGHT_LEVEL = 90;
  private static final double WORKDAY = 420;
  private static final double WEEKEND = 130;
  private static final double ON_THE_HOUR = 110;
  private static final double NIGHTLY_JOB = 260;
  private static final double GROWTH_A_DAY = 0.01;
  private static final double NOISE_PERSISTENCE = 0.85;
  private static final double NOISE = 0.025;
  private static final double BURSTS_A_DAY = 1.5;

  private final long seed;

  public DemoTrace(long seed) {
    this.seed = seed;
  }

  @Override
  public History read() {
    var random = new SplittableRandom(seed);
    var samples = new ArrayList<Sample>(MINUTES);
    var burst = new Burst();
    double noise = 0;
    for (int minute = 0; minute < MINUTES; minute++) {
      noise = NOISE_PERSISTENCE * noise + NOISE * random.nextGaussian();
      double load = usual(minute) * Math.exp(noise) * burst.next(random);
      if (minute < OUTAGE_FROM || minute >= OUTAGE_FROM + OUTAGE_MINUTES) {
        samples.add(new Sample(START.plus(Duration.ofMinutes(minute)), rounded(load)));
      }
    }
    return new History("demo", "generated, seed " + seed, samples, List.of());
  }

  private static double usual(int minute) {
    double day = minute / MINUTES_A_DAY;
    double hour = 24 * (day - Math.floor(day));
    boolean weekend = Math.floorMod((int) day, 7) >= 5;
    double level = NIGHT_LEVEL + (weekend ? WEEKEND : WORKDAY) * daytime(hour);
    double jobs = ON_THE_HOUR * daytime(hour) * job(60 * (hour % 1), 12);
    double nightly = NIGHTLY_JOB * job(60 * (hour - 2), 40);
    return (level + jobs + nightly) * (1 + GROWTH_A_DAY * day);
  }

  /** From 0 at night to 1: up within half an hour at 8:30, down within two hours around 18:30. */
  private static double daytime(double hour) {
    double lunch = 0.3 * Math.exp(-Math.pow((hour - 12.75) / 0.6, 2));
    return rise(hour, 8.5, 0.1) * (1 - rise(hour, 18.5, 0.4)) * (1 - lunch);
  }

  private static double rise(double hour, double at, double width) {
    return 1 / (1 + Math.exp((at - hour) / width));
  }

  /** A job that runs for some minutes: there within two of them, gone as fast. */
  private static double job(double minutesSinceStart, double length) {
    return rise(minutesSinceStart, 1, 0.4) * (1 - rise(minutesSinceStart, length, 0.4));
  }

  private static double rounded(double load) {
    return Math.round(load * 100) / 100.0;
  }

  /** Sudden interest: most of it within three minutes; half of it is gone after fifteen more. */
  private static final class Burst {
    private static final double RISE = 1 / 3.0;
    private static final double FADE = Math.pow(0.5, 1 / 15.0);

    private double coming;
    private double present;

    double next(SplittableRandom random) {
      if (random.nextDouble() < BURSTS_A_DAY / MINUTES_A_DAY) {
        coming += 0.15 + 0.45 * random.nextDouble();
      }
      double arriving = coming * RISE;
      coming -= arriving;
      present = present * FADE + arriving;
      return 1 + present;
    }
  }
}
