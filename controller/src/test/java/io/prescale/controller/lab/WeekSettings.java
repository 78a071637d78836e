package io.prescale.controller.lab;

import java.time.Duration;
import java.util.HashMap;

/**
 * How a week is run.
 *
 * @param moves {@code Off} or {@code Act}
 * @param factor by which time is faster
 * @param copies of each pod
 * @param demand the most that is asked for at once, in parts of the open cards
 * @param limit of each queue, in multiples of its guarantee
 * @param firstDay of the trace
 */
record WeekSettings(
    String moves, double factor, int copies, double demand, int limit, int firstDay, int days) {
  private static final Duration GRACE = Duration.ofMinutes(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(10);

  WeekSettings {
    if (factor <= 0 || copies < 1 || demand <= 0 || limit < 1 || days < 1) {
      throw new IllegalArgumentException(
          "%s, %s, %s, %s, %s".formatted(factor, copies, demand, limit, days));
    }
  }

  /** Of arguments such as {@code --moves=Act --days=1}. */
  static WeekSettings of(String... arguments) {
    var given = new HashMap<String, String>();
    for (var argument : arguments) {
      var parts = argument.split("=", 2);
      given.put(parts[0], parts[1]);
    }
    return new WeekSettings(
        given.getOrDefault("--moves", "Off"),
        Double.parseDouble(given.getOrDefault("--factor", "504")),
        Integer.parseInt(given.getOrDefault("--copies", "6")),
        Double.parseDouble(given.getOrDefault("--demand", "1.15")),
        Integer.parseInt(given.getOrDefault("--limit", "4")),
        Integer.parseInt(given.getOrDefault("--first-day", "142")),
        Integer.parseInt(given.getOrDefault("--days", "7")));
  }

  /** How long some seconds of the trace take. */
  Duration real(long seconds) {
    return Duration.ofMillis((long) (seconds / factor * 1000));
  }

  /** Five minutes of the trace, in whole seconds. */
  Duration grace() {
    return scaled(GRACE);
  }

  /** The extender's. */
  String[] options() {
    return new String[] {
      "--moves=" + moves,
      "--moves-notice=%ds".formatted(grace().toSeconds()),
      "--moves-per-hour=1000",
      "--moves-interval=%ds".formatted(scaled(BETWEEN_LOOKS).toSeconds())
    };
  }

  private Duration scaled(Duration usual) {
    return Duration.ofSeconds(Math.max(1, Math.round(usual.toSeconds() / factor)));
  }
}
