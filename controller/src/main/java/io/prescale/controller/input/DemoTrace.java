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
 * <p>Weekdays have two peaks around a lunch break, weekends are quieter, the whole grows by 1.5 % a
 * day. On top of that come noise that persists for some minutes, bursts that arrive within minutes
 * and fade within the hour, and one outage of the monitoring, which leaves a gap.
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
  private static final double WORKDAY_SWING = 480;
  private static final double WEEKEND_SWING = 190;
  private static final double NIGHT_LEVEL = 60;
  private static final double GROWTH_A_DAY = 0.015;
  private static final double NOISE_PERSISTENCE = 0.85;
  private static final double NOISE = 0.025;
  private static final double BURSTS_A_DAY = 2.5;

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
    return new History("demo (generated, seed " + seed + ")", samples, List.of());
  }

  private static double usual(int minute) {
    double day = minute / MINUTES_A_DAY;
    double hour = 24 * (day - Math.floor(day));
    boolean weekend = Math.floorMod((int) day, 7) >= 5;
    double shape = peak(hour, 10.5, 2.6) + 0.9 * peak(hour, 15.5, 2.9) + 0.35 * peak(hour, 21, 1.8);
    double level = NIGHT_LEVEL + (weekend ? WEEKEND_SWING : WORKDAY_SWING) * shape;
    return level * (1 + GROWTH_A_DAY * day);
  }

  private static double peak(double hour, double at, double width) {
    double distance = (hour - at) / width;
    return Math.exp(-distance * distance / 2);
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
