package io.prescale.placement.inventory;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuHealth.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Reads the series of NVIDIA's dcgm-exporter. Of several series of a card, which an exporter gives
 * for each pod or MIG instance, the greatest counts. An impossible value counts as unknown.
 *
 * <p>A card is sick when its last XID is not one that applications cause, or when memory rows could
 * not be remapped. The exporter repeats the last XID until the driver starts anew; then the card is
 * well again.
 */
public final class DcgmReadings {
  /** HW slowdown, SW and HW thermal slowdown, power brake ({@code nvml.h}). */
  private static final int THROTTLED = 0x08 | 0x20 | 0x40 | 0x80;

  private static final String PREFIX = "DCGM_FI_";
  private static final String UTILISATION = "DEV_GPU_UTIL";
  private static final String ENGINE_ACTIVE = "PROF_GR_ENGINE_ACTIVE";
  private static final List<String> REASONS =
      List.of("DEV_CLOCKS_EVENT_REASONS", "DEV_CLOCK_THROTTLE_REASONS");
  private static final String FIELDS =
      "DEV_(GPU_UTIL|GPU_TEMP|POWER_USAGE|POWER_MGMT_LIMIT|XID_ERRORS|ROW_REMAP_FAILURE"
          + "|ECC_SBE_VOL_TOTAL|ECC_DBE_VOL_TOTAL|CORRECTABLE_REMAPPED_ROWS"
          + "|UNCORRECTABLE_REMAPPED_ROWS|CLOCKS_EVENT_REASONS|CLOCK_THROTTLE_REASONS)"
          + "|PROF_GR_ENGINE_ACTIVE";

  /** The greatest value of every field that is read, for each card and MIG instance. */
  public static final String QUERY =
      "max by (__name__, UUID, GPU_I_ID) ({__name__=~\"%s(%s)\"})".formatted(PREFIX, FIELDS);

  private static final int MOST_CELSIUS = 200;
  private static final int MOST_WATTS = 100_000;
  private static final int MOST_XID = 100_000;
  private static final double MOST_ERRORS = 1e15;
  private static final int PERCENT = 100;

  private DcgmReadings() {}

  /** One series. */
  public record Series(Map<String, String> labels, double value) {
    public Series {
      labels = Map.copyOf(labels);
    }
  }

  /**
   * The reading of each card, by UUID; never fails.
   *
   * @param before the last readings; a sick card that is no longer reported stays sick
   */
  public static Map<String, CardReading> read(List<Series> all, Map<String, CardReading> before) {
    var readings = new HashMap<String, CardReading>();
    before.forEach(
        (uuid, reading) -> {
          if (reading.isSick()) {
            readings.put(uuid, new CardReading(reading.health(), OptionalInt.empty()));
          }
        });
    fields(all).forEach((uuid, fields) -> readings.put(uuid, reading(fields)));
    return readings;
  }

  private static Map<String, Map<String, Double>> fields(List<Series> all) {
    var cards = new HashMap<String, Map<String, Double>>();
    for (var series : all) {
      var uuid = series.labels().getOrDefault("UUID", "");
      var name = series.labels().getOrDefault("__name__", "");
      boolean isNumber = !Double.isNaN(series.value());
      if (isNumber && !uuid.isEmpty() && name.startsWith(PREFIX) && isOfCard(name, series)) {
        cards
            .computeIfAbsent(uuid, _ -> new HashMap<>())
            .merge(name.substring(PREFIX.length()), series.value(), Math::max);
      }
    }
    return cards;
  }

  /** An instance's activity is a part of its own, not of the card. */
  private static boolean isOfCard(String name, Series series) {
    return series.labels().getOrDefault("GPU_I_ID", "").isEmpty() || !name.endsWith(ENGINE_ACTIVE);
  }

  private static CardReading reading(Map<String, Double> fields) {
    int xid = whole(fields, "DEV_XID_ERRORS", MOST_XID).orElse(0);
    boolean sick =
        (xid != 0 && !GpuHealth.XIDS_OF_APPLICATIONS.contains(xid))
            || whole(fields, "DEV_ROW_REMAP_FAILURE", MOST_XID).orElse(0) > 0;
    var health =
        GpuHealth.UNKNOWN
            .withState(sick ? State.UNHEALTHY : State.USABLE)
            .withErrors(
                count(fields, "DEV_ECC_SBE_VOL_TOTAL", "DEV_CORRECTABLE_REMAPPED_ROWS"),
                count(fields, "DEV_ECC_DBE_VOL_TOTAL", "DEV_UNCORRECTABLE_REMAPPED_ROWS"),
                xid == 0 ? List.of() : List.of(xid))
            .withThrottled(isThrottled(fields));
    var celsius = whole(fields, "DEV_GPU_TEMP", MOST_CELSIUS);
    if (celsius.isPresent()) {
      health = health.withTemperature(celsius.getAsInt());
    }
    var watts = whole(fields, "DEV_POWER_USAGE", MOST_WATTS);
    if (watts.isPresent()) {
      int limit = whole(fields, "DEV_POWER_MGMT_LIMIT", MOST_WATTS).orElse(0);
      health = health.withPower(watts.getAsInt(), limit);
    }
    return new CardReading(health, utilisation(fields));
  }

  private static boolean isThrottled(Map<String, Double> fields) {
    return REASONS.stream()
        .anyMatch(name -> (whole(fields, name, Integer.MAX_VALUE).orElse(0) & THROTTLED) != 0);
  }

  /** The utilisation says that some kernel ran; the engine's activity, where known, says more. */
  private static OptionalInt utilisation(Map<String, Double> fields) {
    var active = known(fields, ENGINE_ACTIVE, 1);
    return active.isPresent()
        ? OptionalInt.of((int) Math.round(active.getAsDouble() * PERCENT))
        : whole(fields, UTILISATION, PERCENT);
  }

  private static long count(Map<String, Double> fields, String name, String otherwise) {
    var errors = known(fields, name, MOST_ERRORS);
    return (long) (errors.isPresent() ? errors : known(fields, otherwise, MOST_ERRORS)).orElse(0);
  }

  private static OptionalInt whole(Map<String, Double> fields, String name, int most) {
    var value = known(fields, name, most);
    return value.isPresent()
        ? OptionalInt.of((int) Math.round(value.getAsDouble()))
        : OptionalInt.empty();
  }

  private static OptionalDouble known(Map<String, Double> fields, String name, double most) {
    var value = fields.get(name);
    return value != null && value >= 0 && value <= most
        ? OptionalDouble.of(value)
        : OptionalDouble.empty();
  }
}
