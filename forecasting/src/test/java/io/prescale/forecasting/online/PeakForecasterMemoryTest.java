package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.SyntheticSeries;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Memory that a forecaster holds, counted in the arrays and fields that it reaches: the same in
 * every run, unlike a difference of heaps. It fails when a history is held twice or in double
 * precision, when trees are objects, and when what a fit works on stays reachable.
 */
class PeakForecasterMemoryTest {
  private static final int FORTNIGHT = 14 * SyntheticSeries.DAY;
  private static final Duration LEAD = Duration.ofMinutes(5);

  @Test
  void twoWeeksOfMinutesAndTheirModelsTakeAtMost220KiB() throws IllegalAccessException {
    assertThat(held(fitted(EventCalendar.empty())) >> 10).isBetween(150L, 220L);
  }

  @Test
  void anEventCostsASecondViewOfTheHistory() throws IllegalAccessException {
    var begin = SyntheticSeries.START.plus(Duration.ofDays(3));
    var sale = new Event("sale", begin, begin.plus(Duration.ofHours(1)), OptionalDouble.empty());
    var eventful = held(fitted(new EventCalendar(List.of(sale), List.of())));

    assertThat(eventful - held(fitted(EventCalendar.empty())))
        .isBetween(4L * FORTNIGHT, 5L * FORTNIGHT);
  }

  private static PeakForecaster fitted(EventCalendar calendar) {
    var settings =
        TestingSettings.remembering(
            Duration.ofDays(14), PeakSettings.forLead(LEAD).withCalendar(calendar));
    var forecaster = new PeakForecaster(SyntheticSeries.START, settings);
    var demand =
        SyntheticSeries.minutes(FORTNIGHT)
            .plus(100)
            .plus(SyntheticSeries.workday(150))
            .noise(8, 0.7, 1)
            .build();
    for (double value : demand.toArray()) {
      forecaster.observe(value);
    }
    forecaster.adopt(forecaster.refit().compute());
    return forecaster;
  }

  private static long held(Object root) throws IllegalAccessException {
    return held(root, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  /** Objects of the JDK count as small: those that a forecaster has are times and zones. */
  private static long held(Object from, Set<Object> seen) throws IllegalAccessException {
    if (!seen.add(from)) {
      return 0;
    }
    Class<?> type = from.getClass();
    if (type.isArray()) {
      return heldByArray(from, seen);
    }
    long bytes = 16;
    for (Class<?> c = type; c.getName().startsWith("io.prescale"); c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        bytes += Modifier.isStatic(field.getModifiers()) ? 0 : heldBy(field, from, seen);
      }
    }
    return bytes;
  }

  private static long heldBy(Field field, Object of, Set<Object> seen)
      throws IllegalAccessException {
    if (field.getType().isPrimitive()) {
      return sizeOf(field.getType());
    }
    field.setAccessible(true);
    var value = field.get(of);
    return sizeOf(field.getType()) + (value == null ? 0 : held(value, seen));
  }

  private static long heldByArray(Object array, Set<Object> seen) throws IllegalAccessException {
    long bytes = 16 + sizeOf(array.getClass().getComponentType()) * Array.getLength(array);
    if (array instanceof Object[] elements) {
      for (Object element : elements) {
        bytes += element == null ? 0 : held(element, seen);
      }
    }
    return bytes;
  }

  /** With references of four bytes, as in heaps below 32 GiB. */
  private static long sizeOf(Class<?> type) {
    return switch (type.getName()) {
      case "double", "long" -> 8;
      case "short", "char" -> 2;
      case "byte", "boolean" -> 1;
      default -> 4;
    };
  }
}
