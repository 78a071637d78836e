package io.prescale.controller.place;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/** The waiting pods in the order in which they are decided. Not thread-safe. */
final class DecisionOrder {
  private static final String ONE_LINE = "";

  private final Map<String, Queue<PodRow>> lines = new LinkedHashMap<>();
  private final Optional<QueueBook> book;

  /**
   * Sorts the pods that have no place yet.
   *
   * @param book names the next queue; without it pods come in their order
   */
  DecisionOrder(List<PodRow> pods, Optional<QueueBook> book) {
    this.book = book;
    for (var pod : pods) {
      if (pod.place().isEmpty()) {
        var line = book.isPresent() ? pod.request().standing().queue() : ONE_LINE;
        lines.computeIfAbsent(line, _ -> new ArrayDeque<>()).add(pod);
      }
    }
  }

  /** Takes the next pod; empty when none is left. */
  Optional<PodRow> next() {
    lines.values().removeIf(Queue::isEmpty);
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    var line =
        book.flatMap(it -> it.next(List.copyOf(lines.keySet())))
            .orElseGet(() -> lines.keySet().iterator().next());
    return Optional.ofNullable(lines.get(line)).map(Queue::poll);
  }
}
