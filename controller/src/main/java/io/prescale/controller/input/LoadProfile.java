package io.prescale.controller.input;

import java.util.stream.DoubleStream;

/**
 * What a generated load is like, in concurrent requests.
 *
 * @param night level that is always there
 * @param workday what a weekday adds to it by day
 * @param weekend what Saturday and Sunday add by day
 * @param onTheHour what jobs add for twelve minutes from every full hour on, by day
 * @param nightlyJob what a job adds for forty minutes from {@code nightlyHour} on
 * @param nightlyHour 0 to 24
 * @param begins hour at which half of the day's load has come, 0 to 24
 * @param ends hour at which half of it is gone, after {@code begins}
 * @param growthADay of everything, relative to the first day
 * @param noise standard deviation of a minute's change, relative
 * @param burstsADay mean number of bursts
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
      throw new IllegalArgumentException("no load can be like this: " + this);
    }
  }

  /** The same course on another scale. */
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

  /** The same course, so many hours later. */
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
