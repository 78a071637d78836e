package io.prescale.controller.lab;

import io.prescale.controller.lab.WeekCheck.Bounds;
import io.prescale.controller.lab.WeekCheck.Findings;
import io.prescale.controller.lab.WeekEvent.Bound;
import io.prescale.controller.lab.WeekLife.Life;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came of a week, in words. */
record WeekReport(List<WeekEvent> events, Findings findings, Map<String, Life> lives) {
  private static final int MOST_BREACHES = 20;

  WeekReport {
    events = List.copyOf(events);
    lives = Map.copyOf(lives);
  }

  void print(Bounds bounds) {
    long placed = events.stream().filter(Bound.class::isInstance).count();
    long resumed =
        events.stream()
            .filter(Bound.class::isInstance)
            .filter(it -> lives.containsKey(it.pod()) && lives.get(it.pod()).number() > 0)
            .count();
    System.out.printf(
        Locale.ROOT,
        "%d events; %d placed, %d of them resumed; %d taken back, %d moved; each queue has %.1f"
            + " cards guaranteed, %.1f at most%n",
        events.size(),
        placed,
        resumed,
        findings.taken(),
        findings.moved(),
        bounds.guaranteeMilli() / 1000.0,
        bounds.limitMilli() / 1000.0);
    var waits = new ArrayList<Duration>();
    var owed = new ArrayList<Duration>();
    findings
        .queues()
        .forEach(
            (queue, times) -> {
              waits.addAll(times.waits());
              owed.addAll(times.owed());
              System.out.printf(
                  "%s: waits %s; owed %s; %d still wait%n",
                  queue, quantiles(times.waits()), quantiles(times.owed()), times.left());
            });
    System.out.println(
        "all: waits " + quantiles(sorted(waits)) + "; owed " + quantiles(sorted(owed)));
    System.out.println("notices of those evicted: " + quantiles(findings.notices()));
    printBreaches();
  }

  private void printBreaches() {
    System.out.printf(
        "%d breaches; %d times a queue had less than its guarantee after an eviction, because"
            + " others of its pods had just ended%n",
        findings.breaches().size(), findings.closeTakings());
    findings.breaches().stream().limit(MOST_BREACHES).forEach(System.out::println);
  }

  private static List<Duration> sorted(List<Duration> times) {
    return times.stream().sorted().toList();
  }

  /** Of times of which the shortest comes first. */
  static String quantiles(List<Duration> sorted) {
    return sorted.isEmpty()
        ? "none"
        : String.format(
            Locale.ROOT,
            "%d, median %.2f s, p95 %.2f s, at most %.2f s",
            sorted.size(),
            at(sorted, 0.5),
            at(sorted, 0.95),
            at(sorted, 1));
  }

  private static double at(List<Duration> sorted, double part) {
    return sorted.get((int) Math.round(part * (sorted.size() - 1))).toMillis() / 1000.0;
  }
}
