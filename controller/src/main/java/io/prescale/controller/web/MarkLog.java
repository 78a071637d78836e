package io.prescale.controller.web;

import io.prescale.controller.autoscaling.Trust;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a workload and to its metrics, from what is known minute by minute: fits of
 * models, changes of breakers, new revisions, and what went wrong. Not thread-safe.
 */
public final class MarkLog {
  /** Some days of refits. */
  private static final int MOST = 60;

  private final Map<String, Log> metrics = new HashMap<>();
  private final Log incidents = new Log();

  /** Apart, so that no number of incidents displaces one. */
  private final Log deploys = new Log();

  private final Set<String> wrong = new HashSet<>();

  private static final class Log {
    final ArrayDeque<Mark> marks = new ArrayDeque<>();
    Trust.@Nullable State state;
    @Nullable Instant fittedAt;
    @Nullable Instant deployedAt;

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

  /**
   * Takes in whether something is wrong with the workload; marks when that changes, and what is
   * wrong at first.
   *
   * @param what names it
   * @param since when it became so
   * @param text a sentence
   */
  public void observe(String what, Instant since, boolean isWrong, String text) {
    if (isWrong ? wrong.add(what) : wrong.remove(what)) {
      incidents.add(new Mark(since, isWrong ? Mark.Kind.INCIDENT : Mark.Kind.RECOVERY, text));
    }
  }

  /** Takes in the newest revision of the workload's pods, and since when there are any of it. */
  public void deployed(String revision, Instant since) {
    if (!since.equals(deploys.deployedAt)) {
      deploys.deployedAt = since;
      deploys.add(
          new Mark(
              since,
              Mark.Kind.DEPLOY,
              "The first pod of revision %s was created.".formatted(revision)));
    }
  }

  private Optional<Log> metric(String name) {
    return Optional.ofNullable(metrics.get(name));
  }

  /** The marks of a metric and of the workload, the oldest first. */
  public List<Mark> of(String metric) {
    return Stream.of(Optional.of(incidents), Optional.of(deploys), metric(metric))
        .flatMap(Optional::stream)
        .flatMap(log -> log.marks.stream())
        .sorted(Comparator.comparing(Mark::at))
        .toList();
  }
}
