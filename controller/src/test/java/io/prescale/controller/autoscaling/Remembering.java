package io.prescale.controller.autoscaling;

import java.time.Duration;
import java.time.ZoneId;

/** Settings of targets whose forecasters keep a history of another length. */
public final class Remembering {
  private Remembering() {}

  public static TargetSettings history(Duration length, TargetSettings like) {
    return history(length, like.forecast().zone(), like);
  }

  /** The same in another time zone. */
  public static TargetSettings history(Duration length, ZoneId zone, TargetSettings like) {
    var forecast = like.forecast();
    return new TargetSettings(
        like.metrics(),
        like.hpa(),
        like.risk(),
        new ForecastSettings(
            forecast.step(),
            forecast.window(),
            length,
            forecast.refitEvery(),
            zone,
            forecast.calendar(),
            forecast.seed(),
            forecast.members()),
        like.timeToLive(),
        like.utilization(),
        like.riskAtZero(),
        like.schedules());
  }
}
