package io.prescale.controller.input;

import java.util.stream.DoubleStream;

/**
 * The shape of a generated load, in concurrent requests.
 *
 * @param night constant base level
 * @param workday what weekdays add by day
 * @param weekend what Saturday and Sunday add by day
 * @param onTheHour what jobs add for twelve minutes from every full hour on, by day
 * @param nightlyJob what a job adds for forty minutes from {@code nightlyHour} on
 * @param nightlyHour 0 to 24
 * @param begins hour at which the day's load has risen by half, 0 to 24
 * @param ends hour at which it has fallen by half, after {@code begins}
 * @param growthADay growth of the whole load per day, relative to the first day
 * @param noise relative standard deviation of the change per minute
 * @param burstsADay mean number of bursts per day
 */
public record LoadProfile(
    double night,
    double workday,
    double weekend,
    double onTheHour,
    double nightlyJob,
    double nightlyHour,
    double begins,
    double ends,
    double growthADay,
    double noise,
    double burstsADay) {
  public LoadProfile {
    boolean sound =
        DoubleStream.of(
                night, workday, weekend, onTheHour, nightlyJob, growthADay, noise, burstsADay)
            .allMatch(value -> value >= 0 && Double.isFinite(value));
    boolean hours =
        DoubleStream.of(nightlyHour, begins, ends).allMatch(hour -> hour >= 0 && hour <= 24);
    if (!sound || !hours || ends <= begins) {
      throw new IllegalArgumentException("not a valid load profile: " + this);
    }
  }

  /** The same profile, scaled. */
  public LoadProfile times(double factor) {
    return new LoadProfile(
        factor * night,
        factor * workday,
        factor * weekend,
        factor * onTheHour,
        factor * nightlyJob,
        nightlyHour,
        begins,
        ends,
        growthADay,
        noise,
        burstsADay);
  }

  /** The same profile, shifted by hours. */
  public LoadProfile later(double hours) {
    return new LoadProfile(
        night,
        workday,
        weekend,
        onTheHour,
        nightlyJob,
        Math.min(24, nightlyHour + hours),
        Math.min(23, begins + hours),
        Math.min(24, ends + hours),
        growthADay,
        noise,
        burstsADay);
  }
}
