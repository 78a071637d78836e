package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.PredictiveHPASpec;
import io.prescale.controller.api.v1alpha1.ScheduleSpec;
import io.prescale.controller.operator.SpecReader.InvalidFieldException;
import io.prescale.controller.schedules.Cron;
import io.prescale.controller.schedules.Schedule;
import io.prescale.controller.schedules.Schedules;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads {@code spec.schedules}. */
final class ScheduleReader {
  private final ZoneId usual;

  private ScheduleReader(ZoneId usual) {
    this.usual = usual;
  }

  /**
   * The schedules of a spec.
   *
   * @param usual the zone of those that name none
   * @throws InvalidFieldException for a time zone or an expression that there is not
   */
  static Schedules schedules(PredictiveHPASpec spec, ZoneId usual) {
    var reader = new ScheduleReader(usual);
    return new Schedules(spec.schedules().stream().map(reader::schedule).toList());
  }

  private Schedule schedule(ScheduleSpec schedule) {
    try {
      return new Schedule(
          schedule.name(),
          zone(schedule),
          cron(schedule, "start", schedule.start()),
          cron(schedule, "end", schedule.end()),
          replicas(schedule.minReplicas()),
          replicas(schedule.maxReplicas()));
    } catch (InvalidFieldException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new InvalidFieldException(
          "spec.schedules: " + Objects.requireNonNull(e.getMessage()), e);
    }
  }

  private ZoneId zone(ScheduleSpec schedule) {
    try {
      return schedule.timeZone() == null ? usual : ZoneId.of(schedule.timeZone());
    } catch (DateTimeException e) {
      throw new InvalidFieldException(
          "spec.schedules: timeZone of %s is \"%s\", which is no time zone; write one such as Europe/Berlin"
              .formatted(schedule.name(), schedule.timeZone()),
          e);
    }
  }

  private static Cron cron(ScheduleSpec schedule, String field, String text) {
    try {
      return Cron.parse(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidFieldException(
          "spec.schedules: %s of %s: %s".formatted(field, schedule.name(), e.getMessage()), e);
    }
  }

  private static OptionalInt replicas(@Nullable Integer number) {
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }
}
