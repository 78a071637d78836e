package io.prescale.controller.scheduler.moves;

import io.prescale.placement.consolidation.Move.Reason;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import java.util.Locale;

/** What moves cost and gave, by why pods move. Thread-safe. */
public final class MoveMetrics {
  private final Counter notices;
  private final Counter withdrawn;
  private final Counter evictions;
  private final Counter replaced;
  private final Gauge planned;

  /** Registers the metrics; counters begin with the first event of their reason. */
  public MoveMetrics(CollectorRegistry registry) {
    notices = counter("notices", "Pods that got notice to move.", registry);
    withdrawn =
        Counter.build("prescale_moves_withdrawn_total", "Notices to move that were withdrawn.")
            .register(registry);
    evictions = counter("evictions", "Pods that were evicted to move.", registry);
    replaced =
        Counter.build(
                "prescale_moves_total", "Moves that are over, by what became of the replacement.")
            .labelNames("reason", "outcome")
            .register(registry);
    planned =
        Gauge.build("prescale_moves_planned", "Moves that are planned or advised now.")
            .register(registry);
  }

  private static Counter counter(String name, String help, CollectorRegistry registry) {
    return Counter.build("prescale_moves_%s_total".formatted(name), help)
        .labelNames("reason")
        .register(registry);
  }

  private static String word(Reason reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }

  void notified(Reason reason) {
    notices.labels(word(reason)).inc();
  }

  void withdrawn() {
    withdrawn.inc();
  }

  void evicted(Reason reason) {
    evictions.labels(word(reason)).inc();
  }

  /** What became of a replacement. */
  enum Outcome {
    AS_BOOKED,
    ELSEWHERE,
    UNBOUND
  }

  void over(Reason reason, Outcome outcome) {
    replaced.labels(word(reason), outcome.name().toLowerCase(Locale.ROOT)).inc();
  }

  void planned(int moves) {
    planned.set(moves);
  }
}
