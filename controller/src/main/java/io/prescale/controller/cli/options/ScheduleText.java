package io.prescale.controller.cli.options;

import io.prescale.controller.input.Excerpt;
import io.prescale.controller.schedules.Cron;
import io.prescale.controller.schedules.Schedule;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A schedule as {@code --schedule} gives it: {@code start=CRON; end=CRON; min=N; max=N; zone=ZONE;
 * name=NAME}, of which the last three may be left out, and one of min and max.
 */
public record ScheduleText(String text, Map<String, String> parts) {
  private static final Set<String> KEYS = Set.of("start", "end", "min", "max", "zone", "name");
  private static final String EXAMPLE = "'start=0 8 * * 1-5; end=0 20 * * 1-5; min=10'";

  /** Reads the parts; what they mean is checked where the time zone is known. */
  public static ScheduleText parse(String text) {
    var parts = new HashMap<String, String>();
    for (String part : text.split(";", -1)) {
      int equals = part.indexOf('=');
      var key = equals < 0 ? "" : part.substring(0, equals).strip();
      if (!KEYS.contains(key) || parts.containsKey(key)) {
        throw new IllegalArgumentException(
            "%s is no schedule; write %s".formatted(Excerpt.quoted(text), EXAMPLE));
      }
      parts.put(key, part.substring(equals + 1).strip());
    }
    if (!parts.keySet().containsAll(Set.of("start", "end"))) {
      throw new IllegalArgumentException(
          "%s has no start or no end; write %s".formatted(Excerpt.quoted(text), EXAMPLE));
    }
    return new ScheduleText(text, Map.copyOf(parts));
  }

  /**
   * The schedule.
   *
   * @param usual time zone where none is given
   * @throws IllegalArgumentException for parts that make no sense
   */
  public Schedule schedule(ZoneId usual) {
    return new Schedule(
        Optional.ofNullable(parts.get("name")).orElse(text),
        Optional.ofNullable(parts.get("zone")).map(ScheduleText::zone).orElse(usual),
        Cron.parse(Objects.requireNonNull(parts.get("start"))),
        Cron.parse(Objects.requireNonNull(parts.get("end"))),
        replicas("min"),
        replicas("max"));
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "%s is no time zone; write one such as Europe/Berlin".formatted(Excerpt.quoted(name)), e);
    }
  }

  private OptionalInt replicas(String key) {
    var number = parts.get(key);
    if (number == null) {
      return OptionalInt.empty();
    }
    if (!number.matches("[1-9][0-9]{0,5}")) {
      throw new IllegalArgumentException(
          "%s of the schedule is %s; write a number of replicas, such as 10"
              .formatted(key, Excerpt.quoted(number)));
    }
    return OptionalInt.of(Integer.parseInt(number));
  }
}
