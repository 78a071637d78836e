package io.prescale.controller.place;

import io.prescale.controller.input.Excerpt;
import io.prescale.controller.input.InputException;
import io.prescale.placement.cluster.GpuHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The condition of the cards of a row; {@code -} is an unknown reading. */
final class HealthColumns {
  static final List<String> NAMES =
      List.of(
          "health",
          "temperature_celsius",
          "power_watts",
          "power_limit_watts",
          "corrected_ecc",
          "uncorrected_ecc",
          "xids",
          "throttled");

  private static final Map<String, GpuHealth.State> STATES =
      Map.of(
          "usable", GpuHealth.State.USABLE,
          "cordoned", GpuHealth.State.CORDONED,
          "unhealthy", GpuHealth.State.UNHEALTHY);
  private static final int HOTTEST = 200;
  private static final int MOST_WATTS = 100_000;
  private static final long MOST_ERRORS = 1_000_000_000_000L;
  private static final int HIGHEST_XID = 1000;
  private static final String UNKNOWN = "-";

  private HealthColumns() {}

  /** The condition of each card of a node. */
  static List<GpuHealth> read(Columns row, int cards) throws InputException {
    var states = row.perCard("health", cards, STATES, GpuHealth.State.USABLE);
    var temperatures = readings(row, "temperature_celsius", cards, HOTTEST);
    var watts = readings(row, "power_watts", cards, MOST_WATTS);
    var limits = readings(row, "power_limit_watts", cards, MOST_WATTS);
    var corrected = readings(row, "corrected_ecc", cards, MOST_ERRORS);
    var uncorrected = readings(row, "uncorrected_ecc", cards, MOST_ERRORS);
    var xids = row.perCard("xids", cards);
    var throttled = row.perCard("throttled", cards, Columns.YES_NO, false);
    var all = new ArrayList<GpuHealth>();
    for (int card = 0; card < cards; card++) {
      var health =
          GpuHealth.UNKNOWN
              .withState(states.get(card))
              .withErrors(
                  corrected.get(card).orElse(0),
                  uncorrected.get(card).orElse(0),
                  codes(row, xids.get(card)))
              .withThrottled(throttled.get(card));
      if (temperatures.get(card).isPresent()) {
        health = health.withTemperature((int) temperatures.get(card).getAsLong());
      }
      if (watts.get(card).isPresent() != limits.get(card).isPresent()) {
        throw row.problem("power_watts", "and power_limit_watts go together for each card");
      }
      if (watts.get(card).isPresent()) {
        health =
            health.withPower((int) watts.get(card).getAsLong(), (int) limits.get(card).getAsLong());
      }
      all.add(health);
    }
    return all;
  }

  private static List<OptionalLong> readings(Columns row, String column, int cards, long most)
      throws InputException {
    var values = new ArrayList<OptionalLong>();
    for (var word : row.perCard(column, cards)) {
      values.add(
          word.equals(UNKNOWN)
              ? OptionalLong.empty()
              : OptionalLong.of(row.wholeOf(column, word, 0, most)));
    }
    return values;
  }

  private static List<Integer> codes(Columns row, String word) throws InputException {
    var codes = new ArrayList<Integer>();
    if (!word.equals(UNKNOWN)) {
      for (var code : word.split("\\+", -1)) {
        if (code.isEmpty()) {
          throw row.problem(
              "xids", "%s is not a list of codes such as 79+48".formatted(Excerpt.quoted(word)));
        }
        codes.add((int) row.wholeOf("xids", code, 1, HIGHEST_XID));
      }
    }
    return codes;
  }
}
