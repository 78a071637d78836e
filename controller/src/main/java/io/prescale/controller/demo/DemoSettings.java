package io.prescale.controller.demo;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * The settings of a simulation.
 *
 * @param start of the live part, on a full minute; the history lies before it
 * @param history that exists from the beginning: whole weeks from a Monday on
 * @param workloads how many services, 1 to {@value #MOST_WORKLOADS}
 * @param nodes how many GPU nodes, 1 to {@value #MOST_NODES}
 * @param jobs whether Jobs borrow what services leave over
 * @param seed of load and cold starts
 */
public record DemoSettings(
    Instant start, Duration history, int workloads, int nodes, boolean jobs, long seed) {
  /** As many as the page stays fluid with. */
  public static final int MOST_WORKLOADS = 200;

  /** As many as the page stays fluid with. */
  public static final int MOST_NODES = 1000;

  /** Half past six, just before people come to work. */
  private static final Duration EARLY = Duration.ofMinutes(6 * 60 + 30);

  public DemoSettings {
    requireWithin("workloads", workloads, MOST_WORKLOADS);
    requireWithin("nodes", nodes, MOST_NODES);
    Instant begin = start.minus(history);
    if (!start.equals(start.truncatedTo(ChronoUnit.MINUTES))
        || history.compareTo(Duration.ofDays(1)) < 0
        || !history.equals(history.truncatedTo(ChronoUnit.MINUTES))
        || !begin.equals(begin.truncatedTo(ChronoUnit.DAYS))
        || begin.atOffset(ZoneOffset.UTC).getDayOfWeek() != DayOfWeek.MONDAY) {
      throw new IllegalArgumentException(
          "a history of %s before %s does not begin with a Monday".formatted(history, start));
    }
  }

  private static void requireWithin(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "%s must be from 1 to %d: %d".formatted(name, most, value));
    }
  }

  /** Two weeks of history, and live from a Monday morning on. */
  public static DemoSettings of(int workloads, int nodes, boolean jobs, long seed) {
    Instant monday = Instant.parse("2026-01-19T00:00:00Z");
    return new DemoSettings(
        monday.plus(EARLY), Duration.ofDays(14).plus(EARLY), workloads, nodes, jobs, seed);
  }

  Instant historyStart() {
    return start.minus(history);
  }

  int historyMinutes() {
    return Math.toIntExact(history.toMinutes());
  }
}
