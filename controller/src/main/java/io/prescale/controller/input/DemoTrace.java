package io.prescale.controller.input;

import io.prescale.forecasting.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A generated load for trying Prescale without data: concurrent requests to an LLM inference
 * service, one value per minute for 17 days, with a gap where monitoring failed.
 */
public final class DemoTrace implements HistorySource {
  /** Concurrent requests that one replica of the fictitious service can carry. */
  public static final double CAPACITY_PER_REPLICA = 32;

  /** A Monday. */
  static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

  static final int MINUTES = 17 * 24 * 60;
  static final int OUTAGE_FROM = 12 * 24 * 60 + 9 * 60 + 17;
  static final int OUTAGE_MINUTES = 75;

  /** The shape of the fictitious service's load. */
  public static final LoadProfile PROFILE =
      new LoadProfile(90, 420, 130, 110, 260, 2, 8.5, 18.5, 0.01, 0.025, 1.5);

  private final long seed;

  public DemoTrace(long seed) {
    this.seed = seed;
  }

  @Override
  public History read() {
    var load = new GeneratedLoad(PROFILE, seed);
    var samples = new ArrayList<Sample>(MINUTES);
    for (int minute = 0; minute < MINUTES; minute++) {
      double value = load.next();
      if (minute < OUTAGE_FROM || minute >= OUTAGE_FROM + OUTAGE_MINUTES) {
        samples.add(new Sample(START.plus(Duration.ofMinutes(minute)), value));
      }
    }
    return new History("demo", "generated, seed " + seed, samples, List.of());
  }
}
