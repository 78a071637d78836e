package io.prescale.controller.web;

import io.prescale.controller.autoscaling.Trust;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When the models of a workload's metrics were fitted, and when their breakers changed, from what
 * is known minute by minute. Not thread-safe.
 */
public final class MarkLog {
  /** Some days of refits. */
  private static final int MOST = 60;

  private final Map<String, Log> metrics = new HashMap<>();

  private static final class Log {
    final ArrayDeque<Mark> marks = new ArrayDeque<>();
    Trust.@Nullable State state;
    @Nullable Instant fittedAt;

    void add(Mark mark) {
      marks.addLast(mark);
      if (marks.size() > MOST) {
        marks.removeFirst();
      }
    }
  }

  /**
   * Takes in what is known of a metric; the first state of a breaker is no change.
   *
   * @param why a sentence about the state
   * @param fittedAt when its models were last fitted
   */
  public void observe(
      String metric, Instant at, Trust.State state, String why, Optional<Instant> fittedAt) {
    var log = metrics.computeIfAbsent(metric, _ -> new Log());
    fittedAt
        .filter(it -> !it.equals(log.fittedAt))
        .ifPresent(
            it -> {
              log.fittedAt = it;
              log.add(new Mark(it, Mark.Kind.REFIT, "They know what was observed until then."));
            });
    if (log.state != null && log.state != state) {
      log.add(new Mark(at, Mark.Kind.BREAKER, why));
    }
    log.state = state;
  }

  /** The marks of a metric, the oldest first. */
  public List<Mark> of(String metric) {
    var log = metrics.get(metric);
    return log == null ? List.of() : List.copyOf(log.marks);
  }
}
