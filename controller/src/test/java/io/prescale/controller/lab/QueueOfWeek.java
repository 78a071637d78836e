package io.prescale.controller.lab;

import io.prescale.controller.lab.WeekCheck.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the pods of a queue have and wait for while a week is replayed. Not thread-safe. */
final class QueueOfWeek {
  private final Bounds bounds;
  private final Duration slack;
  private final Deque<Change> ended = new ArrayDeque<>();
  private final Deque<Change> binds = new ArrayDeque<>();
  private final TreeMap<Integer, Integer> waiting = new TreeMap<>();
  private final List<Duration> waits = new ArrayList<>();
  private final List<Duration> owed = new ArrayList<>();
  private int useMilli;
  private @Nullable Instant owedSince;

  QueueOfWeek(Bounds bounds, Duration slack) {
    this.bounds = bounds;
    this.slack = slack;
  }

  private record Change(Instant at, int milli) {}

  /**
   * How long its pods and the queue itself waited, the shortest time first.
   *
   * @param waits from a pod's creation to its binding
   * @param owed times in which it had less than its guarantee and a pod waited that is within it,
   *     until one was bound
   * @param left pods that still wait
   */
  record Times(List<Duration> waits, List<Duration> owed, int left) {
    Times {
      waits = waits.stream().sorted().toList();
      owed = owed.stream().sorted().toList();
    }
  }

  /** A binding that is to come; announced in the order of time, before anything is replayed. */
  void willBind(Instant at, int milli) {
    binds.add(new Change(at, milli));
  }

  void created(Instant at, int milli) {
    waiting.merge(milli, 1, Integer::sum);
    settleOwed(at, false);
  }

  /** What is wrong with it, if anything is. */
  Optional<String> bound(Instant at, int milli, Instant created) {
    useMilli += milli;
    stopsWaiting(milli);
    waits.add(Duration.between(created, at));
    settleOwed(at, true);
    return useMilli > bounds.limitMilli()
        ? Optional.of("has %d of at most %d".formatted(useMilli, bounds.limitMilli()))
        : Optional.empty();
  }

  void endedWaiting(Instant at, int milli) {
    stopsWaiting(milli);
    settleOwed(at, false);
  }

  void ended(Instant at, int milli) {
    ended.add(new Change(at, milli));
    left(at, milli);
  }

  void evicted(Instant at, int milli) {
    left(at, milli);
  }

  private void left(Instant at, int milli) {
    useMilli -= milli;
    settleOwed(at, false);
  }

  /** What it had left without a pod that is still counted. */
  int without(int milli) {
    return useMilli - milli;
  }

  int guaranteeMilli() {
    return bounds.guaranteeMilli();
  }

  /**
   * What the program could believe that it had beside what it has: pods that have ended and whose
   * end need not be known, and pods that were offered cards and are bound soon.
   */
  int believedMilli(Instant at) {
    var from = at.minus(slack);
    var until = at.plus(slack);
    ended.removeIf(it -> it.at().isBefore(from));
    binds.removeIf(it -> !it.at().isAfter(at));
    return ended.stream().mapToInt(Change::milli).sum()
        + binds.stream().takeWhile(it -> !it.at().isAfter(until)).mapToInt(Change::milli).sum();
  }

  Times times() {
    return new Times(waits, owed, waiting.values().stream().mapToInt(it -> it).sum());
  }

  private void stopsWaiting(int milli) {
    waiting.computeIfPresent(milli, (_, pods) -> pods == 1 ? null : pods - 1);
  }

  private void settleOwed(Instant at, boolean isServed) {
    boolean isOwed = !waiting.isEmpty() && useMilli + waiting.firstKey() <= bounds.guaranteeMilli();
    if (owedSince != null && (isServed || !isOwed)) {
      owed.add(Duration.between(owedSince, at));
      owedSince = null;
    }
    if (isOwed && owedSince == null) {
      owedSince = at;
    }
  }
}
