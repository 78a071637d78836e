package io.prescale.placement.inventory;

import io.prescale.placement.cluster.GpuHealth;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** What an exporter reports of one card, by the names of its fields. */
record CardFields(Map<String, Double> values) {
  private static final int MOST_CELSIUS = 200;
  private static final int MOST_WATTS = 100_000;
  private static final double MOST_ERRORS = 1e15;

  CardFields {
    values = Map.copyOf(values);
  }

  /** The value, where it lies from 0 to {@code most}. */
  OptionalDouble known(String name, double most) {
    var value = values.get(name);
    return value != null && value >= 0 && value <= most
        ? OptionalDouble.of(value)
        : OptionalDouble.empty();
  }

  OptionalInt whole(String name, int most) {
    var value = known(name, most);
    return value.isPresent()
        ? OptionalInt.of((int) Math.round(value.getAsDouble()))
        : OptionalInt.empty();
  }

  /** A number of errors; 0 where it is not known. */
  long errors(String name) {
    return (long) known(name, MOST_ERRORS).orElse(0);
  }

  boolean has(String name) {
    return known(name, MOST_ERRORS).isPresent();
  }

  /** The first of the fields that is known, in °C. */
  GpuHealth withTemperature(GpuHealth health, String... names) {
    for (var name : names) {
      var celsius = whole(name, MOST_CELSIUS);
      if (celsius.isPresent()) {
        return health.withTemperature(celsius.getAsInt());
      }
    }
    return health;
  }

  /**
   * In watts, the first of the fields that is known.
   *
   * @param limit 0 where it is not known
   */
  GpuHealth withPower(GpuHealth health, int limit, String... names) {
    for (var name : names) {
      var watts = whole(name, MOST_WATTS);
      if (watts.isPresent()) {
        return health.withPower(watts.getAsInt(), limit);
      }
    }
    return health;
  }
}
